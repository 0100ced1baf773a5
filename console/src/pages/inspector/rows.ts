import type { Span } from '../../api/types.ts';

/** One line of the waterfall: a span, or the tries on one deployment after each other. */
export type Row = {
  key: string;
  depth: number;
  /** In the order of time; more than one where a target was tried again. */
  spans: readonly [Span, ...Span[]];
};

/** The spans as lines: children under their parent, in the order in which they began, which later spans never change. */
export function toRows(spans: readonly Span[]): Row[] {
  const children = new Map<string | null, Span[]>();
  const known = new Set(spans.map(({ id }) => id));
  for (const span of spans) {
    const parent = span.parentId !== null && known.has(span.parentId) ? span.parentId : null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(span);
    else children.set(parent, [span]);
  }
  for (const siblings of children.values()) siblings.sort((a, b) => a.startMs - b.startMs);
  const rows: Row[] = [];
  const visit = (parent: string | null, depth: number) => {
    for (const group of grouped(children.get(parent) ?? [])) {
      // The run itself is the whole width; a line for it would say nothing.
      const whole = parent === null && group[0].kind === 'run';
      if (!whole) rows.push({ key: group[0].id, depth, spans: group });
      for (const span of group) visit(span.id, whole ? depth : depth + 1);
    }
  };
  visit(null, 0);
  return rows;
}

/** Attempts on the same deployment that follow each other share a line. */
function grouped(siblings: readonly Span[]): [Span, ...Span[]][] {
  const groups: [Span, ...Span[]][] = [];
  for (const span of siblings) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    const again = before?.kind === 'attempt' && span.kind === 'attempt' && before.name === span.name;
    // A served attempt ends its call: the same deployment after it is another call.
    if (last && again && before.outcome !== 'served') last.push(span);
    else groups.push([span]);
  }
  return groups;
}

/** A span's end as drawn: the picture's own when it goes on, and never before its start, whatever the clocks said. */
export function endOf({ startMs, endMs }: Span, extent: number): number {
  return Math.max(startMs, endMs ?? extent);
}

/** The time from the run's start that all spans need, in milliseconds; never 0. */
export function extentOf(spans: readonly Span[]): number {
  let extent = 0;
  for (const { startMs, endMs, marks = [] } of spans) {
    extent = Math.max(extent, startMs, endMs ?? 0, ...marks.map(({ at }) => at));
  }
  return extent || 1;
}

const BAD: readonly string[] = ['failed', 'error', 'denied', 'rejected', 'expired', 'truncated', 'cancelled'];

export function isBad(outcome: string): boolean {
  return BAD.includes(outcome);
}
