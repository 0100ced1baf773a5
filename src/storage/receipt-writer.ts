import { TiercelError } from '../errors.ts';
import type { StorageObserver } from './database.ts';
import type { ReceiptRow } from './receipt.ts';
import { isRefused } from './receipt-insert.ts';

/** Each round costs some 0.4 ms whatever its size, so neighbours wait for each other; a person does not see 20 ms. */
const GATHER_MS = 20;
const BATCH_ROWS = 500;
/** A round of long conversations would otherwise be hundreds of megabytes at once. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;
const FLUSH_ATTEMPTS = 3;
const RETRY_MS = [50, 100, 200, 500, 1000, 2000];

export type ReceiptWriterLimits = {
  /** Rows, and characters of text in them, that may wait. */
  rows: number;
  characters: number;
  /** How long an append waits for room. */
  waitMs: number;
};

const DEFAULT_LIMITS: ReceiptWriterLimits = { rows: 50_000, characters: 128 * 1024 * 1024, waitMs: 5000 };

type Waiter = { sequence: number; resolve(): void; reject(error: Error): void };

/**
 * Gathers receipts and stores them in batches, one batch at a time, in the order of their coming.
 *
 * States: idle (nothing waits) → gathering (a timer runs) → storing → gathering or idle. While the database is away it stays
 * in storing: the batch is tried again with growing pauses, rows pile up to the limits, then `append` makes its callers wait.
 */
export class ReceiptWriter {
  readonly #insert: (rows: readonly ReceiptRow[]) => Promise<unknown>;
  readonly #observer: StorageObserver;
  readonly #limits: ReceiptWriterLimits;
  /** In the order of coming; a row leaves when it is stored or lost. */
  readonly #pending = new Map<string, ReceiptRow>();
  #characters = 0;
  #appended = 0;
  #settled = 0;
  #failures = 0;
  #running = false;
  #flushWaiters: Waiter[] = [];
  #roomWaiters: (() => void)[] = [];
  /** Ends the pause before the next batch. */
  #endPause: () => void = () => {};

  constructor(
    insert: (rows: readonly ReceiptRow[]) => Promise<unknown>,
    observer: StorageObserver,
    limits: ReceiptWriterLimits = DEFAULT_LIMITS,
  ) {
    this.#insert = insert;
    this.#observer = observer;
    this.#limits = limits;
  }

  append(row: ReceiptRow): undefined | Promise<void> {
    if (this.#isFull()) return this.#appendWhenRoom(row);
    this.#take(row);
    return undefined;
  }

  pending(id: string): ReceiptRow | undefined {
    return this.#pending.get(id);
  }

  flush(): Promise<void> {
    if (this.#pending.size === 0) return Promise.resolve();
    this.#endPause();
    return new Promise((resolve, reject) => {
      this.#flushWaiters.push({ sequence: this.#appended, resolve, reject });
    });
  }

  #isFull(): boolean {
    return this.#pending.size >= this.#limits.rows || this.#characters >= this.#limits.characters;
  }

  #take(row: ReceiptRow): void {
    if (this.#pending.has(row.id)) return;
    this.#pending.set(row.id, row);
    this.#characters += toSize(row);
    this.#appended += 1;
    if (this.#pending.size >= BATCH_ROWS && this.#failures === 0) this.#endPause();
    if (!this.#running) void this.#run();
  }

  async #appendWhenRoom(row: ReceiptRow): Promise<void> {
    const deadline = Date.now() + this.#limits.waitMs;
    while (this.#isFull()) {
      const left = deadline - Date.now();
      if (left <= 0) {
        const error = new TiercelError(
          'not_ready',
          'The database does not take receipts and the queue is full.',
        );
        this.#observer.receiptsLost?.(1, error);
        throw error;
      }
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#roomWaiters.push(resolve);
        timer = setTimeout(resolve, left);
      });
      clearTimeout(timer);
    }
    this.#take(row);
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#pending.size > 0) {
      if (this.#failures > 0 || (this.#pending.size < BATCH_ROWS && this.#flushWaiters.length === 0))
        await this.#pause();
      const batch = this.#nextBatch();
      try {
        await this.#store(batch);
        this.#failures = 0;
      } catch (error) {
        this.#failures += 1;
        this.#report(error instanceof Error ? error : new Error(String(error)));
      }
    }
    this.#running = false;
  }

  #nextBatch(): ReceiptRow[] {
    const batch: ReceiptRow[] = [];
    let characters = 0;
    for (const row of this.#pending.values()) {
      characters += toSize(row);
      if (batch.push(row) === BATCH_ROWS || characters >= BATCH_CHARACTERS) break;
    }
    return batch;
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

  /** A batch that is refused for a row in it is halved until that row stands alone: it is lost, its neighbours are not. */
  async #store(rows: readonly ReceiptRow[]): Promise<void> {
    try {
      await this.#insert(rows);
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (rows.length > 1) {
        const middle = rows.length >> 1;
        await this.#store(rows.slice(0, middle));
        await this.#store(rows.slice(middle));
        return;
      }
      this.#observer.receiptsLost?.(1, error as Error);
    }
    this.#settle(rows);
  }

  #settle(rows: readonly ReceiptRow[]): void {
    for (const row of rows) {
      this.#pending.delete(row.id);
      this.#characters -= toSize(row);
    }
    this.#settled += rows.length;
    const done = this.#flushWaiters.filter((waiter) => waiter.sequence <= this.#settled);
    this.#flushWaiters = this.#flushWaiters.filter((waiter) => waiter.sequence > this.#settled);
    for (const waiter of done) waiter.resolve();
    const waiting = this.#roomWaiters.splice(0);
    for (const wake of waiting) wake();
  }

  #report(error: Error): void {
    this.#observer.receiptsDelayed?.(this.#pending.size, error);
    if (this.#failures < FLUSH_ATTEMPTS) return;
    const message = `The database does not take receipts: ${error.message}`;
    for (const waiter of this.#flushWaiters.splice(0)) {
      waiter.reject(new TiercelError('not_ready', message, { cause: error }));
    }
  }
}

function toSize(row: ReceiptRow): number {
  return row.body.length + (row.request?.length ?? 0) + (row.answer?.length ?? 0);
}
