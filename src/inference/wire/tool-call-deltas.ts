import { createId } from '../../lib/ids.ts';
import type { ToolCallDelta } from '../chat.ts';

type Known = { index: number; id: string };

/** Gives every tool-call delta of one choice the index, the id and the text arguments that the protocol promises. */
export interface ToolCallDeltas {
  readonly count: number;
  /** Null for what is no delta of a function call. */
  normalise(raw: unknown): ToolCallDelta | null;
}

/**
 * Servers differ: some leave out `index` or `id`, some give every call index 0, some send the arguments as an object. A
 * delta belongs to a new call when it brings an id not seen before, or, without an id, when it brings a name where a call already
 * has one. Otherwise it continues the call of its index, or the latest one. Our own indexes are then dense and in order of arrival.
 */
export function createToolCallDeltas(): ToolCallDeltas {
  const byId = new Map<string, Known>();
  const byIndex = new Map<number, Known>();
  let latest: Known | null = null;
  let count = 0;

  function find(id: string, index: number | null, named: boolean): Known | null {
    if (id !== '') {
      const known = byId.get(id);
      if (known) return known;
      return null;
    }
    const known = index === null ? latest : (byIndex.get(index) ?? null);
    return known && !named ? known : null;
  }

  return {
    get count() {
      return count;
    },
    normalise(raw) {
      if (typeof raw !== 'object' || raw === null) return null;
      const { id: rawId, index: rawIndex, function: rawFunction } = raw as Record<string, unknown>;
      if (typeof rawFunction !== 'object' || rawFunction === null) return null;
      const { name, arguments: args } = rawFunction as Record<string, unknown>;
      const id = typeof rawId === 'string' ? rawId : '';
      const index = typeof rawIndex === 'number' ? rawIndex : null;
      const isNamed = typeof name === 'string' && name !== '';
      let known = find(id, index, isNamed);
      if (!known) {
        known = { index: count++, id: id || `call_${createId().replaceAll('-', '')}` };
        byId.set(known.id, known);
      }
      if (index !== null) byIndex.set(index, known);
      latest = known;
      return {
        index: known.index,
        id: known.id,
        type: 'function',
        function: { ...(isNamed ? { name } : {}), arguments: argumentsText(args) },
      };
    },
  };
}

/** Arguments are JSON text on the wire; an object is a server's mistake, and nothing means none. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
