import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../../apps/faulty-upstream/server.ts';
import { TiercelError } from '../../../src/errors.ts';
import type { AdmissionPolicy, AdmissionRequest, SettledUsage } from '../../../src/governance/admission.ts';
import { ask, type OpenRouter, openRouter, twoTiers } from '../../support/open-router.ts';

let upstream: FaultyUpstream;
let open: OpenRouter;

beforeAll(async () => {
  upstream = await startFaultyUpstream({});
});
afterAll(() => upstream.close());
afterEach(async () => {
  await open.close();
  upstream.reset();
});

/** A day's budget in tokens: what the governance room will keep in the database, here in a variable. */
function budgetOf(tokens: number, resetsAt = '2026-12-01T00:00:00Z') {
  let left = tokens;
  const asked: AdmissionRequest[] = [];
  const settled: SettledUsage[] = [];
  const policy: AdmissionPolicy = {
    admit(request) {
      asked.push(request);
      const reserved = request.inputTokens + (request.maxOutputTokens ?? 0);
      if (reserved > left) {
        const extra = { resets_at: resetsAt };
        return {
          kind: 'denied',
          error: new TiercelError('budget_exceeded', 'The day budget is used up.', { extra }),
        };
      }
      left -= reserved;
      return {
        kind: 'admitted',
        policyDigest: 'sha256:test',
        settle(usage) {
          settled.push(usage);
          left += reserved - usage.inputTokens - usage.outputTokens;
        },
      };
    },
  };
  return { policy, asked, settled };
}

describe('admission', () => {
  it('G12 lets exactly one of 64 parallel requests through a budget for one, and settles what was reported', async () => {
    const { policy, settled } = budgetOf(50);
    open = openRouter(twoTiers(upstream.baseUrl), { admission: policy });
    upstream.script('gpt-x', ['slow-200ms']);
    const request = { ...ask(), max_tokens: 40 };
    const results = await Promise.allSettled(
      Array.from({ length: 64 }, () => open.router.complete({ model: 'auto', request })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      expect(result.reason).toMatchObject({
        code: 'budget_exceeded',
        status: 429,
        details: { extra: { resets_at: '2026-12-01T00:00:00Z' }, receiptId: expect.any(String) },
      });
    }
    expect(upstream.requests).toHaveLength(1);
    expect(settled).toEqual([{ inputTokens: 12, outputTokens: 20, source: 'reported', outcome: 'ok' }]);
    expect(open.receipts).toHaveLength(64);
    expect(open.receipts.find(({ outcome }) => outcome === 'ok')?.policyDigest).toBe('sha256:test');
  });

  it('G13 refuses alike on every route that spends, before any upstream call and without falling back', async () => {
    open = openRouter(twoTiers(upstream.baseUrl, { floor: 'always' }), { admission: budgetOf(0).policy });
    const denied = { code: 'budget_exceeded', status: 429 };
    await expect(open.router.complete({ model: 'auto', request: ask() })).rejects.toMatchObject(denied);
    await expect(open.router.stream({ model: 'auto', request: ask() })).rejects.toMatchObject(denied);
    await expect(open.router.embed({ model: 'auto', request: { input: 'x' } })).rejects.toMatchObject(denied);
    expect(upstream.requests).toHaveLength(0);
    expect(open.receipts.map(({ outcome, served, attempts }) => [outcome, served, attempts.length])).toEqual(
      Array(3).fill(['error', null, 0]),
    );
  });

  it('settles once however a call ends', async () => {
    const { policy, settled } = budgetOf(1_000_000);
    open = openRouter(twoTiers(upstream.baseUrl), { admission: policy });
    upstream.script('llama3.2:3b', ['status-503']);
    for (const fault of ['ok', 'status-503', 'cut-after-5']) {
      upstream.script('gpt-x', [fault]);
      await open.router
        .stream({ model: 'auto', request: ask() })
        .then(async ({ chunks }) => {
          for await (const _ of chunks);
        })
        .catch(() => {});
    }
    expect(settled.map(({ outcome }) => outcome)).toEqual(['ok', 'error', 'truncated']);
  });
});

describe('isolation', () => {
  it('G16 gives no answer of one principal to another', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['counter']);
    const answers = await Promise.all(
      ['alice', 'bob', 'alice', 'bob'].map(async (principal) => {
        const { completion } = await open.router.complete({ model: 'auto', request: ask(), principal });
        return completion.choices[0]?.message.content;
      }),
    );
    expect(new Set(answers).size).toBe(4);
    expect(open.receipts.map(({ principal }) => principal).sort()).toEqual(['alice', 'alice', 'bob', 'bob']);
  });
});

describe('egress', () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

  it.runIf(outside)(
    'G28 opens no connection beyond loopback under local_only, and says so each time',
    async () => {
      let connections = 0;
      const listener = createServer().on('connection', () => {
        connections += 1;
      });
      await new Promise<void>((resolve) => listener.listen(0, outside, resolve));
      const { port } = listener.address() as AddressInfo;
      open = openRouter({
        mode: 'live',
        routing: 'cloud_first',
        deployments: [{ id: 'far', tier: 'live', baseUrl: `http://${outside}:${port}/v1`, model: 'm' }],
        defaults: { live: ['far'] },
        egress: { allow: [`${outside}:${port}`] },
      });
      open.settings.applyRuntime(
        new Map([['routing', { value: 'local_only', author: 'test', at: new Date() }]]),
      );
      await expect(open.router.complete({ model: 'auto', request: ask() })).rejects.toMatchObject({
        code: 'no_candidate',
      });
      expect(open.receipts[0]?.excluded).toEqual([
        { deployment: 'far', tier: 'live', reason: 'routing_forbids' },
      ]);
      for (const purpose of ['web search', 'webhook', 'telemetry']) {
        const opened = await open.egress.open({
          method: 'POST',
          url: `http://${outside}:${port}/`,
          headers: {},
          body: 'x',
          purpose,
          scope: 'declared',
          limits: { connectMs: 1000, headerMs: 1000 },
          deadlineAt: performance.now() + 2000,
        });
        expect(opened).toMatchObject({ kind: 'failed', failure: { reason: 'denied' } });
      }
      const denials = open.events.filter(({ type }) => type === 'EGRESS_DENIED');
      expect(denials.map(({ payload }) => payload)).toMatchObject([
        { purpose: 'web search', host: outside, port },
        { purpose: 'webhook' },
        { purpose: 'telemetry' },
      ]);
      expect(connections).toBe(0);
      await new Promise((resolve) => listener.close(resolve));
    },
  );
});
