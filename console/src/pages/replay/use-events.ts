import { useMemo } from 'react';
import { type EventFilter, getEvents, isWanted } from '../../api/events.ts';
import type { Feed, FeedState } from '../../api/feed.ts';
import { hearEvents } from '../../api/live.ts';
import type { TraceEvent } from '../../api/types.ts';
import { useFeed } from '../../api/use-feed.ts';

const PAGE = 500;
/** Events that come closer together than this are shown together. */
const PAUSE_MS = 200;

/** The ledger's events under a filter, live. */
export function useEvents(filter: EventFilter): { feed: Feed<TraceEvent>; state: FeedState<TraceEvent> } {
  const source = useMemo(
    () => ({
      fetchPage: (cursor: string | null, signal: AbortSignal) =>
        getEvents(filter, { cursor, signal, limit: PAGE }),
      isWanted: (event: TraceEvent) => isWanted(filter, event),
    }),
    [filter],
  );
  return useFeed(JSON.stringify(filter), source, hearInBatches);
}

function hearInBatches(feed: Feed<TraceEvent>): () => void {
  let batch: TraceEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = hearEvents((event) => {
    batch.push(event);
    timer ??= setTimeout(() => {
      timer = undefined;
      feed.hear(batch.splice(0));
    }, PAUSE_MS);
  });
  return () => {
    end();
    clearTimeout(timer);
    batch = [];
  };
}
