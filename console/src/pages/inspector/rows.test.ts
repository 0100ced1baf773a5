import { describe, expect, it } from 'vitest';
import type { Span } from '../../api/types.ts';
import { formatTick, ticksOf, zoom } from './axis.ts';
import { noteOf } from './notes.ts';
import { extentOf, toRows } from './rows.ts';

const RUN: Span = {
  id: 'run',
  parentId: null,
  kind: 'run',
  name: 'run',
  startMs: 0,
  endMs: 100,
  outcome: 'ok',
  detail: null,
};

function span(id: string, startMs: number, rest: Partial<Span> = {}): Span {
  return {
    ...RUN,
    id,
    parentId: 'run',
    kind: 'attempt',
    name: 'ollama',
    startMs,
    endMs: startMs + 10,
    ...rest,
  };
}

describe('toRows', () => {
  it('leaves the run itself out and orders the rest by time', () => {
    const rows = toRows([RUN, span('b', 20, { name: 'foundry' }), span('a', 5)]);
    expect(rows.map(({ key, depth }) => [key, depth])).toEqual([
      ['a', 0],
      ['b', 0],
    ]);
  });

  it('puts tries on one deployment on one line until one is served', () => {
    const rows = toRows([
      RUN,
      span('a', 0, { outcome: 'failed' }),
      span('b', 20, { outcome: 'served' }),
      span('c', 40, { outcome: 'served' }),
    ]);
    expect(rows.map(({ spans }) => spans.map(({ id }) => id))).toEqual([['a', 'b'], ['c']]);
  });

  it('stands children under their parent, deeper', () => {
    const rows = toRows([
      RUN,
      span('a', 0),
      span('c', 50, { name: 'x' }),
      span('b', 60, { parentId: 'a', kind: 'tool' }),
    ]);
    expect(rows.map(({ key, depth }) => [key, depth])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 0],
    ]);
  });

  it('shows a span whose parent has not come yet', () => {
    expect(toRows([span('a', 0, { parentId: 'later' })])).toHaveLength(1);
  });

  it('never moves a line when later spans come', () => {
    const early = [RUN, span('a', 0), span('b', 30, { name: 'x' })];
    const before = toRows(early).map(({ key }) => key);
    const after = toRows([...early, span('c', 60, { name: 'y' })]).map(({ key }) => key);
    expect(after.slice(0, before.length)).toEqual(before);
  });
});

describe('extentOf', () => {
  it('counts marks of a span that goes on', () => {
    expect(extentOf([span('a', 5, { endMs: null, marks: [{ at: 80, name: 'header' }] })])).toBe(80);
    expect(extentOf([])).toBe(1);
  });
});

describe('noteOf', () => {
  it('tells retries as one story', () => {
    const [row] = toRows([
      span('a', 0, { outcome: 'failed', detail: { httpStatus: 503, errorCode: 'upstream_unavailable' } }),
      span('b', 20, { outcome: 'failed', detail: { errorCode: 'upstream_timeout' } }),
    ]);
    expect(row && noteOf(row)).toBe('503 unavailable → retry → timed out');
  });
});

describe('axis', () => {
  it('marks round times', () => {
    expect(ticksOf({ from: 0, to: 1840 }, 5)).toEqual([0, 500, 1000, 1500]);
    expect(formatTick(1500, { from: 0, to: 1840 })).toBe('1.5\u202fs');
    expect(formatTick(0.25, { from: 0, to: 1 })).toBe('0.25\u202fms');
  });

  it('stays within the run', () => {
    expect(zoom({ from: 0, to: 100 }, 0.5, 100)).toEqual({ from: 25, to: 75 });
    expect(zoom({ from: 80, to: 100 }, 2, 100)).toEqual({ from: 60, to: 100 });
    expect(zoom({ from: 0, to: 100 }, 2, 100)).toEqual({ from: 0, to: 100 });
  });
});
