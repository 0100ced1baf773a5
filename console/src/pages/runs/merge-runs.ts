import type { RunSummary } from '../../api/types.ts';

export type Merged = {
  /** What is shown, newest first. */
  rows: RunSummary[];
  /** What has come since and waits to be shown. */
  waiting: RunSummary[];
};

/**
 * Puts what the newest page says into a list that is being read. Runs already shown are brought up to date in their
 * place; new ones are shown at once when the list stands at its start (`follow`), else they wait, so that nothing that is
 * being read moves.
 */
export function mergeRuns(
  shown: readonly RunSummary[],
  newest: readonly RunSummary[],
  follow: boolean,
): Merged {
  const byId = new Map(newest.map((run) => [run.id, run]));
  const known = new Set(shown.map(({ id }) => id));
  const fresh = newest.filter(({ id }) => !known.has(id));
  const updated = shown.map((run) => byId.get(run.id) ?? run);
  return follow ? { rows: [...fresh, ...updated], waiting: [] } : { rows: updated, waiting: fresh };
}
