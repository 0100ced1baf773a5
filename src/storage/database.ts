import type pg from 'pg';

/** A PostgreSQL, embedded or by URL: the same SQL and the same migrations on both. */
export type Database = {
  readonly kind: 'embedded' | 'postgres';
  /** One connection when embedded: who holds a client must not wait for a query of the pool. */
  readonly pool: pg.Pool;
  /** Runs `work` between BEGIN and COMMIT on one client; rolls back and rethrows when it throws. */
  transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** @throws TiercelError `not_ready` when the database does not answer within two seconds. */
  ping(): Promise<void>;
  /** Ends the connections; when embedded, also writes a checkpoint and frees the folder's lock. */
  close(): Promise<void>;
};

/** What each way of opening gives: the same pool, and an end of its own. */
export type Connections = Pick<Database, 'pool' | 'close'>;

/** What storage tells the rooms above it. Each call is for counting and logging, and must not throw. */
export type StorageObserver = {
  /** An idle connection broke, or the embedded database's thread ended. The pool reconnects when it can. */
  connectionLost?(error: Error): void;
  /** Receipts could not be stored and wait for another attempt. */
  receiptsDelayed?(rows: number, error: Error): void;
  /** Receipts are gone: the database refuses these rows, or the queue was full for too long. */
  receiptsLost?(rows: number, error: Error): void;
};
