import { describe, expect, it } from 'vitest';
import { BoundExceeded, runBounded } from './bounded.ts';

describe('runBounded', () => {
  it('gives back what the work gives, and throws what it throws', () => {
    expect(runBounded(() => 42, 100)).toBe(42);
    const error = new Error('mine');
    expect(() =>
      runBounded(() => {
        throw error;
      }, 100),
    ).toThrow(error);
  });

  it('ends a regular expression that backtracks without end, and works again after it', () => {
    const began = performance.now();
    expect(() => runBounded(() => /^(a+)+$/.test(`${'a'.repeat(60)}!`), 100)).toThrow(BoundExceeded);
    expect(performance.now() - began).toBeLessThan(5000);
    expect(runBounded(() => 'fine', 100)).toBe('fine');
  });
});
