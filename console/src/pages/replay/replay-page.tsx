import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { EventFilter } from '../../api/events.ts';
import { type Feed, type FeedState, indexFrom } from '../../api/feed.ts';
import type { TraceEvent } from '../../api/types.ts';
import { useShortcuts } from '../../kit/keys.ts';
import { NewRowsButton } from '../../kit/new-rows.tsx';
import { PageHeader } from '../../kit/panel.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { type SetUrlState, type UrlState, useUrlState } from '../../kit/url-state.ts';
import { EVENT_COLUMNS } from './event-columns.tsx';
import { EventDetails } from './event-details.tsx';
import { EventFilters, FILTER_NAMES, type FilterName } from './event-filters.tsx';
import { SearchedTo } from './searched-to.tsx';
import { useEvents } from './use-events.ts';

type StateName = FilterName | 'selected' | 'open' | 'chain' | 'at';
const STATE_NAMES: readonly StateName[] = [...FILTER_NAMES, 'selected', 'open', 'chain', 'at'];
/** Rows that are kept ready below those in sight. */
const AHEAD = 1_000;

/** The flight recorder: every event of the ledger, newest first, as they come. */
export function ReplayPage() {
  const [state, set] = useUrlState(STATE_NAMES);
  const { type, actor, tier, runId, q } = state;
  const filter = useMemo<EventFilter>(() => ({ type, actor, tier, runId, q }), [type, actor, tier, runId, q]);
  const events = useEvents(filter);
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const follow = useFollow(events.feed, state);
  const show = () => {
    list.current?.querySelector('[role=grid]')?.scrollTo({ top: 0 });
    set({ selected: undefined, open: undefined, chain: undefined, at: undefined });
    events.feed.show();
  };
  useReplayKeys({ state, set, show, search, list });
  return (
    <>
      <PageHeader title="Replay">
        <EventFilters state={state} set={set} rows={events.state.rows} searchRef={search} />
      </PageHeader>
      <div ref={list} className="relative flex min-h-0 flex-1 flex-col">
        <NewRowsButton
          count={follow.isAtTop && !follow.isReading ? 0 : events.state.waiting}
          more={events.state.overflow}
          onShow={show}
        />
        <EventList key={JSON.stringify(filter)} {...events} url={state} set={set} onTop={follow.setAtTop} />
      </div>
    </>
  );
}

/** New rows are let in while the list stands at its start and nothing in it is being read. */
function useFollow(feed: Feed<TraceEvent>, { at, selected, open }: UrlState<StateName>) {
  const [isAtTop, setAtTop] = useState(at === undefined);
  const isReading = (selected ?? open) !== undefined;
  useEffect(() => feed.follow(isAtTop && !isReading), [feed, isAtTop, isReading]);
  return { isAtTop, isReading, setAtTop };
}

type KeysProps = {
  state: UrlState<StateName>;
  set: SetUrlState<StateName>;
  show: () => void;
  search: React.RefObject<HTMLInputElement | null>;
  list: React.RefObject<HTMLDivElement | null>;
};

function useReplayKeys({ state, set, show, search, list }: KeysProps): void {
  // The list has these keys when it has the focus; from elsewhere on the page they go there first.
  const pass = (key: string) => () => {
    const grid = list.current?.querySelector<HTMLElement>('[role=grid]');
    grid?.focus();
    grid?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  };
  useShortcuts('Replay', [
    { keys: 'j', does: 'Next event', run: pass('j') },
    { keys: 'k', does: 'Event before', run: pass('k') },
    { keys: 'Enter', does: 'Open or close the event', run: pass('Enter') },
    {
      keys: 'c',
      does: 'Show or hide its chain',
      run: () => {
        const open = state.open ?? state.selected;
        if (open) set({ open, chain: state.chain && state.open ? undefined : 'shown' });
      },
    },
    {
      keys: 'Escape',
      does: 'Close the event, then let go of it',
      run: () => set(state.open ? { open: undefined, chain: undefined } : { selected: undefined }),
    },
    { keys: '/', does: 'Search text', run: () => search.current?.focus() },
    { keys: 'n', does: 'Show what is new', run: show },
  ]);
}

type ListProps = {
  feed: Feed<TraceEvent>;
  state: FeedState<TraceEvent>;
  url: UrlState<StateName>;
  set: SetUrlState<StateName>;
  onTop: (isAtTop: boolean) => void;
};

function EventList({ feed, state, url, set, onTop }: ListProps) {
  const { rows, error, hasMore, fetching } = state;
  const [startId] = useState(url.at);
  const reached = startId === undefined || (rows.at(-1)?.id ?? '~') <= startId || !hasMore;
  useEffect(() => {
    if (!reached && !fetching && error === null) void feed.fetchMore();
  }, [reached, fetching, error, feed]);
  const onScroll = useListPlace({ feed, set, onTop });
  if (error !== null && rows.length === 0) {
    return (
      <ErrorState title="The events could not be read" error={error} retry={() => void feed.fetchMore()} />
    );
  }
  if (rows.length === 0 && !hasMore) return <NoEvents filtered={FILTER_NAMES.some((name) => url[name])} />;
  if (rows.length === 0 || !reached) {
    return (
      <>
        <SkeletonRows rows={20} />
        <SearchedTo state={state} feed={feed} />
      </>
    );
  }
  return (
    <>
      <Table
        label="Events"
        rows={rows}
        columns={EVENT_COLUMNS}
        rowKey={rowKey}
        selected={url.selected}
        onSelect={(id) => set({ selected: id })}
        onOpen={({ id }) => set({ selected: id, open: url.open === id ? undefined : id, chain: undefined })}
        expansion={(event) =>
          event.id === url.open ? (
            <EventDetails
              event={event}
              chain={url.chain !== undefined}
              onChain={(shown) => set({ chain: shown ? 'shown' : undefined })}
              onFilter={(filter) => set({ ...filter, at: undefined }, { push: true })}
            />
          ) : null
        }
        onNearEnd={() => void feed.fetchMore()}
        onScroll={onScroll}
        startAt={startId === undefined ? 0 : indexFrom(rows, startId)}
      />
      <SearchedTo state={state} feed={feed} />
    </>
  );
}

function rowKey({ id }: TraceEvent): string {
  return id;
}

/** Keeps rows ready below those in sight, and the place of the list in the URL, by the event that stands first. */
function useListPlace({ feed, set, onTop }: Pick<ListProps, 'feed' | 'set' | 'onTop'>) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (first: number) => {
      onTop(first === 0);
      if (feed.state.rows.length - first < AHEAD) void feed.fetchMore();
      clearTimeout(timer.current);
      timer.current = setTimeout(
        () => set({ at: first === 0 ? undefined : feed.state.rows[first]?.id }),
        250,
      );
    },
    [feed, set, onTop],
  );
}

function NoEvents({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <EmptyState title="No event matches">
      <p>
        Everything that is stored was looked through. Clear the filter to see all events; one that matches
        stands here as soon as it happens.
      </p>
    </EmptyState>
  ) : (
    <EmptyState title="Nothing has happened yet">
      <p>
        Every plan, attempt, fallback, setting and checkpoint stands here within a second, signed and in
        order. The Overview has a button for a first request.
      </p>
    </EmptyState>
  );
}
