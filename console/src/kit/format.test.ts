import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatBytes,
  formatCount,
  formatDuration,
  formatId,
  formatMoney,
  formatShare,
  formatShortCount,
} from './format.ts';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [0.412, '412 µs'],
    [0.9999, '1.00 ms'],
    [12, '12 ms'],
    [26.918, '26.9 ms'],
    [999.4, '999 ms'],
    [999.6, '1.00 s'],
    [1841, '1.84 s'],
    [9996, '10.0 s'],
    [99_949, '99.9 s'],
    [125_000, '2 min 05 s'],
    [3_599_600, '1 h 00 min'],
  ])('gives %d ms three significant digits and a unit', (ms, text) => {
    expect(plain(formatDuration(ms))).toBe(text);
  });
});

describe('formatMoney', () => {
  it.each([
    [0, '$0.00'],
    [0.0031, '$0.0031'],
    [0.00304, '$0.003'],
    [0.00000042, '$0.00000042'],
    [0.01, '$0.01'],
    [12.345, '$12.35'],
  ])('never shows %d as less than it is worth', (amount, text) => {
    expect(formatMoney(amount, 'USD')).toBe(text);
  });

  it('names a currency that has no sign here', () => {
    expect(plain(formatMoney(3, 'CHF'))).toBe('3.00 CHF');
  });
});

describe('counts and sizes', () => {
  it('groups digits by thin spaces', () => {
    expect(formatCount(48_211)).toBe('48\u202f211');
    expect(formatCount(999)).toBe('999');
    expect(formatCount(1_234_567)).toBe('1\u202f234\u202f567');
  });

  it('shortens for an axis', () => {
    expect([0, 999, 1234, 48_211, 3_100_000].map(formatShortCount).map(plain)).toEqual([
      '0',
      '999',
      '1.2 k',
      '48 k',
      '3.1 M',
    ]);
  });

  it('says bytes', () => {
    expect([12, 4096, 2_500_000].map(formatBytes).map(plain)).toEqual(['12 B', '4.1 kB', '2.5 MB']);
  });

  it('shows a small share as more than nothing', () => {
    expect([formatShare(0, 0), formatShare(1, 250), formatShare(1, 8)].map(plain)).toEqual([
      '0 %',
      '0.4 %',
      '13 %',
    ]);
  });
});

describe('formatAgo', () => {
  const now = Date.UTC(2026, 10, 30, 12);
  it.each([
    [2_000, 'now'],
    [12_000, '12 s ago'],
    [190_000, '3 min ago'],
    [5 * 3_600_000, '5 h ago'],
  ])('tells %d ms', (before, text) => {
    expect(plain(formatAgo(now - before, now))).toBe(text);
  });

  it('gives the date after a day', () => {
    expect(formatAgo(now - 3 * 86_400_000, now)).toMatch(/^2026-11-2[67] \d\d:\d\d$/);
  });
});

describe('formatId', () => {
  it('shortens in the middle, and leaves short ids whole', () => {
    expect(formatId('01a22e5a-33fb-7000-9c23-5dbf4b60d237')).toBe('01a2…d237');
    expect(formatId('ollama')).toBe('ollama');
  });
});
