import type { EventStore } from '../storage/event.ts';
import type { ChainedEvent } from './event.ts';
import { type EventQuery, fromStored, toPredicate } from './event-query.ts';

const PAGE_ROWS = 500;

export type TailOptions = Pick<EventQuery, 'type' | 'actor' | 'tier' | 'runId' | 'traceId' | 'q'> & {
  /** Begin after the event of this id; unless given, with what is stored from now on. */
  afterId?: string;
};

export type Tail = {
  /** There may be news. */
  wake(): void;
  close(): void;
};

/**
 * Gives a listener every stored event that fits, each once, in the order of its chain. State: how far each chain was read. Chains
 * are followed by their numbers and not all together by id, because an event of another process may be stored after one
 * with a higher id. A listener that returns a promise is waited for.
 */
export async function createTail(
  store: EventStore,
  listener: (event: ChainedEvent) => void | Promise<void>,
  { afterId, ...filter }: TailOptions,
  onError: (error: Error) => void,
): Promise<Tail> {
  const isWanted = toPredicate(filter);
  const read = new Map<string, number>();
  for (const { writer, head } of await store.chains()) {
    read.set(writer, afterId === undefined ? head.seq : await store.seqAt(writer, afterId));
  }
  let isClosed = false;
  let isReading = false;
  let hasNews = false;

  async function readNews(): Promise<void> {
    for (const { writer, head } of await store.chains()) {
      let seq = read.get(writer) ?? 0;
      while (seq < head.seq && !isClosed) {
        const rows = await store.readChain(writer, seq, PAGE_ROWS);
        if (rows.length === 0) break;
        for (const row of rows) {
          if (isClosed) return;
          seq = row.seq;
          read.set(writer, seq);
          const event = fromStored(row);
          if (isWanted(event)) await listener(event);
        }
      }
    }
  }

  async function follow(): Promise<void> {
    isReading = true;
    while (hasNews && !isClosed) {
      hasNews = false;
      try {
        await readNews();
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
      }
    }
    isReading = false;
  }

  const tail: Tail = {
    wake() {
      hasNews = true;
      if (!isReading && !isClosed) void follow();
    },
    close() {
      isClosed = true;
    },
  };
  if (afterId !== undefined) tail.wake();
  return tail;
}
