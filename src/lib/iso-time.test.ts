import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from './iso-time.ts';

describe('isoTime', () => {
  it('writes every moment as Date does, whatever was asked for before', () => {
    const moment = fc.double({ min: -8.64e15, max: 8.64e15, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.oneof(moment, fc.constantFrom(0, 0.9, 1, 1_767_225_600_000.5))), (moments) => {
        for (const ms of moments) expect(isoTime(ms)).toBe(new Date(ms).toISOString());
      }),
    );
  });

  it('refuses what is no time, and knows the last one still', () => {
    expect(isoTime(5)).toBe('1970-01-01T00:00:00.005Z');
    expect(() => isoTime(Number.NaN)).toThrow(RangeError);
    expect(isoTime(5)).toBe('1970-01-01T00:00:00.005Z');
  });
});
