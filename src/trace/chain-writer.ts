import { TiercelError } from '../errors.ts';
import type { ChainAppender, Entry, LedgerObserver } from './chain-appender.ts';
import type { EventText } from './event-text.ts';

/** A round costs some 0.5 ms whatever its size, so neighbours wait for each other, as receipts do. */
const GATHER_MS = 20;
const BATCH_EVENTS = 500;
const BATCH_CHARACTERS = 8 * 1024 * 1024;
const RETRY_MS = [50, 100, 200, 500, 1000, 2000];
/** Failures in a row after which those who wait are told. */
const TELL_AFTER = 3;

export type ChainWriterLimits = {
  /** Events, and characters in them, that may wait before `room` makes callers wait; at twice as much, events are lost. */
  events: number;
  characters: number;
};

const DEFAULT_LIMITS: ChainWriterLimits = { events: 50_000, characters: 64 * 1024 * 1024 };

type Queued = { text: EventText; lose?: (error: Error) => void };
/** Waits for all up to `sequence`, and for the checkpoint that is wanted. */
type Waiter = { sequence: number; checkpoint: boolean; resolve(): void; reject(error: Error): void };

/**
 * Gathers events and has them stored in batches, one at a time, in the order of their coming.
 *
 * States: idle → gathering (a timer runs) → storing → gathering or idle. While the database is away it stays in storing, with
 * the same batch or checkpoint; events pile up to the limits, then `room` makes callers wait, and beyond that they are lost
 * and counted.
 */
export class ChainWriter {
  readonly #appender: ChainAppender;
  readonly #observer: LedgerObserver;
  readonly #limits: ChainWriterLimits;
  #queue: Queued[] = [];
  /** Begun, and not yet stored or lost. */
  #batch: Entry[] = [];
  #characters = 0;
  #appended = 0;
  #settled = 0;
  #failures = 0;
  #running = false;
  #isCheckpointWanted = false;
  #flushWaiters: Waiter[] = [];
  #roomWaiters: (() => void)[] = [];
  /** Ends the pause before the next batch. */
  #endPause: () => void = () => {};

  constructor(appender: ChainAppender, observer: LedgerObserver, limits: ChainWriterLimits = DEFAULT_LIMITS) {
    this.#appender = appender;
    this.#observer = observer;
    this.#limits = limits;
  }

  /** Events that are not yet stored. */
  get waiting(): number {
    return this.#queue.length + this.#batch.length;
  }

  /** Stored within the next batch; when there is no room at all it is lost, and the observer told. */
  append(text: EventText): void {
    this.#take({ text });
  }

  /** Resolves when the event is stored. @throws TiercelError `not_ready` when it was refused, or not stored in three attempts */
  async store(text: EventText): Promise<void> {
    let lost: Error | null = null;
    this.#take({
      text,
      lose: (error) => {
        lost = error;
      },
    });
    await this.flush();
    if (lost !== null) throw lost;
  }

  /** Nothing while there is room; else a promise that resolves when there is, or after `waitMs`. */
  room(waitMs = 5000): undefined | Promise<void> {
    if (!this.#isOver(1)) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#roomWaiters.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Resolves when all that was appended before is stored or lost. @throws TiercelError `not_ready` after three failures */
  flush(): Promise<void> {
    return this.waiting === 0 ? Promise.resolve() : this.#wait(false);
  }

  /** As `flush`, and then a checkpoint is stored, if anything came since the last. */
  checkpoint(): Promise<void> {
    if (!this.#appender.hasNews && this.waiting === 0) return Promise.resolve();
    this.#isCheckpointWanted = true;
    const stored = this.#wait(true);
    if (!this.#running) void this.#run();
    return stored;
  }

  /** Keeps the lease while no event does. */
  async renew(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      await this.#appender.renew();
    } finally {
      this.#running = false;
      if (this.waiting > 0) void this.#run();
    }
  }

  #wait(checkpoint: boolean): Promise<void> {
    if (this.#failures === 0) this.#endPause();
    return new Promise((resolve, reject) => {
      this.#flushWaiters.push({ sequence: this.#appended, checkpoint, resolve, reject });
    });
  }

  #isOver(times: number): boolean {
    return this.waiting >= times * this.#limits.events || this.#characters >= times * this.#limits.characters;
  }

  #take(queued: Queued): void {
    if (this.#isOver(2)) {
      const error = new TiercelError('not_ready', 'The database does not take events and the queue is full.');
      this.#observer.eventsLost?.(1, error);
      queued.lose?.(error);
      return;
    }
    this.#queue.push(queued);
    this.#characters += sizeOf(queued.text);
    this.#appended += 1;
    if (this.#queue.length >= BATCH_EVENTS && this.#failures === 0) this.#endPause();
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.waiting > 0 || this.#isCheckpointWanted) {
      // Who waits should not wait for neighbours.
      const isGathering = this.waiting < BATCH_EVENTS && this.#flushWaiters.length === 0;
      if (this.#failures > 0 || isGathering) await this.#pause();
      try {
        await this.#step();
        this.#failures = 0;
      } catch (error) {
        this.#failures += 1;
        this.#report(error instanceof Error ? error : new Error(String(error)));
      }
    }
    this.#running = false;
  }

  /** One batch or one checkpoint, to its end: a batch that was begun comes first, then a checkpoint that is due. */
  async #step(): Promise<void> {
    const isWanted = this.#isCheckpointWanted && this.#queue.length === 0;
    if (this.#batch.length === 0 && (this.#appender.isCheckpointDue || isWanted)) {
      if (this.#appender.hasNews) await this.#appender.checkpoint();
      if (isWanted) this.#isCheckpointWanted = false;
      this.#wake();
      return;
    }
    if (this.#batch.length === 0) this.#batch = this.#nextBatch();
    await this.#appender.append([...this.#batch]);
    this.#wake();
  }

  #nextBatch(): Entry[] {
    let count = 0;
    for (let characters = 0; count < BATCH_EVENTS && characters < BATCH_CHARACTERS; count++) {
      const queued = this.#queue[count];
      if (!queued) break;
      characters += sizeOf(queued.text);
    }
    return this.#queue.splice(0, count).map((queued) => this.#toEntry(queued));
  }

  #toEntry({ text, lose }: Queued): Entry {
    return {
      text,
      settle: (error) => {
        // Entries settle in their order.
        this.#batch.shift();
        this.#characters -= sizeOf(text);
        this.#settled += 1;
        if (error)
          lose?.(new TiercelError('not_ready', `The event was refused: ${error.message}`, { cause: error }));
      },
    };
  }

  async #pause(): Promise<void> {
    const ms = this.#failures === 0 ? GATHER_MS : (RETRY_MS[this.#failures - 1] ?? RETRY_MS.at(-1));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = () => {};
  }

  #wake(): void {
    const isDone = ({ sequence, checkpoint }: Waiter) =>
      sequence <= this.#settled && !(checkpoint && this.#isCheckpointWanted);
    const done = this.#flushWaiters.filter(isDone);
    this.#flushWaiters = this.#flushWaiters.filter((waiter) => !isDone(waiter));
    for (const { resolve } of done) resolve();
    if (!this.#isOver(1)) for (const wake of this.#roomWaiters.splice(0)) wake();
  }

  #report(error: Error): void {
    this.#observer.eventsDelayed?.(this.waiting, error);
    if (this.#failures < TELL_AFTER) return;
    const told = new TiercelError('not_ready', `The database does not take events: ${error.message}`, {
      cause: error,
    });
    for (const { reject } of this.#flushWaiters.splice(0)) reject(told);
  }
}

function sizeOf({ head, middle }: EventText): number {
  return head.length + middle.length;
}
