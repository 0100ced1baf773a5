import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../../apps/faulty-upstream/server.ts';
import type { ChatCall } from '../../../src/inference/router.ts';
import { ask, limitsOf, type OpenRouter, openRouter, twoTiers } from '../../support/open-router.ts';

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

function complete(more: Partial<ChatCall> = {}) {
  return open.router.complete({ model: 'auto', request: ask(), ...more });
}

function timesAsked(model: string): number {
  return upstream.requests.filter((request) => request.model === model).length;
}

describe('limits', () => {
  it.each([false, true])(
    'G03 gives a silent target up after its header limit and does not ask it twice (stream %s)',
    async (streamed) => {
      open = openRouter(
        twoTiers(upstream.baseUrl, { limits: { totalMs: 10_000, ...limitsOf({ headerMs: 300 }) } }),
      );
      upstream.script('gpt-x', ['hang']);
      upstream.script('llama3.2:3b', ['ok']);
      const began = performance.now();
      if (streamed) {
        const { chunks } = await open.router.stream({ model: 'auto', request: ask() });
        for await (const _ of chunks);
      } else await complete();
      expect(performance.now() - began).toBeLessThan(2300);
      expect(timesAsked('gpt-x')).toBe(1);
      expect(open.receipts[0]).toMatchObject({
        served: { deployment: 'ollama' },
        fallbackReason: 'upstream_timeout',
        attempts: [{ errorCode: 'upstream_timeout' }, { outcome: 'served' }],
      });
    },
  );

  it('falls over when the first token does not come, though the header and keep-alives did', async () => {
    open = openRouter(twoTiers(upstream.baseUrl, { limits: limitsOf({ firstTokenMs: 300 }) }));
    upstream.script('gpt-x', ['late-first-token']);
    upstream.script('llama3.2:3b', ['ok']);
    const { chunks, served } = await open.router.stream({ model: 'auto', request: ask() });
    for await (const _ of chunks);
    expect(served.deployment).toBe('ollama');
    expect(open.receipts[0]?.fallbackReason).toBe('upstream_timeout');
  });

  it('G24 answers at the total deadline when every attempt hangs, with all of them on the receipt', async () => {
    open = openRouter(twoTiers(upstream.baseUrl, { limits: { totalMs: 1500, retriesPerTarget: 2 } }));
    upstream.script('gpt-x', ['hang']);
    upstream.script('llama3.2:3b', ['hang']);
    const began = performance.now();
    await expect(complete()).rejects.toMatchObject({ code: 'upstream_timeout', status: 504 });
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(1200);
    expect(took).toBeLessThan(1800);
    expect(open.receipts[0]?.attempts.map(({ deployment }) => deployment)).toEqual(['cloud', 'ollama']);
  });

  it('keeps for each candidate behind its minimum of the total', async () => {
    const limits = { totalMs: 3000, minPerCandidateMs: 2500, ...limitsOf({ headerMs: 60_000 }) };
    open = openRouter(twoTiers(upstream.baseUrl, { limits }));
    upstream.script('gpt-x', ['hang']);
    upstream.script('llama3.2:3b', ['slow-800ms']);
    const { receipt } = await complete();
    expect(receipt.served?.deployment).toBe('ollama');
  });
});

describe('classification', () => {
  it('G06 takes an error under HTTP 200 for a failure', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['error-200']);
    upstream.script('llama3.2:3b', ['ok']);
    expect((await complete()).receipt).toMatchObject({
      served: { deployment: 'ollama' },
      fallbackReason: 'upstream_unavailable',
    });
  });

  it.each([
    'html-200',
    'empty-200',
    'no-choices',
    'truncated-json',
    'redirect',
    'unauthorized',
    'model-not-found',
    'reset',
  ])('goes to the next candidate after %s', async (fault) => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', [fault]);
    upstream.script('llama3.2:3b', ['ok']);
    const { receipt } = await complete();
    expect(receipt.served?.deployment).toBe('ollama');
    expect(receipt.fallbackReason).toBe(receipt.attempts[0]?.errorCode);
  });

  it.each([
    ['content-filter', 'content_filtered'],
    ['context-too-long', 'context_length_exceeded'],
  ])('stops after %s and tells the caller the target’s reason', async (fault, code) => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', [fault]);
    upstream.script('llama3.2:3b', ['ok']);
    await expect(complete()).rejects.toMatchObject({ code, status: 400 });
    expect(timesAsked('llama3.2:3b')).toBe(0);
    expect(open.breakers.view('cloud')).toEqual({ state: 'closed', failures: 0 });
  });

  it('goes to a larger context window when the first is too small', async () => {
    const config = twoTiers(upstream.baseUrl);
    const deployments = (config.deployments ?? []).map((one) => ({
      ...one,
      contextWindow: one.id === 'cloud' ? 8192 : 100_000,
    }));
    open = openRouter({ ...config, deployments });
    upstream.script('gpt-x', ['context-too-long']);
    upstream.script('llama3.2:3b', ['ok']);
    expect((await complete()).receipt.served?.deployment).toBe('ollama');
  });

  it('tells the failure of the first candidate when all fail, with every attempt on the receipt', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['unauthorized']);
    upstream.script('llama3.2:3b', ['status-503']);
    await expect(complete()).rejects.toMatchObject({ code: 'upstream_credentials', status: 502 });
    expect(open.receipts[0]).toMatchObject({
      outcome: 'error',
      served: null,
      errorCode: 'upstream_credentials',
    });
    expect(open.receipts[0]?.attempts.map(({ httpStatus }) => httpStatus)).toEqual([401, 503, 503]);
  });

  it('G30 answers 502 and a receipt when the only candidate refuses the connection', async () => {
    const gone = await startFaultyUpstream({});
    await gone.close();
    open = openRouter(twoTiers(gone.baseUrl, { defaults: { live: ['cloud'] } }));
    await expect(complete()).rejects.toMatchObject({ code: 'upstream_unreachable', status: 502 });
    expect(open.receipts[0]?.attempts).toHaveLength(2);
  });

  it('answers 503 when nothing is configured to serve', async () => {
    open = openRouter({ mode: 'live' });
    await expect(complete()).rejects.toMatchObject({ code: 'no_candidate', status: 503 });
    expect(open.receipts[0]).toMatchObject({ label: 'none', served: null });
  });
});

describe('Retry-After', () => {
  it.each([
    ['status-429-retry-1', 900, 1900],
    ['status-429-date-2', 900, 2900],
  ])('G22 waits on the same target as %s asks', async (fault, least, most) => {
    open = openRouter(twoTiers(upstream.baseUrl, { limits: { totalMs: 10_000, minPerCandidateMs: 5000 } }));
    upstream.script('gpt-x', [fault, 'ok']);
    const began = performance.now();
    const { receipt } = await complete();
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(least);
    expect(took).toBeLessThan(most);
    expect(receipt).toMatchObject({ served: { deployment: 'cloud' } });
    expect(receipt.fallbackReason).toBeUndefined();
  });

  it('G22 goes on at once when it does not fit, and forwards it when the 429 is surfaced', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['status-429-retry-287441']);
    upstream.script('llama3.2:3b', ['ok']);
    const began = performance.now();
    expect((await complete()).receipt.served?.deployment).toBe('ollama');
    expect(performance.now() - began).toBeLessThan(1000);
    await expect(complete({ model: 'cloud' })).rejects.toMatchObject({
      code: 'upstream_rate_limited',
      status: 429,
      details: { retryAfterMs: 287_441_000 },
    });
  });
});

describe('the breaker', () => {
  it('G07 probes once per cool-down during an outage and lets the first serve again after it', async () => {
    open = openRouter(
      twoTiers(upstream.baseUrl, { breaker: { coolDownMs: 600 }, limits: { retriesPerTarget: 0 } }),
    );
    upstream.script('gpt-x', ['down-2000ms']);
    upstream.script('llama3.2:3b', ['ok']);
    const began = performance.now();
    const served: { at: number; by: string | undefined }[] = [];
    while (performance.now() - began < 3200) {
      const { receipt } = await complete();
      served.push({ at: performance.now() - began, by: receipt.served?.deployment });
      if (receipt.served?.deployment === 'ollama') expect(receipt.fallbackReason).toBeDefined();
      await delay(100);
    }
    const askedInOutage = upstream.requests.filter(
      ({ model, status }) => model === 'gpt-x' && status === 503,
    ).length;
    expect(askedInOutage).toBeGreaterThanOrEqual(4);
    expect(askedInOutage).toBeLessThanOrEqual(3 + Math.ceil(2000 / 600));
    expect(served.filter(({ at }) => at < 1900).every(({ by }) => by === 'ollama')).toBe(true);
    expect(served.filter(({ at }) => at > 2000 + 600 + 200).every(({ by }) => by === 'cloud')).toBe(true);
    expect(
      open.receipts.find(({ fallbackReason }) => fallbackReason === 'breaker_open')?.excluded,
    ).toContainEqual({
      deployment: 'cloud',
      tier: 'live',
      reason: 'breaker_open',
    });
  });
});

describe('model names', () => {
  it('G27 belong to the candidate, and one live failure does not shut live for good', async () => {
    open = openRouter(twoTiers(upstream.baseUrl, { routing: 'local_first' }));
    upstream.script('llama3.2:3b', ['model-not-found']);
    upstream.script('gpt-x', ['status-503', 'status-503', 'ok']);
    await expect(complete()).rejects.toMatchObject({ code: 'upstream_model_not_found' });
    expect((await complete()).receipt.served).toMatchObject({ deployment: 'cloud', model: 'gpt-x' });
    expect(upstream.requests.map(({ model }) => model)).toEqual([
      'llama3.2:3b',
      'gpt-x',
      'gpt-x',
      'llama3.2:3b',
      'gpt-x',
    ]);
  });

  it('G29 let each role escalate to its own live model', async () => {
    const at = { tier: 'live', baseUrl: upstream.baseUrl } as const;
    open = openRouter({
      mode: 'live',
      deployments: [
        { ...at, id: 'one', model: 'gpt-one' },
        { ...at, id: 'two', model: 'gpt-two' },
        { id: 'ollama', tier: 'local', baseUrl: upstream.baseUrl, model: 'shared' },
      ],
      roles: { narrator: { live: ['one'], local: ['ollama'] }, ops: { live: ['two'], local: ['ollama'] } },
    });
    upstream.script('shared', ['status-503']);
    upstream.script('gpt-one', ['ok']);
    upstream.script('gpt-two', ['ok']);
    expect((await complete({ model: 'role:narrator' })).receipt.served?.model).toBe('gpt-one');
    expect((await complete({ model: 'role:ops' })).receipt.served?.model).toBe('gpt-two');
  });

  it('of a deployment id ask that deployment alone', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['status-503']);
    upstream.script('llama3.2:3b', ['ok']);
    await expect(complete({ model: 'cloud' })).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(timesAsked('llama3.2:3b')).toBe(0);
    await expect(complete({ model: 'gpt-x' })).rejects.toMatchObject({
      code: 'model_not_found',
      status: 404,
    });
  });
});

describe('the floor', () => {
  it('ends a role’s plan in simulation, labelled as such, and a bare call in an error', async () => {
    const config = twoTiers(upstream.baseUrl, { roles: { narrator: { simulator: true } } });
    open = openRouter(config);
    upstream.script('gpt-x', ['status-503']);
    upstream.script('llama3.2:3b', ['status-503']);
    const { receipt, completion } = await complete({ model: 'role:narrator' });
    expect(receipt).toMatchObject({
      served: { tier: 'simulation' },
      fallbackReason: 'upstream_unavailable',
      usage: { source: 'simulated' },
    });
    expect(completion.model).toBe('tiercel-simulation');
    // The third failure opens the breaker before the retry; the caller still hears what the target said.
    await expect(complete()).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(open.receipts[1]?.attempts[0]?.httpStatus).toBe(503);
  });
});
