import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { receiptSchema, receiptWithContentsSchema, settingsSchema } from '../../src/gateway/schemas.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { CHAT, hello, post, type RawAnswer, send } from './gateway-request.ts';

let upstream: FaultyUpstream;
let gateway: OpenGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
  const deployment = (id: string, tier: 'live' | 'local', model: string) =>
    ({ id, tier, baseUrl: upstream.baseUrl, auth: { type: 'none' }, model }) as const;
  gateway = await openGateway({
    mode: 'live',
    routing: 'cloud_first',
    limits: { retriesPerTarget: 0 },
    deployments: [
      deployment('cloud', 'live', 'ok'),
      deployment('broken', 'live', 'status-503'),
      deployment('ollama', 'local', 'ok'),
      {
        id: 'keyless',
        tier: 'live',
        baseUrl: upstream.baseUrl,
        auth: { type: 'api_key', env: 'NO_KEY' },
        model: 'x',
      },
    ],
    defaults: { live: ['cloud', 'keyless'], local: ['ollama'] },
    roles: { narrator: { live: ['broken'], local: ['ollama'], simulator: true } },
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => upstream.reset());

const get = (path: string) => send(gateway.url, { path });
const put = (changes: object) =>
  send(gateway.url, {
    method: 'PUT',
    path: '/api/settings',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ changes }),
  });
const codeOf = ({ json }: RawAnswer) => (json as { error?: { code?: string } } | undefined)?.error?.code;

describe('receipts', () => {
  it('say what happened, as they are described', async () => {
    const { headers } = await post(gateway.url, CHAT, hello('role:narrator'));
    const { json } = await get(`/api/receipts/${headers['x-tiercel-receipt']}`);
    const receipt = receiptSchema.strict().parse(json);
    expect(receipt).toMatchObject({
      role: 'narrator',
      served: { deployment: 'ollama' },
      fallbackReason: 'upstream_unavailable',
      attempts: [{ deployment: 'broken', httpStatus: 503 }, { deployment: 'ollama' }],
    });
  });

  it('hold what was asked and answered when that is wanted', async () => {
    const { headers } = await post(gateway.url, CHAT, hello('cloud'));
    const { json } = await get(`/api/receipts/${headers['x-tiercel-receipt']}?contents=true`);
    const { contents } = receiptWithContentsSchema.parse(json);
    expect(contents?.request).toContain('Hello');
    expect(contents?.answer).toContain('The upstream is well');
  });

  it('are listed newest first, page by page and by what they say', async () => {
    const ids: unknown[] = [];
    for (const model of ['cloud', 'ollama', 'broken']) {
      ids.unshift((await post(gateway.url, CHAT, hello(model))).headers['x-tiercel-receipt']);
    }
    const list = async (query: string) =>
      ((await get(`/api/receipts?${query}`)).json as { receipts: { id: string }[] }).receipts.map(
        ({ id }) => id,
      );
    expect(await list('limit=3')).toEqual(ids);
    expect(await list(`limit=1&before=${ids[0]}`)).toEqual([ids[1]]);
    expect(await list('limit=1&tier=local')).toEqual([ids[1]]);
    expect(await list('limit=1&outcome=error')).toEqual([ids[0]]);
    expect(await list('role=nobody')).toEqual([]);
  });

  it.each(['not-an-id', '00000000-0000-7000-8000-000000000000'])('are not found by %s', async (id) => {
    const answer = await get(`/api/receipts/${id}`);
    expect([answer.status, codeOf(answer)]).toEqual([404, 'receipt_not_found']);
  });
});

describe('plans', () => {
  it('name who would serve, and who would not and why', async () => {
    expect((await get('/api/plan?model=auto')).json).toEqual({
      model: 'auto',
      label: 'hybrid',
      candidates: [
        { tier: 'live', deployment: 'cloud', model: 'ok' },
        { tier: 'local', deployment: 'ollama', model: 'ok' },
      ],
      excluded: [{ deployment: 'keyless', tier: 'live', reason: 'not_configured' }],
      displaced: null,
    });
  });

  it('are given for every name when none is named', async () => {
    const { plans } = (await get('/api/plan')).json as { plans: { model: string }[] };
    expect(plans.map(({ model }) => model)).toContain('role:narrator');
    expect(codeOf(await get('/api/plan?model=nothing'))).toBe('model_not_found');
  });
});

describe('settings', () => {
  it('are shown with their origin', async () => {
    const { settings } = settingsSchema.parse((await get('/api/settings')).json);
    expect(settings.find(({ path }) => path === 'mode')).toMatchObject({
      value: 'live',
      origin: { kind: 'file' },
    });
    expect(settings.find(({ path }) => path === 'floor')).toMatchObject({ origin: { kind: 'default' } });
  });

  it('are in force from the next call on, and can be undone', async () => {
    const tier = async () => (await post(gateway.url, CHAT, hello('auto'))).headers['x-tiercel-tier'];
    expect(await tier()).toBe('live');
    const changed = await put({ mode: 'simulation' });
    expect(changed.status).toBe(200);
    expect(await tier()).toBe('simulation');
    const { version } = changed.json as { version: number };
    expect((await post(gateway.url, '/api/settings/undo', { version })).status).toBe(200);
    expect(await tier()).toBe('live');
  });

  it('stay as they are when one of several changes is wrong', async () => {
    const answer = await put({ routing: 'local_only', mode: 'locl' });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    expect(answer.text).toContain('simulation, local, live');
    expect((await get('/api/plan?model=auto')).json).toMatchObject({ label: 'hybrid' });
  });

  it.each([{}, { 'server.port': 1 }, { 'deployments.x.baseUrl': 'http://evil' }])(
    'refuse %j',
    async (changes) => {
      const answer = await put(changes);
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('deployments', () => {
  it('show their breakers, which can be reset', async () => {
    for (let at = 0; at < 3; at++) await post(gateway.url, CHAT, hello('broken'));
    const stateOf = async () => {
      const { breakers } = (await get('/api/breakers')).json as {
        breakers: { deployment: string; state: string }[];
      };
      return breakers.find(({ deployment }) => deployment === 'broken')?.state;
    };
    expect(await stateOf()).toBe('open');
    const reset = await send(gateway.url, { method: 'POST', path: '/api/breakers/broken/reset' });
    expect(reset.json).toMatchObject({ deployment: 'broken', state: 'closed' });
    expect(await stateOf()).toBe('closed');
    const unknown = await send(gateway.url, { method: 'POST', path: '/api/breakers/nothing/reset' });
    expect(codeOf(unknown)).toBe('deployment_not_found');
  });

  it('are probed on request', async () => {
    const probe = (id: string) => send(gateway.url, { method: 'POST', path: `/api/deployments/${id}/probe` });
    expect((await probe('cloud')).json).toMatchObject({ ok: true, servesModel: true });
    expect(codeOf(await probe('nothing'))).toBe('deployment_not_found');
  });
});

describe('metrics', () => {
  it('count calls by what their receipts say, with no name that a caller made', async () => {
    await post(gateway.url, CHAT, hello('cloud'));
    await post(gateway.url, CHAT, hello('broken'));
    await post(gateway.url, CHAT, hello('made-up-by-the-caller'));
    await post(gateway.url, CHAT, hello('cloud', { stream: true }));
    const metrics = async () => (await get('/metrics')).text;
    await expect.poll(metrics).toMatch(/tiercel_requests_total\{kind="chat",tier="none",outcome="error"/);
    const text = await metrics();
    expect(text).toMatch(
      /tiercel_requests_total\{kind="chat",tier="live",outcome="ok",role="none",error_code="none"\} \d+/,
    );
    expect(text).toMatch(
      /tiercel_attempts_total\{deployment="broken",tier="live",outcome="failed",error_code="upstream_unavailable"\} \d+/,
    );
    expect(text).toMatch(/tiercel_first_token_seconds_count\{tier="live"\} [1-9]/);
    expect(text).toMatch(/tiercel_tokens_total\{tier="live",direction="output",source="reported"\} \d+/);
    expect(text).toContain('tiercel_breaker_open{deployment="cloud"} 0');
    expect(text).toContain('tiercel_egress_open_sockets{origin=');
    expect(text).not.toContain('made-up-by-the-caller');
    expect(text).not.toContain('Hello');
  });
});

describe('/openapi.json', () => {
  it('is a valid description of version 3.1', async () => {
    const { json } = await get('/openapi.json');
    const validator = new Validator();
    expect(await validator.validate(json as Record<string, unknown>)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has every operation once, and what each may refuse', async () => {
    const { paths } = (await get('/openapi.json')).json as {
      paths: Record<
        string,
        Record<
          string,
          { operationId: string; responses: Record<string, { description: string; content?: object }> }
        >
      >;
    };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([CHAT, '/v1/embeddings', '/api/receipts/{id}', '/openapi.json', '/readyz']),
    );
    expect(Object.keys(paths[CHAT]?.['post']?.responses['200']?.content ?? {})).toEqual([
      'application/json',
      'text/event-stream',
    ]);
    expect(paths[CHAT]?.['post']?.responses['413']?.description).toContain('body_too_large');
    for (const [path, methods] of Object.entries(paths)) {
      // It has no end.
      if (path === '/api/events/stream') continue;
      for (const method of Object.keys(methods)) {
        const served = await send(gateway.url, {
          method: method.toUpperCase(),
          path: path.replaceAll(/\{\w+\}/g, 'x'),
          headers: { 'content-type': 'application/json' },
        });
        expect([path, method, codeOf(served)]).not.toContain('not_found');
      }
    }
  });
});
