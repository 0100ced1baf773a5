import { QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, getLedger, getOverview, getRun } from './client.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays a refusal; only silence and 5xx are worth another try.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && isFinal(error.status)),
      refetchOnWindowFocus: false,
      staleTime: 1_000,
    },
  },
});

function isFinal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Asked for by the frame, so always there; probes and time move it without any event. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => getOverview(signal),
  refetchInterval: 5_000,
});

export function runQuery(id: string) {
  return queryOptions({ queryKey: ['run', id], queryFn: ({ signal }) => getRun(id, signal) });
}

/** How the ledger stands. Verifying is asked for on the Ledger page; that the answer is old does no harm here. */
export const ledgerQuery = queryOptions({
  queryKey: ['ledger'],
  queryFn: ({ signal }) => getLedger(signal),
  refetchInterval: 60_000,
});
