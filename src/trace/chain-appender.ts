import { crashpoint } from '../lib/crashpoint.ts';
import { createId, timeOfId } from '../lib/ids.ts';
import type { ChainHead, EventLease, EventRow, EventStore } from '../storage/event.ts';
import { isRefused } from '../storage/receipt-insert.ts';
import { type EventText, seal } from './event-text.ts';
import type { SignedHead, Signer } from './signing-key.ts';

/** A checkpoint so often, counted in events. */
const CHECKPOINT_EVENTS = 1000;

/** What the ledger tells the rooms above it. Each call is for counting and logging, and must not throw. */
export type LedgerObserver = {
  /** Events could not be stored and wait for another attempt. */
  eventsDelayed?(events: number, error: Error): void;
  /** Events are gone and not in the chain: the database refuses them, or the queue was full. */
  eventsLost?(events: number, error: Error): void;
  /** A checkpoint was stored but not anchored. */
  anchorFailed?(error: Error): void;
  /** Another process has taken the chain over; this one goes on with another. */
  chainLost?(writer: string): void;
};

export type AppenderParts = {
  store: EventStore;
  signer: Signer;
  anchor: (head: SignedHead) => Promise<void>;
  /** The event of a checkpoint. */
  toCheckpoint: (head: SignedHead) => EventText;
  observer: LedgerObserver;
  /** Told of each batch that is stored. */
  stored: () => void;
};

/** An event on its way. `settle` is called once: it is stored, or lost because of the error. */
export type Entry = { text: EventText; settle(error?: Error): void };

/**
 * The end of one chain, to which one process appends. State: the lease, the head, and a checkpoint that was begun and not yet
 * stored. An event gets its place when it is sent, so one that cannot be stored leaves no hole. A call that failed must be
 * repeated with the same entries before any other: its rows may have arrived without our knowing, and come out the same again.
 */
export class ChainAppender {
  readonly #parts: AppenderParts;
  #lease: EventLease;
  #head: ChainHead;
  #checkpoint: EventText | null = null;
  #sinceCheckpoint = 0;

  constructor(parts: AppenderParts, lease: EventLease) {
    this.#parts = parts;
    this.#lease = lease;
    this.#head = lease.head;
  }

  get writer(): string {
    return this.#lease.writer;
  }

  get head(): ChainHead {
    return this.#head;
  }

  /** Events since the last checkpoint, it included where there was none since the start. */
  get isCheckpointDue(): boolean {
    return this.#checkpoint !== null || this.#sinceCheckpoint >= CHECKPOINT_EVENTS;
  }

  get hasNews(): boolean {
    return this.#checkpoint !== null || this.#sinceCheckpoint > 0;
  }

  /**
   * Stores entries in their order. A batch that is refused for an event in it is halved until that event stands alone: it is
   * lost, its neighbours are not.
   */
  async append(entries: readonly Entry[]): Promise<void> {
    try {
      await this.#insert(entries.map(({ text }) => text));
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (entries.length > 1) {
        const middle = entries.length >> 1;
        await this.append(entries.slice(0, middle));
        await this.append(entries.slice(middle));
        return;
      }
      this.#parts.observer.eventsLost?.(1, error as Error);
      entries[0]?.settle(error as Error);
      return;
    }
    this.#sinceCheckpoint += entries.length;
    for (const { settle } of entries) settle();
    this.#parts.stored();
  }

  /** Signs the head, in the chain and then in the anchor. */
  async checkpoint(): Promise<void> {
    const { signer, toCheckpoint, anchor, observer, stored } = this.#parts;
    this.#checkpoint ??= toCheckpoint(signer.sign({ writer: this.writer, ...this.#head }));
    const before = this.writer;
    await this.#insert([this.#checkpoint]);
    if (before !== this.writer) return;
    this.#checkpoint = null;
    this.#sinceCheckpoint = 0;
    crashpoint('after-checkpoint');
    try {
      await anchor(signer.sign({ writer: this.writer, ...this.#head }));
    } catch (error) {
      observer.anchorFailed?.(error as Error);
    }
    stored();
  }

  /** Keeps the lease; changes the chain when it is lost. */
  async renew(): Promise<void> {
    if (!(await this.#lease.renew())) await this.#changeChain();
  }

  release(): Promise<void> {
    return this.#lease.release();
  }

  async #insert(texts: readonly EventText[]): Promise<void> {
    for (;;) {
      const rows: EventRow[] = [];
      let head = this.#head;
      for (const text of texts) {
        const sealed = seal(text, this.writer, head);
        rows.push(sealed.row);
        head = sealed.head;
      }
      crashpoint('before-append');
      const held = await this.#lease.append(rows, head);
      crashpoint('after-append');
      if (held) {
        this.#head = head;
        return;
      }
      await this.#changeChain();
      // A checkpoint speaks of the chain that was lost.
      if (this.#checkpoint !== null && texts[0] === this.#checkpoint) {
        this.#checkpoint = null;
        return;
      }
    }
  }

  async #changeChain(): Promise<void> {
    this.#parts.observer.chainLost?.(this.writer);
    this.#lease = await takeChain(this.#parts.store);
    this.#head = this.#lease.head;
    this.#sinceCheckpoint = 0;
  }
}

/** Takes a chain, and sees to it that ids to come are above its last one, also when the clock was set back since. */
export async function takeChain(store: EventStore): Promise<EventLease> {
  const lease = await store.lease();
  const [last] = await store.readChain(lease.writer, lease.head.seq - 1, 1);
  if (last) createId(timeOfId(last.id));
  return lease;
}
