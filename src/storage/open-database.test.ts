import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { describeDatabases } from '../../test/support/database.ts';
import { openDatabase } from './open-database.ts';

describeDatabases('openDatabase', (open, place) => {
  it('answers a ping', async () => {
    await expect(open().ping()).resolves.toBeUndefined();
  });

  it('keeps what a transaction wrote, and nothing of one that threw', async () => {
    const database = open();
    await database.pool.query('create table kept (n int primary key)');
    await database.transaction((client) => client.query('insert into kept values (1)'));
    const failing = database.transaction(async (client) => {
      await client.query('insert into kept values (2)');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    const { rows } = await database.pool.query('select n from kept');
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('goes on after constraint violations and syntax errors, in and out of transactions', async () => {
    const { pool, transaction } = open();
    await pool.query('create table strict (n int primary key)');
    const results = await Promise.allSettled([
      pool.query('insert into strict values ($1)', [1]),
      pool.query('insert into strict values ($1)', [1]),
      pool.query('selec nonsense'),
      pool.query('select 1; select 1/0; select 2'),
      pool.query('select $1::int as n', ['not a number']),
      transaction(async (client) => {
        await client.query('insert into strict values (2)');
        await client.query('insert into strict values (1)');
      }),
      transaction(async (client) => {
        await client.query('insert into strict values (3)');
        await client.query('syntax error').catch(() => {});
        return client.query('select 1');
      }),
      pool.query('select n from strict where n < $1', [10]),
    ]);
    const codes = results.map((result) => (result.status === 'fulfilled' ? 'ok' : result.reason.code));
    expect(codes).toEqual(['ok', '23505', '42601', '22012', '22P02', '23505', '25P02', 'ok']);
    expect((await pool.query('select n from strict order by n')).rows).toEqual([{ n: 1 }]);
  });

  it('gives each of many queries at once its own answer, with errors between them', async () => {
    const { pool } = open();
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, n) => {
        if (n % 7 === 0) return pool.query('select $1::int / 0', [n]).catch(() => n);
        if (n % 3 === 0) return (await pool.query('select $1::int as n', [n])).rows[0].n;
        const named = { name: 'same', text: 'select $1::int + 1 as n', values: [n] };
        return (await pool.query(named)).rows[0].n - 1;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 300 }, (_, n) => n));
  });

  it('says that it is ready once for each query, failed or not', async () => {
    const client = await open().pool.connect();
    let ready = 0;
    const { connection } = client as unknown as { connection: EventEmitter };
    const count = () => {
      ready += 1;
    };
    connection.on('readyForQuery', count);
    const queries = [
      'select 1',
      'select 1/0',
      'nonsense',
      'select 1; select 1/0; select 2',
      'begin',
      'nonsense',
      'rollback',
    ];
    for (const [index, text] of queries.entries()) {
      await client.query(text).catch(() => {});
      await client.query('select $1::int / $2::int', [1, index % 2]).catch(() => {});
    }
    // A failed query ends before the server is ready again, so the last must be one that does not fail.
    await client.query('select 1');
    connection.off('readyForQuery', count);
    client.release();
    expect(ready).toBe(2 * queries.length + 1);
  });

  it('uses a named statement again after it failed once', async () => {
    const client = await open().pool.connect();
    const divide = (by: number) =>
      client.query({ name: 'divide', text: 'select 12 / $1::int as n', values: [by] });
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    expect((await divide(3)).rows).toEqual([{ n: 4 }]);
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    expect((await divide(4)).rows).toEqual([{ n: 3 }]);
    client.release();
  });

  it('carries a value of a megabyte and an answer of many', async () => {
    const { pool } = open();
    const value = randomBytes(750_000).toString('base64');
    expect((await pool.query('select $1::text as value', [value])).rows[0].value).toBe(value);
    const { rows } = await pool.query("select n, repeat('x', 1000) as x from generate_series(1, 5000) as n");
    expect(rows).toHaveLength(5000);
    expect(rows.at(-1)).toEqual({ n: 5000, x: 'x'.repeat(1000) });
  });

  it('reads rows in portions, with a flush and no sync between', async () => {
    const { pool } = open();
    const query = { text: 'select n from generate_series(1, 25) as n', rows: 10 };
    expect((await pool.query(query)).rows).toHaveLength(25);
  });

  it('leaves nothing of a destroyed client: transaction, settings, statements', async () => {
    const { pool } = open();
    await pool.query('create table abandoned (n int)');
    const client = await pool.connect();
    await client.query("set application_name = 'abandoned'");
    await client.query('begin');
    await client.query('insert into abandoned values (1)');
    client.release(true);
    const fresh = await pool.connect();
    const { rows } = await fresh.query("select current_setting('application_name') as name");
    expect(rows[0].name).not.toBe('abandoned');
    await expect(fresh.query('commit')).resolves.toBeDefined();
    expect((await fresh.query('select * from abandoned')).rows).toEqual([]);
    fresh.release();
  });

  it('gives the pool back when a client is destroyed in the middle of a statement', async () => {
    const { pool } = open();
    const client = await pool.connect();
    const cut = client
      .query('select count(*) from generate_series(1, 200000)')
      .catch((error: Error) => error.message);
    client.release(new Error('given up'));
    await expect(cut).resolves.toContain('Connection terminated');
    expect((await pool.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
  });

  it('says on open that a migration is unknown or changed', async () => {
    const { pool } = open();
    if (open().kind === 'embedded') return;
    await pool.query("insert into tiercel_migrations (name, sha256) values ('9999-later.sql', '')");
    await expect(openDatabase(place())).rejects.toMatchObject({ code: 'database_unsupported' });
    await pool.query("delete from tiercel_migrations where name = '9999-later.sql'");
    await pool.query("update tiercel_migrations set sha256 = 'other' || sha256");
    await expect(openDatabase(place())).rejects.toMatchObject({ code: 'database_unsupported' });
    await pool.query("update tiercel_migrations set sha256 = replace(sha256, 'other', '')");
    await (await openDatabase(place())).close();
  });
});
