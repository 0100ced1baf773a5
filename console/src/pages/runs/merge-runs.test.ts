import { describe, expect, it } from 'vitest';
import type { RunSummary } from '../../api/types.ts';
import { mergeRuns } from './merge-runs.ts';

function run(id: string, outcome: RunSummary['outcome'] = 'ok'): RunSummary {
  return { id, outcome } as RunSummary;
}

describe('mergeRuns', () => {
  it('shows new runs at once when the list follows', () => {
    const { rows, waiting } = mergeRuns([run('b'), run('a')], [run('c'), run('b')], true);
    expect(rows.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(waiting).toEqual([]);
  });

  it('keeps new runs waiting while the list is read, and moves no row', () => {
    const { rows, waiting } = mergeRuns([run('b'), run('a')], [run('d'), run('c'), run('b')], false);
    expect(rows.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(waiting.map(({ id }) => id)).toEqual(['d', 'c']);
  });

  it('brings a run up to date in its place', () => {
    const { rows } = mergeRuns([run('b', 'running'), run('a')], [run('b', 'truncated')], false);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['truncated', 'ok']);
  });
});
