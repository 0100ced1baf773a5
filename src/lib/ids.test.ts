import { describe, expect, it } from 'vitest';
import { createId, isId, randomHex, timeOfId } from './ids.ts';

describe('createId', () => {
  it('gives ids that ascend, also within a millisecond, past the counter and when the clock steps back', () => {
    const now = Date.now() + 1000;
    const ids = Array.from({ length: 10_000 }, (_, at) => createId(at % 3 === 0 ? now - 5000 : now));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
    expect(ids.every(isId)).toBe(true);
  });

  it('holds the time it was made at', () => {
    const future = Date.now() + 3_600_000;
    expect(timeOfId(createId(future))).toBe(future);
  });
});

describe('randomHex', () => {
  it('gives as many digits as asked for, never twice the same, over many fillings of the pool', () => {
    const texts = Array.from({ length: 2000 }, () => randomHex(16));
    expect(texts.every((text) => /^[0-9a-f]{32}$/.test(text))).toBe(true);
    expect(new Set(texts).size).toBe(texts.length);
    expect(randomHex(8)).toMatch(/^[0-9a-f]{16}$/);
  });

  it('shares no bytes with ids', () => {
    const [before, id, after] = [randomHex(8), createId(), randomHex(8)];
    const tail = id.slice(20).replaceAll('-', '');
    expect(before).not.toContain(tail);
    expect(after).not.toContain(tail);
  });
});
