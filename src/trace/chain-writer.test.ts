import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../test/support/database.ts';
import { clearLedger, emitMany, openTestLedger } from '../../test/support/ledger.ts';
import type { Database } from '../storage/database.ts';

let database: Database;
let folder: string;
beforeAll(async () => {
  database = await openTemporaryDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await clearLedger(database);
  folder = await mkdtemp(join(tmpdir(), 'tiercel-writer-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The database, whose appends can be made to fail: before they arrive, or after, so that nobody knows. */
function unreliable(): { database: Database; fail: { before: number; after: number }; batches: number[] } {
  const fail = { before: 0, after: 0 };
  const batches: number[] = [];
  const pool = Object.create(database.pool) as pg.Pool;
  pool.query = (async (...parameters: unknown[]) => {
    const query = parameters[0] as { text?: string; values?: unknown[] };
    const isAppend = query.text?.includes('insert into events') === true;
    if (isAppend) batches.push(String(query.values?.at(-1)).split('\n').length);
    if (isAppend && fail.before > 0) {
      fail.before -= 1;
      throw new Error('connection refused');
    }
    const result = await database.pool.query(...(parameters as [string]));
    if (isAppend && fail.after > 0) {
      fail.after -= 1;
      throw new Error('connection reset');
    }
    return result;
  }) as unknown as pg.Pool['query'];
  return { database: { ...database, pool }, fail, batches };
}

it('stores many at once in few batches, in their order', async () => {
  const { database: watched, batches } = unreliable();
  const { ledger, close } = await openTestLedger(watched, { dataDir: folder });
  const ids = emitMany(ledger, 900);
  await ledger.flush();
  expect(batches).toEqual([500, 400]);
  const { rows } = await database.pool.query<{ id: string }>('select id from events order by seq');
  expect(rows.map(({ id }) => id)).toEqual(ids);
  await close();
});

it('keeps the chain whole when it is not known whether a batch arrived', async () => {
  const { database: watched, fail } = unreliable();
  const delayed: number[] = [];
  const observer = { eventsDelayed: (events: number) => delayed.push(events) };
  const { ledger, close } = await openTestLedger(watched, { dataDir: folder, observer });
  for (let round = 0; round < 6; round++) {
    fail.after = round % 2;
    fail.before = round % 3 === 0 ? 1 : 0;
    emitMany(ledger, 400);
    await ledger.flush();
  }
  expect(delayed.length).toBeGreaterThanOrEqual(4);
  expect(await ledger.verify()).toMatchObject({ intact: true, chains: [{ last: ledger.head.seq }] });
  expect(ledger.head.seq).toBeGreaterThanOrEqual(2400);
  await close();
});

it('tells who waits when the database stays away, and stores all once it is back', async () => {
  const { database: watched, fail } = unreliable();
  const { ledger, close } = await openTestLedger(watched, { dataDir: folder });
  fail.before = 4;
  const payload = { deployment: 'x' };
  const recorded = ledger.trace.record('BREAKER_CLOSED', { actor: 'a', message: 'm', payload });
  await expect(recorded).rejects.toMatchObject({ code: 'not_ready' });
  await expect.poll(() => ledger.waiting).toBe(0);
  expect(await ledger.verify()).toMatchObject({ intact: true, events: 1 });
  await close();
});

it('leaves out an event that the database refuses, says so, and keeps its neighbours in an unbroken chain', async () => {
  const lost: number[] = [];
  const observer = { eventsLost: (events: number) => lost.push(events) };
  const { ledger, close } = await openTestLedger(database, { dataDir: folder, observer });
  emitMany(ledger, 20);
  const broken = { runId: 'no uuid', traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  const payload = { deployment: 'x' };
  const recorded = ledger.trace.record('BREAKER_CLOSED', { actor: 'a', message: 'm', payload }, broken);
  emitMany(ledger, 20);
  await expect(recorded).rejects.toMatchObject({
    code: 'not_ready',
    message: expect.stringContaining('refused'),
  });
  await ledger.flush();
  expect(lost).toEqual([1]);
  const report = await ledger.verify();
  expect(report).toMatchObject({ intact: true, events: 41 });
  const { events } = await ledger.events({ type: 'EVENTS_LOST' });
  expect(events).toMatchObject([{ payload: { count: 1 } }]);
  await close();
});

it('makes callers wait when the queue is long, and loses beyond twice that, counted', async () => {
  const { database: watched, fail } = unreliable();
  const lost: number[] = [];
  const observer = { eventsLost: (events: number) => lost.push(events) };
  const limits = { events: 10, characters: 1_000_000 };
  const { ledger, close } = await openTestLedger(watched, { dataDir: folder, observer, limits });
  fail.before = 2;
  emitMany(ledger, 9);
  expect(ledger.room()).toBeUndefined();
  emitMany(ledger, 1);
  const room = ledger.room();
  expect(room).toBeInstanceOf(Promise);
  emitMany(ledger, 12);
  expect(lost).toEqual([1, 1]);
  await room;
  await ledger.flush();
  await expect
    .poll(async () => (await ledger.events({ type: 'EVENTS_LOST' })).events)
    .toMatchObject([{ payload: { count: 2 } }]);
  expect(await ledger.verify()).toMatchObject({ intact: true, events: 21 });
  await close();
});

it('goes on with a chain of its own when another process has taken the first', async () => {
  const taken: string[] = [];
  const observer = { chainLost: (writer: string) => taken.push(writer) };
  const { ledger, close } = await openTestLedger(database, { dataDir: folder, observer });
  const { writer } = ledger;
  emitMany(ledger, 5);
  await ledger.flush();
  await database.pool.query('update event_writers set token = $1', [writer]);
  emitMany(ledger, 5);
  await ledger.checkpoint();
  expect(taken).toEqual([writer]);
  expect(ledger.writer).not.toBe(writer);
  expect(await ledger.verify()).toMatchObject({ intact: true, chains: [{ events: 5 }, { events: 6 }] });
  await close();
});
