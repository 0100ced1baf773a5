import type pg from 'pg';
import { TiercelError } from '../errors.ts';
import type { Secret } from '../lib/secret.ts';
import type { Database, StorageObserver } from './database.ts';
import { openEmbedded } from './embedded/open-embedded.ts';
import { migrate, readMigrations } from './migrate.ts';
import { openPostgres } from './open-postgres.ts';

const PING_TIMEOUT_MS = 2000;

/**
 * Opens the database and brings its schema up to date: PostgreSQL at `databaseUrl`, or when that is null the embedded one
 * in `dataDir`, which is made when absent and belongs to one process at a time.
 *
 * @throws TiercelError `data_folder_locked`, `database_corrupt`, `database_unreachable`, `database_unsupported`.
 */
export async function openDatabase({
  dataDir,
  databaseUrl,
  observer = {},
}: {
  dataDir: string;
  databaseUrl: Secret | null;
  observer?: StorageObserver;
}): Promise<Database> {
  const migrations = await readMigrations();
  const { pool, close } =
    databaseUrl === null ? await openEmbedded(dataDir, observer) : await openPostgres(databaseUrl, observer);
  const transaction: Database['transaction'] = (work) => inTransaction(pool, work);
  try {
    await migrate(transaction, migrations);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kind: databaseUrl === null ? 'embedded' : 'postgres',
    pool,
    transaction,
    ping: () => ping(pool),
    close,
  };
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection whose rollback fails is in a state that nobody knows: it is ended, not given to the next.
  let broken = false;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

async function ping(pool: pg.Pool): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${PING_TIMEOUT_MS} ms`)), PING_TIMEOUT_MS);
  });
  try {
    await Promise.race([pool.query('select 1'), late]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TiercelError('not_ready', `The database does not answer: ${reason}.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
