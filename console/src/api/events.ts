import { ask, toSearch } from './client.ts';
import type { CausalChain } from './schema.ts';
import type { Page, TraceEvent } from './types.ts';

export type EventFilter = {
  type?: string | undefined;
  actor?: string | undefined;
  tier?: string | undefined;
  runId?: string | undefined;
  q?: string | undefined;
};

export function getEvents(
  filter: EventFilter,
  { cursor, limit, signal }: { cursor: string | null; limit: number; signal: AbortSignal },
): Promise<Page<TraceEvent>> {
  return ask('/api/events', { query: { ...filter, limit, cursor: cursor ?? undefined }, signal });
}

export function getChain(id: string, signal: AbortSignal): Promise<CausalChain> {
  return ask(`/api/events/${encodeURIComponent(id)}/chain`, { signal });
}

/** Where the ledger can be downloaded as JSON lines. */
export function exportHref(range: { writer?: string } = {}): string {
  const search = toSearch(range);
  return search === '' ? '/api/events/export' : `/api/events/export?${search}`;
}

/** The same choice that the server makes, for events heard live. */
export function isWanted({ type, actor, tier, runId, q }: EventFilter, event: TraceEvent): boolean {
  return (
    (type === undefined || type.split(',').includes(event.type)) &&
    (actor === undefined || event.actor === actor) &&
    (tier === undefined || event.tier === tier) &&
    (runId === undefined || event.runId === runId) &&
    (q === undefined || textOf(event).includes(JSON.stringify(q).slice(1, -1).toLowerCase()))
  );
}

function textOf({ type, actor, message, payload }: TraceEvent): string {
  return JSON.stringify([type, actor, message, payload]).toLowerCase();
}
