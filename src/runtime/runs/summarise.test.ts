import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../inference/receipt.ts';
import type { ChainedEvent } from '../../trace/event.ts';
import { matchesRun, summariseRun } from './summarise.ts';

const STARTED = '2026-11-30T12:00:00.000Z';
const NOW = Date.parse(STARTED) + 5000;

function receipt(id: string, more: Partial<Receipt> = {}): Receipt {
  return {
    id,
    traceId: 'a'.repeat(32),
    kind: 'chat',
    role: 'narrator',
    principal: 'ann',
    mode: 'live',
    routing: 'cloud_first',
    label: 'live',
    requested: 'role:narrator',
    streamed: false,
    served: { tier: 'live', deployment: 'main', provider: 'openai-wire', model: 'm' },
    outcome: 'ok',
    attempts: [],
    excluded: [],
    usage: { inputTokens: 10, outputTokens: 5, source: 'reported' },
    proof: { retrievalHits: [], memoryInjected: [], toolsOffered: [], toolsCalled: [] },
    policyDigest: null,
    startedAt: STARTED,
    durationMs: 100,
    ...more,
  };
}

function event(type: string, ms: number, payload: Record<string, unknown> = {}): ChainedEvent {
  return {
    id: `event-${ms}`,
    ts: new Date(Date.parse(STARTED) + ms).toISOString(),
    runId: 'run',
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    type,
    actor: 'ann',
    message: '',
    payload,
    writer: 'w',
    seq: 1,
    prevHash: '',
    hash: '',
  };
}

const opening = event('RUN_STARTED', 0, { name: 'nightly' });

describe('a run', () => {
  it('goes on while it has no end, and lasts until now', () => {
    const run = summariseRun('run', { events: [opening], receipts: [], isAbandoned: false, now: NOW });
    expect(run).toMatchObject({ outcome: 'running', endedAt: null, durationMs: 5000, requested: 'nightly' });
  });

  it('that nobody is left to end has failed, at its last event', () => {
    const events = [opening, event('PLAN_RESOLVED', 300)];
    const run = summariseRun('run', { events, receipts: [], isAbandoned: true, now: NOW });
    expect(run).toMatchObject({ outcome: 'error', endedAt: events[1]?.ts, durationMs: 300 });
  });

  it('sums its calls up, with the weakest source of their usage', () => {
    const events = [opening, event('RUN_FINISHED', 400, { outcome: 'ok', durationMs: 399.5 })];
    const cost = (amount: number, currency: string) => ({ amount, currency, priceSource: 'config' as const });
    const estimated = { inputTokens: 1, outputTokens: 2, reasoningTokens: 3, source: 'estimated' as const };
    const receipts = [
      receipt('one', { cost: cost(1, 'USD'), fallbackReason: 'breaker_open' }),
      receipt('two', { cost: cost(2, 'USD'), usage: estimated, served: null }),
    ];
    const facts = { events, receipts, isAbandoned: false, now: NOW };
    expect(summariseRun('run', facts)).toMatchObject({
      outcome: 'ok',
      durationMs: 399.5,
      served: null,
      fallbackReason: 'breaker_open',
      usage: { inputTokens: 11, outputTokens: 7, reasoningTokens: 3, source: 'estimated' },
      cost: { amount: 3, currency: 'USD' },
      receiptIds: ['one', 'two'],
    });
    const mixed = [receipts[0] ?? receipt(''), receipt('two', { cost: cost(2, 'EUR') })];
    expect(summariseRun('run', { ...facts, receipts: mixed }).cost).toBeUndefined();
  });

  it('of one call alone is that call', () => {
    const facts = { events: [], receipts: [receipt('run')], isAbandoned: false, now: NOW };
    const run = summariseRun('run', facts);
    expect(run).toMatchObject({ outcome: 'ok', endedAt: '2026-11-30T12:00:00.100Z', role: 'narrator' });
    expect(
      matchesRun(run, { tier: 'live', outcome: 'ok', role: 'narrator', principal: 'ann', q: 'MAIN' }),
    ).toBe(true);
    expect(matchesRun(run, { principal: 'bob' })).toBe(false);
  });
});
