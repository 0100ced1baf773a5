import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Secret } from '../../src/lib/secret.ts';
import type { Database } from '../../src/storage/database.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { findPostgres, type Postgres, startPostgres } from './postgres.ts';

/** What `openDatabase` takes, for tests that open it more than once. */
export type Place = { dataDir: string; databaseUrl: Secret | null };

/** An embedded database in a temporary folder (about a second); `close` also removes it. */
export async function openTemporaryDatabase(): Promise<Database> {
  const dataDir = await makeFolder();
  const database = await openDatabase({ dataDir, databaseUrl: null });
  return {
    ...database,
    async close() {
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A new, empty database on a test server. */
export async function createPostgresDatabase(server: Postgres): Promise<Secret> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server.url);
  url.pathname = name;
  return new Secret(url.href);
}

/**
 * Runs a suite against both databases, one fresh database for each. Where this machine has no PostgreSQL, one skipped test
 * says so, unless TIERCEL_REQUIRE_POSTGRES is set, which makes it a failure.
 */
export function describeDatabases(
  name: string,
  suite: (open: () => Database, place: () => Place) => void,
): void {
  describe(`${name} (embedded)`, () => {
    let place: Place;
    let database: Database;
    beforeAll(async () => {
      place = { dataDir: await makeFolder(), databaseUrl: null };
      database = await openDatabase(place);
    });
    afterAll(async () => {
      await database.close();
      await rm(place.dataDir, { recursive: true, force: true });
    });
    suite(
      () => database,
      () => place,
    );
  });

  describePostgres(name, (server) => {
    let place: Place;
    let database: Database;
    beforeAll(async () => {
      place = { dataDir: '', databaseUrl: await createPostgresDatabase(server()) };
      database = await openDatabase(place);
    });
    afterAll(() => database.close());
    suite(
      () => database,
      () => place,
    );
  });
}

/** Runs a suite with a PostgreSQL server of its own; see {@link describeDatabases} for machines without. */
export function describePostgres(name: string, suite: (server: () => Postgres) => void): void {
  const isFound = findPostgres() !== null;
  if (!isFound && process.env['TIERCEL_REQUIRE_POSTGRES'] === undefined) {
    console.warn(`LEFT OUT: "${name} (PostgreSQL)", because no PostgreSQL binaries were found.`);
    describe(`${name} (PostgreSQL)`, () => {
      it.skipIf(!isFound)('left out: no PostgreSQL binaries were found', () => {});
    });
    return;
  }
  describe(`${name} (PostgreSQL)`, () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());
    suite(() => server);
  });
}

function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'tiercel-data-'));
}
