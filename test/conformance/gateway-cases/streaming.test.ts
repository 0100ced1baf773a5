import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { okPieces } from '../../../apps/faulty-upstream/chunks.ts';
import { type FaultyUpstream, startFaultyUpstream } from '../../../apps/faulty-upstream/server.ts';
import type { TiercelError } from '../../../src/errors.ts';
import type { ChatCall, StreamResult } from '../../../src/inference/router.ts';
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

/** Reads a stream to its end, or to the error that cut it short. */
async function read(streaming: Promise<StreamResult>) {
  const stream = await streaming;
  let text = '';
  let finish: string | null = null;
  let error: TiercelError | null = null;
  try {
    for await (const chunks of stream.chunks) {
      for (const { choices } of chunks) {
        text += choices[0]?.delta.content ?? '';
        finish = choices[0]?.finish_reason ?? finish;
      }
    }
  } catch (caught) {
    error = caught as TiercelError;
  }
  return { text, finish, error, fallbackReason: stream.fallbackReason, receipt: await stream.receipt };
}

function stream(more: Partial<ChatCall> = {}) {
  return read(open.router.stream({ model: 'auto', request: ask(), ...more }));
}

describe('a stream', () => {
  it('G01 ends with an error and no finish reason when it is cut after the commit, and is not switched', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['cut-after-40']);
    upstream.script('llama3.2:3b', ['ok']);
    const { text, finish, error, receipt } = await stream();
    expect(text).toBe(okPieces(60).slice(0, 40).join(''));
    expect(finish).toBeNull();
    expect(error).toMatchObject({ code: 'upstream_truncated', details: { receiptId: receipt.id } });
    expect(receipt).toMatchObject({ outcome: 'truncated', served: { deployment: 'cloud' } });
    expect(receipt.usage).toMatchObject({ source: 'estimated' });
    expect(upstream.requests.map(({ model }) => model)).toEqual(['gpt-x']);
  });

  it('G02 falls over when the error comes in the stream before any output', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['role-then-error']);
    upstream.script('llama3.2:3b', ['ok']);
    const { text, finish, error, receipt, fallbackReason } = await stream();
    expect(text).toBe(okPieces().join(''));
    expect({ finish, error }).toEqual({ finish: 'stop', error: null });
    expect(fallbackReason).toBe('upstream_rate_limited');
    expect(receipt).toMatchObject({ outcome: 'ok', served: { deployment: 'ollama' }, fallbackReason });
  });

  it('G04 that stalls past the idle limit ends as truncated, its socket is closed, and the next call works', async () => {
    open = openRouter(
      twoTiers(upstream.baseUrl, { limits: limitsOf({ idleMs: 300 }), defaults: { live: ['cloud'] } }),
    );
    upstream.script('gpt-x', ['stall-after-20', 'ok']);
    const began = performance.now();
    const { error, receipt } = await stream();
    expect(performance.now() - began).toBeLessThan(2300);
    expect(error).toMatchObject({ code: 'upstream_timeout' });
    expect(receipt.outcome).toBe('truncated');
    await expect.poll(() => upstream.requests[0]?.aborted).toBe(true);
    expect((await stream()).finish).toBe('stop');
  });

  it('G05 is retried with the same bytes', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['status-503', 'ok']);
    const { error, receipt } = await stream({ request: ask('日本 "quoted" 🚲') });
    expect(error).toBeNull();
    expect(receipt.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'served']);
    const [first, second] = upstream.requests;
    expect(second?.bodyText).toBe(first?.bodyText);
    expect(second?.bodyText).toContain('日本');
  });

  it.each(['pings', 'crlf', 'cr', 'crlf-split', 'multi-line-data', 'no-done'])(
    'G08 G09 is read the same with %s',
    async (model) => {
      open = openRouter(twoTiers(upstream.baseUrl));
      upstream.script('gpt-x', [model]);
      const { text, finish, error } = await stream();
      expect({ text, finish, error }).toEqual({ text: okPieces().join(''), finish: 'stop', error: null });
    },
  );

  it('G10 keeps emoji and CJK byte for byte when every byte comes alone', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['byte-by-byte']);
    upstream.script('llama3.2:3b', ['unicode']);
    const byByte = await stream({ model: 'cloud' });
    const whole = await stream({ model: 'ollama' });
    expect(byByte.error).toBeNull();
    expect(byByte.text).toContain('🎉');
    expect(byByte.text).toBe(whole.text);
  });

  it('G11 drops the partial line of a broken tail', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['cut-mid-line']);
    const { text, finish, error } = await stream();
    expect(okPieces().join('').startsWith(text)).toBe(true);
    expect({ finish, code: error?.code }).toEqual({ finish: null, code: 'upstream_truncated' });
  });

  it('skips an event that does not parse and counts it', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['malformed-event']);
    const { error, receipt } = await stream();
    expect(error).toBeNull();
    expect(receipt.malformedEvents).toBeGreaterThan(0);
  });

  it('is rescued by the next candidate even in the middle when the commit waits for the whole', async () => {
    open = openRouter(twoTiers(upstream.baseUrl, { limits: limitsOf({ idleMs: 300 }) }));
    upstream.script('llama3.2:3b', ['ok']);
    for (const fault of ['cut-after-40', 'stall-after-20', 'error-after-5']) {
      upstream.script('gpt-x', [fault]);
      const { text, error, receipt } = await stream({ commit: 'complete' });
      expect({ text, error }).toEqual({ text: okPieces().join(''), error: null });
      expect(receipt.served?.deployment).toBe('ollama');
    }
  });

  it('G14 aborts the target and keeps an estimate when the caller leaves', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['drip-50ms/200']);
    const caller = new AbortController();
    const result = await open.router.stream({ model: 'auto', request: ask(), signal: caller.signal });
    let chunks = 0;
    const reading = (async () => {
      for await (const _ of result.chunks) if (++chunks === 3) caller.abort();
    })();
    await expect(reading).rejects.toMatchObject({ code: 'client_closed' });
    await expect.poll(() => upstream.requests[0]?.aborted, { timeout: 1000 }).toBe(true);
    const receipt = await result.receipt;
    expect(receipt).toMatchObject({ outcome: 'cancelled', usage: { source: 'estimated' } });
    expect(receipt.usage.outputTokens).toBeGreaterThan(0);
  });

  it('aborts the target when the reader leaves the loop, also before the first read', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['drip-50ms/200']);
    const left = await open.router.stream({ model: 'auto', request: ask() });
    for await (const _ of left.chunks) break;
    expect((await left.receipt).outcome).toBe('cancelled');
    const unread = await open.router.stream({ model: 'auto', request: ask() });
    await unread.chunks.return();
    expect((await unread.receipt).outcome).toBe('cancelled');
    await expect.poll(() => upstream.requests.every(({ aborted }) => aborted)).toBe(true);
  });

  it('G23 leaves no socket behind after 200 aborted streams and 100 that answer 429', async () => {
    open = openRouter(
      twoTiers(upstream.baseUrl, { defaults: { live: ['cloud'] }, breaker: { failures: 1000 } }),
    );
    for (let round = 0; round < 10; round++) {
      upstream.script('gpt-x', ['drip-50ms/200']);
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const caller = new AbortController();
          const result = await open.router.stream({ model: 'auto', request: ask(), signal: caller.signal });
          setTimeout(() => caller.abort(), 20);
          await expect(read(Promise.resolve(result))).resolves.toMatchObject({
            error: { code: 'client_closed' },
          });
        }),
      );
      upstream.script('gpt-x', ['insufficient-quota']);
      await Promise.all(
        Array.from({ length: 10 }, () =>
          expect(open.router.stream({ model: 'auto', request: ask() })).rejects.toMatchObject({
            code: 'upstream_rate_limited',
          }),
        ),
      );
    }
    // Idle sockets are kept for reuse for four seconds; aborted ones are gone at once.
    await delay(200);
    expect(upstream.openSockets()).toBeLessThanOrEqual(20);
    await expect.poll(() => upstream.openSockets(), { timeout: 8000 }).toBe(0);
  });

  it('hides usage from a caller who did not ask, and gives it to one who did, estimated where it must be', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    const usages = async (model: string, includeUsage: boolean) => {
      upstream.script('gpt-x', [model]);
      const request = { ...ask(), ...(includeUsage ? { stream_options: { include_usage: true } } : {}) };
      const result = await open.router.stream({ model: 'auto', request });
      const found: unknown[] = [];
      for await (const chunks of result.chunks) found.push(...chunks.flatMap(({ usage }) => usage ?? []));
      return { found, usage: (await result.receipt).usage };
    };
    expect(await usages('ok', false)).toMatchObject({
      found: [],
      usage: { source: 'reported', outputTokens: 20 },
    });
    expect(await usages('usage-last', false)).toMatchObject({ found: [] });
    expect(await usages('ok', true)).toMatchObject({ found: [{ completion_tokens: 20 }] });
    expect(await usages('no-usage', true)).toMatchObject({
      found: [{ source: 'estimated' }],
      usage: { source: 'estimated' },
    });
  });

  it('counts reasoning as life but commits only to the answer', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['reasoning-content']);
    const result = await open.router.stream({ model: 'auto', request: ask() });
    let reasoning = '';
    for await (const chunks of result.chunks) {
      for (const { choices } of chunks) reasoning += choices[0]?.delta.reasoning_content ?? '';
    }
    expect(reasoning).toContain('The user');
  });
});
