import type { CausalChain } from '../../api/schema.ts';
import type { TraceEvent } from '../../api/types.ts';

export type Step = { event: TraceEvent /** From the root, which has 0. */; depth: number };

/**
 * A chain of causes as lines to read from the top: from the root down to the event, then what it caused, each effect below its
 * cause.
 */
export function stepsOf({ path, effects }: CausalChain): readonly Step[] {
  const byCause = new Map<string | undefined, TraceEvent[]>();
  for (const effect of effects) {
    byCause.set(effect.causeId, [...(byCause.get(effect.causeId) ?? []), effect]);
  }
  const steps: Step[] = path.map((event, depth) => ({ event, depth }));
  // A stack instead of recursion: a chain may be thousands deep. The next to be read is at its end.
  const open: Step[] = [];
  const pushEffects = ({ event, depth }: Step) => {
    const caused = byCause.get(event.id) ?? [];
    for (const effect of caused.toReversed()) open.push({ event: effect, depth: depth + 1 });
  };
  const asked = steps.at(-1);
  if (asked) pushEffects(asked);
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    steps.push(step);
    pushEffects(step);
  }
  return steps;
}
