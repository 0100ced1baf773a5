import { expect, it } from 'vitest';
import { createId, isId, randomHex, timeOfId } from './ids.ts';

it('makes ids that ascend, hold the time, and differ, over many milliseconds and counters', () => {
  const start = Date.now() + 1000;
  const ids = Array.from({ length: 20_000 }, (_, n) => createId(start + Math.floor(n / 6000)));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(timeOfId(ids[0] ?? '')).toBe(start);
  expect(isId(ids[0] ?? '')).toBe(true);
});

it('does not go back when the clock does', () => {
  const id = createId();
  expect(createId(0) > id).toBe(true);
});

it('gives as many random digits as asked for, over many fillings of the pool, and none that an id has', () => {
  const texts = Array.from({ length: 2000 }, () => randomHex(16));
  expect(texts.every((text) => /^[0-9a-f]{32}$/.test(text))).toBe(true);
  expect(new Set(texts).size).toBe(texts.length);
  const [before, id, after] = [randomHex(8), createId(), randomHex(8)];
  const tail = id.slice(20).replaceAll('-', '');
  expect(before).toMatch(/^[0-9a-f]{16}$/);
  expect(before).not.toContain(tail);
  expect(after).not.toContain(tail);
});
