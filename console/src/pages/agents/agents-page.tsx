import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Feed, type FeedState, indexFrom } from '../../api/feed.ts';
import type { Receipt } from '../../api/types.ts';
import { Button } from '../../kit/button.tsx';
import { Select } from '../../kit/fields.tsx';
import { useShortcuts } from '../../kit/keys.ts';
import { NewRowsButton } from '../../kit/new-rows.tsx';
import { PageHeader } from '../../kit/panel.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { type SetUrlState, type UrlState, useUrlState } from '../../kit/url-state.ts';
import { OUTCOMES, TIERS } from '../../kit/words.ts';
import { CALL_COLUMNS } from './call-columns.tsx';
import { CallDetails } from './call-details.tsx';
import { type CallFilter, useCalls } from './use-calls.ts';

type StateName = 'tools' | 'tier' | 'outcome' | 'selected' | 'open' | 'at';
const STATE_NAMES: readonly StateName[] = ['tools', 'tier', 'outcome', 'selected', 'open', 'at'];
const TOOL_CHOICES = [
  { value: 'offered', title: 'Tools offered' },
  { value: 'called', title: 'Tools called' },
];
const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, title]) => ({ value, title }));
const TIER_CHOICES = choicesOf(TIERS);
const OUTCOME_CHOICES = choicesOf(OUTCOMES).filter(({ value }) => value !== 'running');

/** Proof of what ran: every model call with its honest runtime, and the tools in it. */
export function AgentsPage() {
  const [url, set] = useUrlState(STATE_NAMES);
  const { tools, tier, outcome } = url;
  const filter = useMemo<CallFilter>(() => ({ tools, tier, outcome }), [tools, tier, outcome]);
  const { feed, state } = useCalls(filter);
  const list = useRef<HTMLDivElement>(null);
  const [isAtTop, setAtTop] = useState(url.at === undefined);
  const follows = isAtTop && (url.selected ?? url.open) === undefined;
  useEffect(() => feed.follow(follows), [feed, follows]);
  const show = () => {
    list.current?.querySelector('[role=grid]')?.scrollTo({ top: 0 });
    set({ selected: undefined, open: undefined, at: undefined });
    feed.show();
  };
  useShortcuts('Agents and tools', [
    { keys: 'n', does: 'Show what is new', run: show },
    {
      keys: 'Escape',
      does: 'Close the call, then let go of it',
      run: () => set(url.open ? { open: undefined } : { selected: undefined }),
    },
  ]);
  return (
    <>
      <PageHeader title="Agents and tools">
        <Filters url={url} set={set} />
      </PageHeader>
      <div ref={list} className="relative flex min-h-0 flex-1 flex-col">
        <NewRowsButton count={follows ? 0 : state.waiting} more={state.overflow} onShow={show} />
        <CallList
          key={JSON.stringify(filter)}
          feed={feed}
          state={state}
          url={url}
          set={set}
          onTop={setAtTop}
        />
      </div>
    </>
  );
}

function Filters({ url, set }: { url: UrlState<StateName>; set: SetUrlState<StateName> }) {
  const change = (name: StateName) => (value: string | undefined) => set({ [name]: value, at: undefined });
  const filtered = (url.tools ?? url.tier ?? url.outcome) !== undefined;
  return (
    <search aria-label="Filter calls" className="flex min-w-0 flex-wrap items-center gap-2">
      <Select
        label="Tools"
        any="With or without tools"
        choices={TOOL_CHOICES}
        value={url.tools}
        onChange={change('tools')}
      />
      <Select
        label="Runtime"
        any="Any runtime"
        choices={TIER_CHOICES}
        value={url.tier}
        onChange={change('tier')}
      />
      <Select
        label="Outcome"
        any="Any outcome"
        choices={OUTCOME_CHOICES}
        value={url.outcome}
        onChange={change('outcome')}
      />
      <Button
        look="quiet"
        disabled={!filtered}
        onClick={() => set({ tools: undefined, tier: undefined, outcome: undefined, at: undefined })}
      >
        Clear
      </Button>
    </search>
  );
}

type ListProps = {
  feed: Feed<Receipt>;
  state: FeedState<Receipt>;
  url: UrlState<StateName>;
  set: SetUrlState<StateName>;
  onTop: (isAtTop: boolean) => void;
};

function CallList({ feed, state: { rows, error, hasMore, fetching }, url, set, onTop }: ListProps) {
  const [startId] = useState(url.at);
  const reached = startId === undefined || (rows.at(-1)?.id ?? '~') <= startId || !hasMore;
  useEffect(() => {
    if (!reached && !fetching && error === null) void feed.fetchMore();
  }, [reached, fetching, error, feed]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onScroll = useCallback(
    (first: number) => {
      onTop(first === 0);
      clearTimeout(timer.current);
      timer.current = setTimeout(
        () => set({ at: first === 0 ? undefined : feed.state.rows[first]?.id }),
        250,
      );
    },
    [feed, set, onTop],
  );
  if (error !== null && rows.length === 0) {
    return (
      <ErrorState title="The calls could not be read" error={error} retry={() => void feed.fetchMore()} />
    );
  }
  if (rows.length === 0 && !hasMore) return <NoCalls url={url} />;
  if (rows.length === 0 || !reached) return <SkeletonRows rows={20} />;
  return (
    <Table
      label="Calls"
      rows={rows}
      columns={CALL_COLUMNS}
      rowKey={rowKey}
      selected={url.selected}
      onSelect={(id) => set({ selected: id })}
      onOpen={({ id }) => set({ selected: id, open: url.open === id ? undefined : id })}
      expansion={(receipt) => (receipt.id === url.open ? <CallDetails receipt={receipt} /> : null)}
      onNearEnd={() => void feed.fetchMore()}
      onScroll={onScroll}
      startAt={startId === undefined ? 0 : indexFrom(rows, startId)}
    />
  );
}

function rowKey({ id }: Receipt): string {
  return id;
}

function NoCalls({ url: { tools, tier, outcome } }: { url: UrlState<StateName> }) {
  if ((tools ?? tier ?? outcome) !== undefined) {
    return (
      <EmptyState title="No call matches">
        <p>
          {tools === undefined
            ? 'Clear the filter to see all calls.'
            : 'A call stands here when its request offers tools, and counts as called when the answer asks for one. Clear the filter to see all calls.'}
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No model has been called">
      <p>
        Every call will stand here with what really ran it (live, local or simulation), its deployment and
        client, the tools it was offered, and those it called with their arguments and results. The Overview
        has a button for a first request.
      </p>
    </EmptyState>
  );
}
