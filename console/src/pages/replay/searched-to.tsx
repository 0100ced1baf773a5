import type { Feed, FeedState } from '../../api/feed.ts';
import type { TraceEvent } from '../../api/types.ts';
import { Button } from '../../kit/button.tsx';
import { formatCount, formatExact } from '../../kit/format.ts';
import { explain } from '../../kit/states.tsx';
import { Glyph } from '../../kit/tier.tsx';

/** The foot of the list: how far back it goes, and what stops it from going further. */
export function SearchedTo({ state, feed }: { state: FeedState<TraceEvent>; feed: Feed<TraceEvent> }) {
  const { rows, hasMore, fetching, error, searchedTo } = state;
  return (
    <footer className="flex h-8 shrink-0 items-center justify-between gap-3 border-line border-t bg-chrome px-4 text-muted text-xs">
      {error === null ? (
        <span className="truncate">
          {formatCount(rows.length)} {rows.length === 1 ? 'event' : 'events'}
          {hasMore ? ' read' : ', all that there are'}
          {searchedTo === null ? null : (
            <>
              {', back to '}
              <span className="font-mono">{formatExact(timeOf(searchedTo)).slice(0, 19)}</span>
            </>
          )}
          {fetching ? <span className="pulse"> · reading on</span> : null}
        </span>
      ) : (
        <>
          <span role="alert" className="flex min-w-0 items-center gap-1.5 text-failed">
            <Glyph sign="failed" />
            <span className="truncate">Older events could not be read. {explain(error).message}</span>
          </span>
          <Button look="quiet" onClick={() => void feed.fetchMore()}>
            Try again
          </Button>
        </>
      )}
    </footer>
  );
}

/** The moment that a UUIDv7 was made, in milliseconds. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
