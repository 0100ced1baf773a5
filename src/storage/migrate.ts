import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { TiercelError } from '../errors.ts';
import type { Database } from './database.ts';

/** Of `pg_advisory_xact_lock`: any number that nothing else in the database locks; this is "tiercel" in ASCII. */
const LOCK = '32766981730166124';

export type Migration = { name: string; sql: string; sha256: string };

/** Reads the numbered SQL files of a folder, in order. They are part of the program: a changed one is a defect. */
export async function readMigrations(
  folder = new URL('./migrations/', import.meta.url),
): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Brings the schema up to date. Each migration is one transaction under a lock that ends with it (so it also holds through
 * a pooler that shares sessions); processes that start together take turns and find the work done.
 *
 * @throws TiercelError `database_unsupported` when the database has a migration that this program does not know, or knows
 * with other content.
 */
export async function migrate(
  transaction: Database['transaction'],
  migrations: readonly Migration[],
): Promise<void> {
  while (await transaction((client) => applyNext(client, migrations))) {
    // One by one, so that a failure leaves all before it applied.
  }
}

async function applyNext(client: pg.PoolClient, migrations: readonly Migration[]): Promise<boolean> {
  await client.query(`select pg_advisory_xact_lock(${LOCK})`);
  await client.query(`
    create table if not exists tiercel_migrations (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`);
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from tiercel_migrations',
  );
  for (const applied of rows) checkApplied(applied, migrations);
  const names = new Set(rows.map((row) => row.name));
  const next = migrations.find((migration) => !names.has(migration.name));
  if (next === undefined) return false;
  await client.query(next.sql);
  await client.query('insert into tiercel_migrations (name, sha256) values ($1, $2)', [
    next.name,
    next.sha256,
  ]);
  return true;
}

function checkApplied(applied: { name: string; sha256: string }, migrations: readonly Migration[]): void {
  const known = migrations.find((migration) => migration.name === applied.name);
  if (known === undefined) {
    throw new TiercelError(
      'database_unsupported',
      `The database has migration ${applied.name}, which this version of Tiercel does not know: use the version that made it, or newer.`,
    );
  }
  if (known.sha256 !== applied.sha256) {
    throw new TiercelError(
      'database_unsupported',
      `Migration ${applied.name} was applied to the database with other content than this version of Tiercel has.`,
    );
  }
}
