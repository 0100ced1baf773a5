import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunDetail } from '../../src/runtime/runs/run.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { post, send } from './gateway-request.ts';

let gateway: OpenGateway;
beforeAll(async () => {
  gateway = await openGateway({});
});
afterAll(() => gateway.close());

type Demo = { runId: string; steps: { runId: string; servedBy: string; fallbackReason: string | null }[] };

it('lets a model fail in each way, with a run for each, and touches no setting', async () => {
  const settingsOf = async () => (await send(gateway.url, { path: '/api/settings' })).json;
  const before = await settingsOf();
  const [first, second] = await Promise.all([
    post(gateway.url, '/api/demo/fallback', {}),
    post(gateway.url, '/api/demo/fallback', {}),
  ]);
  const { runId, steps } = first.json as Demo;
  expect(second.json).toEqual(first.json);
  expect(steps.map(({ servedBy, fallbackReason }) => [servedBy, fallbackReason])).toEqual([
    ['demo-upstream', null],
    ['simulation', 'upstream_rate_limited'],
    ['simulation', 'upstream_timeout'],
    ['simulation', 'upstream_truncated'],
    ['simulation', 'breaker_open'],
    ['demo-upstream', null],
  ]);
  expect(runId).toBe(steps[1]?.runId);
  for (const step of steps) {
    const { run, spans } = (await send(gateway.url, { path: `/api/runs/${step.runId}` })).json as RunDetail;
    expect(run).toMatchObject({ outcome: 'ok', served: { deployment: step.servedBy } });
    expect(spans.at(-1)?.outcome).toBe('served');
  }
  expect(await settingsOf()).toEqual(before);
  expect(gateway.runtime.breakers.list()).toEqual([]);
});
