import pg from 'pg';
import { TiercelError } from '../errors.ts';
import type { Secret } from '../lib/secret.ts';
import type { Connections, StorageObserver } from './database.ts';

const OLDEST_SERVER = 15;

/** Enough for the batches of receipts and the console's queries of one process; PostgreSQL's default limit is 100 in all. */
const CONNECTIONS = 10;

/**
 * Connects to the PostgreSQL at `url`.
 *
 * @throws TiercelError `database_unreachable` with host and port, never the password; `database_unsupported` when it is
 * older than PostgreSQL 15; `config_invalid` when `url` is not a URL of PostgreSQL.
 */
export async function openPostgres(url: Secret, observer: StorageObserver): Promise<Connections> {
  const place = toPlace(url);
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    max: CONNECTIONS,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    fallback_application_name: 'tiercel',
  });
  pool.on('error', (error) => observer.connectionLost?.(error));
  try {
    const version = await readVersion(pool, place);
    if (version < OLDEST_SERVER) {
      throw new TiercelError(
        'database_unsupported',
        `The PostgreSQL at ${place} is version ${version}; ${OLDEST_SERVER} or newer is needed.`,
      );
    }
  } catch (error) {
    await pool.end();
    throw error;
  }
  return { pool, close: () => pool.end() };
}

async function readVersion(pool: pg.Pool, place: string): Promise<number> {
  try {
    const { rows } = await pool.query<{ number: string }>(
      `select current_setting('server_version_num') as number`,
    );
    return Math.floor(Number(rows[0]?.number) / 10_000);
  } catch (error) {
    // The driver's own message may quote the user name and the address, never the password.
    const reason = error instanceof Error && error.message !== '' ? error.message : toCode(error);
    throw new TiercelError(
      'database_unreachable',
      `PostgreSQL at ${place} cannot be used: ${reason}. Check DATABASE_URL and that the server runs.`,
      { cause: error },
    );
  }
}

/** An AggregateError of a refused connection (one error an address) has no message of its own, only a code. */
function toCode(error: unknown): string {
  return String((error as { code?: unknown }).code ?? error);
}

function toPlace(url: Secret): string {
  let parsed: URL;
  try {
    parsed = new URL(url.reveal());
  } catch {
    // Not the parser's error: it quotes its input, and with it the password.
    throw new TiercelError(
      'config_invalid',
      'DATABASE_URL is not a URL of the form postgres://user:password@host:5432/database.',
    );
  }
  if (parsed.protocol !== 'postgres:' && parsed.protocol !== 'postgresql:') {
    throw new TiercelError(
      'config_invalid',
      `DATABASE_URL begins with ${parsed.protocol}// where postgres:// is needed.`,
    );
  }
  const host = parsed.hostname || parsed.searchParams.get('host') || 'localhost';
  return `${host}:${parsed.port || parsed.searchParams.get('port') || 5432}`;
}
