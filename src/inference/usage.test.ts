import { describe, expect, it } from 'vitest';
import type { Candidate } from './model.ts';
import type { Usage } from './receipt.ts';
import { costOf, estimateInput, sumUsage, toUsage } from './usage.ts';

function candidate(price?: { inputPerM: number; outputPerM: number; currency: string }): Candidate {
  const target = {
    id: 'd',
    tier: 'live' as const,
    baseUrl: 'http://x/v1',
    auth: { type: 'none' as const },
    model: 'm',
    capabilities: {},
    ...(price ? { price } : {}),
  };
  return { tier: 'live', deployment: 'd', model: 'm', target };
}

const reported: Usage = { inputTokens: 1000, outputTokens: 500, source: 'reported' };

describe('costOf', () => {
  it('is what the price table says, per million tokens', () => {
    const priced = candidate({ inputPerM: 0.25, outputPerM: 2, currency: 'USD' });
    expect(costOf([{ candidate: priced, usage: reported }])).toEqual({
      amount: 0.00125,
      currency: 'USD',
      priceSource: 'config',
    });
  });

  it('is not told when a part has no price or the currencies differ', () => {
    const dollars = {
      candidate: candidate({ inputPerM: 1, outputPerM: 1, currency: 'USD' }),
      usage: reported,
    };
    const euros = { candidate: candidate({ inputPerM: 1, outputPerM: 1, currency: 'EUR' }), usage: reported };
    expect(costOf([dollars, { candidate: candidate(), usage: reported }])).toBeNull();
    expect(costOf([dollars, euros])).toBeNull();
    expect(costOf([])).toBeNull();
  });
});

describe('sumUsage', () => {
  it('adds what failed attempts spent, and calls the sum an estimate when a part is one', () => {
    const guessed: Usage = { inputTokens: 10, outputTokens: 5, source: 'estimated' };
    const parts = [reported, guessed].map((usage) => ({ candidate: candidate(), usage }));
    expect(sumUsage(parts)).toEqual({ inputTokens: 1010, outputTokens: 505, source: 'estimated' });
    expect(sumUsage([])).toEqual({ inputTokens: 0, outputTokens: 0, source: 'estimated' });
  });
});

describe('toUsage', () => {
  it('keeps the reasoning tokens and the source', () => {
    const wire = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    expect(toUsage({ ...wire, completion_tokens_details: { reasoning_tokens: 2 } })).toEqual({
      inputTokens: 1,
      outputTokens: 2,
      reasoningTokens: 2,
      source: 'reported',
    });
    expect(toUsage({ ...wire, source: 'simulated' }).source).toBe('simulated');
  });
});

describe('estimateInput', () => {
  it('counts text, media and tools', () => {
    const text = estimateInput({ messages: [{ role: 'user', content: 'x'.repeat(400) }] });
    expect(text).toBe(104);
    const media = [{ type: 'image_url', image_url: { url: 'data:…' } }];
    expect(estimateInput({ messages: [{ role: 'user', content: media }] })).toBe(89);
    const tools = [{ type: 'function', function: { name: 'look' } }];
    expect(estimateInput({ messages: [], tools })).toBeGreaterThan(5);
  });
});
