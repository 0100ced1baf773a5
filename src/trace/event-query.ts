import { TiercelError } from '../errors.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { isId } from '../lib/ids.ts';
import type { EventFilter, EventStore, StoredEvent } from '../storage/event.ts';
import type { ChainedEvent } from './event.ts';

/** A search is given back, with what it has, after so long; the cursor goes on where it stopped. */
const SEARCH_MS = 80;
const DEFAULT_LIMIT = 100;
const MOST = 1000;
/** The largest run or trace that is shown whole. */
const MOST_OF_RUN = 20_000;

export type EventQuery = {
  /** One type, or several. */
  type?: string | readonly string[];
  actor?: string;
  tier?: string;
  runId?: string;
  traceId?: string;
  /** ISO 8601: not before `after`, and before `before`. */
  after?: string;
  before?: string;
  /** Text in type, actor, message or payload, ASCII letters of either case. */
  q?: string;
  /** At most this many, 100 unless given, 1000 at most. */
  limit?: number;
  /** From the page before. */
  cursor?: string;
};

/**
 * Newest first. The page may be short, and even empty, before the end: a search through many events comes back after a tenth of
 * a second with what it has found. `cursor` is null at the end.
 */
export type EventListing = { events: ChainedEvent[]; cursor: string | null };

export type RunEntry = {
  runId: string;
  traceId: string;
  startedAt: string;
  actor: string;
  /** The run's first event. */
  type: string;
  message: string;
};

/** Events that led to one and came of it, by the causes they name; in one trace. */
export type CausalChain = {
  /** From the root to the event asked for. */
  path: ChainedEvent[];
  /** What it caused, and what that caused, oldest first. */
  effects: ChainedEvent[];
};

/** By keyset on the id, so that events which come meanwhile neither repeat nor hide any. @throws TiercelError `invalid_request` */
export async function queryEvents(store: EventStore, query: EventQuery): Promise<EventListing> {
  const limit = Math.min(Math.max(query.limit ?? DEFAULT_LIMIT, 1), MOST);
  const filter = toFilter(query);
  const isWanted = toPredicate(query);
  const events: ChainedEvent[] = [];
  const deadline = performance.now() + SEARCH_MS;
  let cursor: string | null = filter.beforeId ?? null;
  do {
    const page = await store.search(
      { ...filter, ...(cursor === null ? {} : { beforeId: cursor }) },
      limit - events.length,
    );
    events.push(...page.rows.map(fromStored).filter(isWanted));
    cursor = page.scannedTo;
  } while (cursor !== null && events.length < limit && performance.now() < deadline);
  return { events, cursor };
}

/** The runs, newest first. */
export async function listRuns(
  store: EventStore,
  { limit = DEFAULT_LIMIT, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ runs: RunEntry[]; cursor: string | null }> {
  if (cursor !== undefined) checkId('cursor', cursor);
  const rows = await store.firstOfRuns(Math.min(limit, MOST), cursor);
  const runs = rows.map(fromStored).map(({ runId, traceId, ts, actor, type, message }) => ({
    runId,
    traceId,
    startedAt: ts,
    actor,
    type,
    message,
  }));
  return { runs, cursor: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
}

/** A run's events, oldest first. */
export async function eventsOfRun(store: EventStore, runId: string): Promise<ChainedEvent[]> {
  return isId(runId) ? (await store.ofRun(runId, MOST_OF_RUN)).map(fromStored) : [];
}

/** Null when there is no such event. */
export async function causalChain(store: EventStore, id: string): Promise<CausalChain | null> {
  const asked = await store.get(id);
  if (asked === null) return null;
  const events = (await store.ofTrace(asked.traceId, MOST_OF_RUN)).map(fromStored);
  const byId = new Map(events.map((event) => [event.id, event]));
  const path = [byId.get(asked.id) ?? fromStored(asked)];
  for (let cause = path[0]?.causeId; cause !== undefined; cause = path[0]?.causeId) {
    // A cause may stand in another trace, or be gone.
    const found = byId.get(cause) ?? (await findEvent(store, cause));
    if (found === null || path.includes(found)) break;
    path.unshift(found);
  }
  const caused = new Set([asked.id]);
  const effects: ChainedEvent[] = [];
  // A cause is older than its effects, so one pass in the order of ids meets it first.
  for (const event of events) {
    if (event.causeId === undefined || !caused.has(event.causeId)) continue;
    caused.add(event.id);
    effects.push(event);
  }
  return { path, effects };
}

async function findEvent(store: EventStore, id: string): Promise<ChainedEvent | null> {
  const row = await store.get(id);
  return row && fromStored(row);
}

export function fromStored({ body }: StoredEvent): ChainedEvent {
  return JSON.parse(body);
}

/** Whether an event is one of those asked for, but for times and cursor. */
export function toPredicate(query: EventQuery): (event: ChainedEvent) => boolean {
  const { type, actor, tier, runId, traceId, q } = query;
  const types = type === undefined ? null : new Set([type].flat());
  const text = q === undefined ? undefined : toSearched(q);
  return (event) =>
    (types === null || types.has(event.type)) &&
    (actor === undefined || event.actor === actor) &&
    (tier === undefined || event.tier === tier) &&
    (runId === undefined || event.runId === runId) &&
    (traceId === undefined || event.traceId === traceId) &&
    (text === undefined || textOf(event).includes(text));
}

/** All of it as it stands in JSON, so that a quote is the same everywhere. */
function textOf({ type, actor, message, payload }: ChainedEvent): string {
  return `${JSON.stringify([type, actor, message])}${canonicalJson(payload)}`.toLowerCase();
}

function toSearched(q: string): string {
  return JSON.stringify(q).slice(1, -1).toLowerCase();
}

function toFilter({ type, q, after, before, cursor, limit: _, ...query }: EventQuery): EventFilter {
  if (cursor !== undefined) checkId('cursor', cursor);
  if (query.runId !== undefined) checkId('runId', query.runId);
  if (query.traceId !== undefined && !/^[0-9a-f]{32}$/.test(query.traceId)) {
    throw new TiercelError('invalid_request', 'A trace id is 32 lower-case hex digits.', {
      param: 'traceId',
    });
  }
  const end = before === undefined ? undefined : lowestId('before', before);
  const beforeId = cursor !== undefined && (end === undefined || cursor < end) ? cursor : end;
  return {
    ...query,
    ...(type === undefined ? {} : { types: [type].flat() }),
    ...(q ? { q: toSearched(q) } : {}),
    ...(after === undefined ? {} : { afterId: lowestId('after', after) }),
    ...(beforeId === undefined ? {} : { beforeId }),
  };
}

function checkId(param: string, id: string): void {
  if (!isId(id)) throw new TiercelError('invalid_request', `${param} is not an id.`, { param });
}

/** Below every UUIDv7 of that millisecond and later. */
function lowestId(param: string, time: string): string {
  const ms = Date.parse(time);
  if (!(ms >= 0)) throw new TiercelError('invalid_request', `${param} is not an ISO 8601 time.`, { param });
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
