import { useMemo } from 'react';
import type { Feed, FeedState } from '../../api/feed.ts';
import { hearEvents } from '../../api/live.ts';
import { getReceipts } from '../../api/receipts.ts';
import type { Receipt, TraceEvent } from '../../api/types.ts';
import { useFeed } from '../../api/use-feed.ts';

export type CallFilter = {
  tier?: string | undefined;
  outcome?: string | undefined;
  /** `offered` or `called`. */
  tools?: string | undefined;
};

const PAGE = 200;
const PAUSE_MS = 500;

/** Every call's receipt under a filter, newest first, as they end. */
export function useCalls(filter: CallFilter): { feed: Feed<Receipt>; state: FeedState<Receipt> } {
  const source = useMemo(() => {
    const { tools, ...asked } = filter;
    return {
      fetchPage: (cursor: string | null, signal: AbortSignal) =>
        getReceipts(asked, { cursor, signal, limit: PAGE }),
      isWanted: ({ proof }: Receipt) =>
        tools === undefined || (tools === 'called' ? proof.toolsCalled : proof.toolsOffered).length > 0,
    };
  }, [filter]);
  return useFeed(JSON.stringify(filter), source, catchUpOnEnds);
}

/** Events name receipts but do not hold them: the newest are asked for when calls have ended. */
function catchUpOnEnds(feed: Feed<Receipt>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = hearEvents(({ type }: TraceEvent) => {
    if (type !== 'INFERENCE_SERVED' && type !== 'INFERENCE_FAILED') return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void feed.catchUp();
    }, PAUSE_MS);
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}
