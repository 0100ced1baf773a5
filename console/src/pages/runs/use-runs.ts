import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { getRuns, type RunFilter } from '../../api/client.ts';
import { useEventPulse } from '../../api/live.ts';
import type { RunSummary } from '../../api/types.ts';
import { mergeRuns } from './merge-runs.ts';

const PULSE_MS = 700;

export type Runs = {
  rows: readonly RunSummary[];
  waiting: number;
  /** More new runs than one page holds, so that some between are not known. */
  gap: boolean;
  pending: boolean;
  fetching: boolean;
  hasMore: boolean;
  error: Error | null;
  showWaiting: () => void;
  fetchMore: () => void;
  retry: () => void;
};

/**
 * The list of runs under a filter: pages as they were fetched, and the newest page, asked again whenever events come.
 * @param follow whether the list stands at its start, so that new runs may be shown at once
 */
export function useRuns(filter: RunFilter, follow: boolean): Runs {
  const client = useQueryClient();
  const key = ['runs', filter] as const;
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => getRuns(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  // A page may come back empty before the end, when the filter lets little through: then the next is asked for at once.
  const { fetchNextPage } = pages;
  const emptyPage = pages.hasNextPage && !pages.isFetching && pages.data?.pages.at(-1)?.data.length === 0;
  useEffect(() => {
    if (emptyPage) void fetchNextPage();
  }, [emptyPage, fetchNextPage]);
  const headKey = ['runs-head', filter] as const;
  const head = useQuery({
    queryKey: headKey,
    queryFn: ({ signal }) => getRuns(filter, null, signal),
    enabled: pages.isSuccess,
    gcTime: 0,
  });
  useEventPulse(
    () => true,
    () => void client.invalidateQueries({ queryKey: headKey }),
    PULSE_MS,
  );
  // What has been let in so far stays in, also when the list is scrolled away from its start afterwards.
  const [admitted, admit] = useAdmitted(JSON.stringify(filter));
  const fetched = useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);
  const newest = head.data?.data ?? [];
  const merged = useMemo(
    () => mergeRuns(mergeRuns(fetched, admitted, true).rows, newest, false),
    [fetched, admitted, newest],
  );
  const gap = newest.length > 0 && merged.waiting.length === newest.length;
  if (follow && merged.waiting.length > 0 && !gap) admit([...merged.waiting, ...admitted]);
  return {
    rows: merged.rows,
    waiting: merged.waiting.length,
    gap,
    pending: pages.isPending,
    fetching: pages.isFetching,
    hasMore: pages.isPending || pages.hasNextPage,
    error: pages.error,
    showWaiting() {
      if (!gap) return admit([...merged.waiting, ...admitted]);
      admit([]);
      void client.resetQueries({ queryKey: key });
    },
    fetchMore() {
      if (pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage();
    },
    retry: () => void pages.refetch(),
  };
}

function useAdmitted(filterKey: string): [readonly RunSummary[], (runs: readonly RunSummary[]) => void] {
  const [state, setState] = useState<{ filterKey: string; runs: readonly RunSummary[] }>({
    filterKey,
    runs: [],
  });
  const runs = state.filterKey === filterKey ? state.runs : NONE;
  return [runs, (next) => setState({ filterKey, runs: next })];
}

const NONE: readonly RunSummary[] = [];
