import { isAbsolute, join, resolve } from 'node:path';
import type { Database } from '../storage/database.ts';
import type { ChainHead, EventStore } from '../storage/event.ts';
import { createEventStore } from '../storage/event-store.ts';
import { appendAnchor } from './anchor.ts';
import { type Archive, archiveSegments } from './archive.ts';
import { ChainAppender, type LedgerObserver, takeChain } from './chain-appender.ts';
import { ChainWriter, type ChainWriterLimits } from './chain-writer.ts';
import { toCheckpointText } from './checkpoint.ts';
import type { ChainedEvent, Trace } from './event.ts';
import {
  type CausalChain,
  causalChain,
  type EventListing,
  type EventQuery,
  eventsOfRun,
  listRuns,
  queryEvents,
  type RunEntry,
} from './event-query.ts';
import { createTail, type Tail, type TailOptions } from './event-tail.ts';
import type { Masker } from './mask.ts';
import { openSigner } from './signing-key.ts';
import { createTrace } from './trace.ts';
import { pagesOf, type VerifyOptions, type VerifyReport, verifyStored } from './verify.ts';

const CHECKPOINT_MS = 60_000;
/** A third of the lease's time. */
const RENEW_MS = 10_000;
/** How often tails look for events of other processes. */
const POLL_MS = 1000;

export type LedgerParts = {
  database: Database;
  /** Holds the signing key, and the anchor unless `anchor` says otherwise. */
  dataDir: string;
  /** The anchor file; a relative path starts from `dataDir`. */
  anchor?: string | undefined;
  /** The values to be masked, asked for at each event. */
  masker?: () => Masker;
  observer?: LedgerObserver & { listenerFailed?(error: unknown): void; tailFailed?(error: Error): void };
  limits?: ChainWriterLimits;
};

/** The append-only record of all that happened. */
export interface Ledger {
  /** Where rooms say what happened. */
  readonly trace: Trace;
  /** The chain that this process appends to. */
  readonly writer: string;
  readonly head: ChainHead;
  /** Ed25519, raw, base64url. */
  readonly publicKey: string;
  readonly anchorPath: string;
  /** Events that are not yet stored. */
  readonly waiting: number;
  /** Nothing while there is room for more events; else a promise to wait for, five seconds at most. */
  room(): undefined | Promise<void>;
  /** Resolves when all that was emitted is stored. @throws TiercelError `not_ready` */
  flush(): Promise<void>;
  /** Signs and anchors the head now. @throws TiercelError `not_ready` */
  checkpoint(): Promise<void>;
  /** Of what is stored; against the own anchor and key unless others are named. */
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  /** JSONL, chain by chain, some thousand lines at a time. */
  export(range?: { writer?: string; from?: number; to?: number }): AsyncGenerator<string>;
  /** @throws TiercelError `internal_error` when a segment does not verify */
  archive(before: Date, folder: string): Promise<Archive[]>;
  /** @throws TiercelError `invalid_request` */
  events(query: EventQuery): Promise<EventListing>;
  runs(page?: { limit?: number; cursor?: string }): Promise<{ runs: RunEntry[]; cursor: string | null }>;
  run(runId: string): Promise<ChainedEvent[]>;
  chainOf(eventId: string): Promise<CausalChain | null>;
  /** Gives a listener every event that is stored from now on, or after an id; the function returned ends it. */
  tail(listener: (event: ChainedEvent) => void | Promise<void>, options?: TailOptions): Promise<() => void>;
  /** Stores what waits and a last checkpoint, and gives the chain back. @throws TiercelError `not_ready` */
  close(): Promise<void>;
}

/** Takes a chain of the database and opens the ledger on it. Close it before the database. */
export async function openLedger(parts: LedgerParts): Promise<Ledger> {
  const { database, dataDir, observer = {}, masker, limits } = parts;
  const store = createEventStore(database);
  const signer = await openSigner(dataDir);
  const anchorPath = toAnchorPath(dataDir, parts.anchor);
  const tails = new Set<Tail>();
  const wakeTails = () => {
    for (const tail of tails) tail.wake();
  };
  const losses = createLosses(observer);
  const appender = new ChainAppender(
    {
      store,
      signer,
      anchor: (head) => appendAnchor(anchorPath, head),
      toCheckpoint: toCheckpointText,
      observer: losses.observer,
      stored() {
        losses.tell(trace);
        wakeTails();
      },
    },
    await takeChain(store),
  );
  const writer = new ChainWriter(appender, losses.observer, limits);
  const trace = createTrace({
    sink: writer,
    ...(masker ? { masker } : {}),
    onListenerError: (error) => observer.listenerFailed?.(error),
  });
  const stopTimers = startTimers(database, writer, wakeTails);

  return {
    trace,
    get writer() {
      return appender.writer;
    },
    get head() {
      return appender.head;
    },
    publicKey: signer.publicKey,
    anchorPath,
    get waiting() {
      return writer.waiting;
    },
    room: () => writer.room(),
    flush: () => writer.flush(),
    checkpoint: () => writer.checkpoint(),
    ...readersOf(store, writer, { anchorPath, publicKey: signer.publicKey }),
    archive: (before, folder) => archiveSegments(store, before, folder),
    async tail(listener, options = {}) {
      await writer.flush();
      const tail = await createTail(store, listener, options, (error) => observer.tailFailed?.(error));
      tails.add(tail);
      return () => {
        tails.delete(tail);
        tail.close();
      };
    },
    async close() {
      stopTimers();
      for (const tail of tails) tail.close();
      tails.clear();
      await writer.checkpoint();
      await appender.release();
    },
  };
}

function toAnchorPath(dataDir: string, anchor: string | undefined): string {
  if (anchor === undefined) return join(resolve(dataDir), 'ledger-anchor.jsonl');
  return isAbsolute(anchor) ? anchor : resolve(dataDir, anchor);
}

type Readers = Pick<Ledger, 'verify' | 'export' | 'events' | 'runs' | 'run' | 'chainOf'>;

/** All of them see what was emitted before. */
function readersOf(
  store: EventStore,
  writer: ChainWriter,
  { anchorPath, publicKey }: { anchorPath: string; publicKey: string },
): Readers {
  return {
    async verify(options) {
      await writer.flush();
      return verifyStored(store, { anchor: anchorPath, publicKeys: [publicKey], ...options });
    },
    async *export({ writer: only, from = 1, to } = {}) {
      await writer.flush();
      for (const chain of await store.chains()) {
        if (only !== undefined && chain.writer !== only) continue;
        for await (const rows of pagesOf(store, chain.writer, from - 1, to)) {
          yield rows.map(({ body }) => `${body}\n`).join('');
        }
      }
    },
    async events(query) {
      await writer.flush();
      return queryEvents(store, query);
    },
    async runs(page) {
      await writer.flush();
      return listRuns(store, page);
    },
    async run(runId) {
      await writer.flush();
      return eventsOfRun(store, runId);
    },
    async chainOf(eventId) {
      await writer.flush();
      return causalChain(store, eventId);
    },
  };
}

function startTimers(database: Database, writer: ChainWriter, wakeTails: () => void): () => void {
  // What goes wrong in them was told to the observer, or will be at the next batch.
  const timers = [setInterval(() => void writer.checkpoint().catch(() => {}), CHECKPOINT_MS)];
  if (database.kind === 'postgres') {
    timers.push(setInterval(() => void writer.renew().catch(() => {}), RENEW_MS));
    timers.push(setInterval(wakeTails, POLL_MS));
  }
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

/** Counts what was lost, and says so in the ledger as soon as that takes events again. */
function createLosses(observer: LedgerObserver) {
  let count = 0;
  let reason = '';
  return {
    observer: {
      ...observer,
      eventsLost(events: number, error: Error) {
        count += events;
        reason = error.message;
        observer.eventsLost?.(events, error);
      },
    } satisfies LedgerObserver,
    tell(trace: Trace): void {
      if (count === 0) return;
      const message = `${count} events could not be stored: ${reason}`;
      trace.emit('EVENTS_LOST', { actor: 'ledger', message, payload: { count, reason } });
      count = 0;
    },
  };
}
