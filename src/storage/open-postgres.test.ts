import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createPostgresDatabase, describePostgres } from '../../test/support/database.ts';
import { createId } from '../lib/ids.ts';
import { Secret } from '../lib/secret.ts';
import { openDatabase } from './open-database.ts';
import { createReceiptStore } from './receipt-store.ts';

const PASSWORD = 'canary-8f3a';

function open(url: string) {
  return openDatabase({ dataDir: '', databaseUrl: new Secret(url) });
}

function toText(error: unknown): string {
  const { message, details, cause } = error as {
    message: string;
    details: unknown;
    cause: Error | undefined;
  };
  return `${message} ${JSON.stringify(details)} ${cause?.stack} ${JSON.stringify(cause)}`;
}

describe('openPostgres', () => {
  it('names host and port of a server that is not there, never the password', async () => {
    const error = await open(`postgres://ada:${PASSWORD}@127.0.0.1:1/x`).catch((failure: unknown) => failure);
    expect(error).toMatchObject({
      code: 'database_unreachable',
      message: expect.stringContaining('127.0.0.1:1'),
    });
    expect(toText(error)).not.toContain(PASSWORD);
  });

  it('refuses what is not a URL of PostgreSQL without repeating it', async () => {
    for (const url of [
      `mysql://ada:${PASSWORD}@host/x`,
      `ada:${PASSWORD} @host`,
      `postgres://ada:${PASSWORD}@host:port/x`,
    ]) {
      const error = await open(url).catch((failure: unknown) => failure);
      expect(error).toMatchObject({ code: 'config_invalid' });
      expect(toText(error)).not.toContain(PASSWORD);
    }
  });
});

describePostgres('openPostgres', (server) => {
  it('says that the login is refused, with host and port, never the password', async () => {
    const url = new URL(server().url);
    url.password = PASSWORD;
    const error = await open(url.href).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'database_unreachable', message: expect.stringContaining(url.host) });
    expect(toText(error)).not.toContain(PASSWORD);
  });

  it('migrates once when many processes start together', async () => {
    const databaseUrl = await createPostgresDatabase(server());
    const databases = await Promise.all(
      Array.from({ length: 6 }, () => openDatabase({ dataDir: '', databaseUrl })),
    );
    const { rows } =
      (await databases[0]?.pool.query('select name from tiercel_migrations order by name')) ?? {};
    const files = await readdir(new URL('./migrations/', import.meta.url));
    expect(rows).toEqual(files.sort().map((name) => ({ name })));
    await Promise.all(databases.map((database) => database.close()));
  });

  it('stores receipts again after the server cut every connection', async () => {
    const lost: Error[] = [];
    const databaseUrl = await createPostgresDatabase(server());
    const observer = { connectionLost: (error: Error) => lost.push(error) };
    const database = await openDatabase({ dataDir: '', databaseUrl, observer });
    const other = await openDatabase({ dataDir: '', databaseUrl });
    const store = createReceiptStore(database);
    await other.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await expect.poll(() => lost.length).toBe(1);
    const id = createId();
    store.append({
      id,
      traceId: id,
      startedAt: new Date(),
      role: null,
      principal: 'local',
      tier: null,
      deployment: null,
      outcome: 'ok',
      body: '{}',
    });
    await store.flush();
    expect(await createReceiptStore(other).get(id)).toMatchObject({ id });
    await Promise.all([database.close(), other.close()]);
  });
});
