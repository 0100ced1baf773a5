import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RunSummary } from '../../api/types.ts';
import { useShortcuts } from '../../kit/keys.ts';
import { NewRowsButton } from '../../kit/new-rows.tsx';
import { PageHeader } from '../../kit/panel.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { useUrlState } from '../../kit/url-state.ts';
import { RUN_COLUMNS } from './run-columns.tsx';
import { FILTER_NAMES, RunFilters } from './run-filters.tsx';
import { type Runs, useRuns } from './use-runs.ts';

const STATE_NAMES = [...FILTER_NAMES, 'selected', 'row'] as const;

/** Every run, newest first, as they come. */
export function RunsPage() {
  const [state, set] = useUrlState(STATE_NAMES);
  const { selected, row, ...filter } = state;
  const [follow, setFollow] = useState(row === undefined);
  const runs = useRuns(filter, follow);
  const search = useRef<HTMLInputElement>(null);
  const seenRoles = useSeenRoles(runs.rows);
  useShortcuts('Runs', [
    { keys: '/', does: 'Search runs', run: () => search.current?.focus() },
    { keys: 'n', does: 'Show what is new', run: runs.showWaiting },
  ]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onScroll = useCallback(
    (first: number) => {
      setFollow(first === 0);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => set({ row: first === 0 ? undefined : String(first) }), 250);
    },
    [set],
  );
  return (
    <>
      <PageHeader title="Runs">
        <RunFilters state={state} set={set} roles={seenRoles} searchRef={search} />
      </PageHeader>
      <div className="relative flex min-h-0 flex-1 flex-col">
        <NewRowsButton count={follow ? 0 : runs.waiting} more={runs.gap} onShow={runs.showWaiting} />
        <RunList
          runs={runs}
          selected={selected}
          filtered={Object.keys(filter).length > 0}
          startAt={Number(row ?? 0)}
          onSelect={(id) => set({ selected: id })}
          onScroll={onScroll}
        />
      </div>
    </>
  );
}

type ListProps = {
  runs: Runs;
  selected: string | undefined;
  filtered: boolean;
  startAt: number;
  onSelect: (id: string) => void;
  onScroll: (first: number) => void;
};

function RunList({ runs, selected, filtered, startAt, onSelect, onScroll }: ListProps) {
  const navigate = useNavigate();
  const [first] = useState(startAt);
  const enough = useReach(runs, first);
  if (runs.error)
    return <ErrorState title="The runs could not be read" error={runs.error} retry={runs.retry} />;
  if (runs.pending || !enough) return <SkeletonRows rows={20} />;
  if (runs.rows.length === 0) return <NoRuns filtered={filtered} />;
  return (
    <Table
      label="Runs"
      rows={runs.rows}
      columns={RUN_COLUMNS}
      rowKey={(run) => run.id}
      selected={selected}
      onSelect={onSelect}
      onOpen={(run) => {
        onSelect(run.id);
        void navigate({ to: '/runs/$runId', params: { runId: run.id } });
      }}
      onNearEnd={runs.fetchMore}
      onScroll={onScroll}
      startAt={first}
    />
  );
}

/** Whether the row that the list is to begin with is there; until then, pages are fetched. */
function useReach({ rows, hasMore, fetching, fetchMore }: Runs, row: number): boolean {
  const reached = rows.length > row || !hasMore;
  useEffect(() => {
    if (!reached && !fetching) fetchMore();
  });
  return reached;
}

function NoRuns({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <EmptyState title="No run matches">
      <p>Clear the filter to see all runs.</p>
    </EmptyState>
  ) : (
    <EmptyState title="No run yet">
      <p>
        Send a request to this server and it stands here within a second. The Overview has a button for a
        first one.
      </p>
    </EmptyState>
  );
}

function useSeenRoles(rows: readonly RunSummary[]): readonly string[] {
  return [...new Set(rows.map(({ role }) => role).filter((role) => role !== null))];
}
