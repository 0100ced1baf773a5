import { expect, it } from 'vitest';
import { createId } from '../lib/ids.ts';
import type { ReceiptRow } from './receipt.ts';
import { ReceiptWriter } from './receipt-writer.ts';

const LIMITS = { rows: 10, characters: 1_000_000, waitMs: 60 };

function toRow(body = '{}'): ReceiptRow {
  const now = new Date();
  return {
    id: createId(),
    traceId: createId(),
    startedAt: now,
    role: null,
    principal: 'local',
    tier: null,
    deployment: null,
    outcome: 'ok',
    body,
  };
}

/** A database that can be taken away, and counts. */
function createTable() {
  const table = {
    away: false,
    batches: [] as number[],
    ids: [] as string[],
    async insert(rows: readonly ReceiptRow[]) {
      if (table.away) throw new Error('connection refused');
      table.batches.push(rows.length);
      table.ids.push(...rows.map((row) => row.id));
    },
  };
  return table;
}

it('stores neighbours together and in the order of their coming', async () => {
  const table = createTable();
  const writer = new ReceiptWriter(table.insert, {});
  const rows = Array.from({ length: 1200 }, () => toRow());
  for (const row of rows) expect(writer.append(row)).toBeUndefined();
  await writer.flush();
  expect(table.batches).toEqual([500, 500, 200]);
  expect(table.ids).toEqual(rows.map((row) => row.id));
});

it('stores without being told to', async () => {
  const table = createTable();
  const writer = new ReceiptWriter(table.insert, {});
  writer.append(toRow());
  await expect.poll(() => table.batches, { interval: 5 }).toEqual([1]);
});

it('keeps rows while the database is away, tells of it, and stores them once it is back', async () => {
  const table = createTable();
  const delayed: string[] = [];
  const writer = new ReceiptWriter(table.insert, {
    receiptsDelayed: (n, error) => delayed.push(`${n} ${error.message}`),
  });
  table.away = true;
  const row = toRow();
  writer.append(row);
  await expect(writer.flush()).rejects.toMatchObject({ code: 'not_ready' });
  expect(delayed).toEqual(Array.from({ length: 3 }, () => '1 connection refused'));
  expect(writer.pending(row.id)).toBe(row);
  table.away = false;
  await writer.flush();
  expect(table.ids).toEqual([row.id]);
  expect(writer.pending(row.id)).toBeUndefined();
});

it('sends long rows in smaller batches', async () => {
  const table = createTable();
  const writer = new ReceiptWriter(table.insert, {});
  for (let n = 0; n < 6; n++) writer.append(toRow('x'.repeat(4 * 1024 * 1024)));
  await writer.flush();
  expect(table.batches).toEqual([2, 2, 2]);
});

it('makes the caller wait when full, and takes the row when there is room', async () => {
  const table = createTable();
  const writer = new ReceiptWriter(table.insert, {}, { ...LIMITS, waitMs: 10_000 });
  for (let n = 0; n < 10; n++) writer.append(toRow());
  const waiting = writer.append(toRow());
  expect(waiting).toBeInstanceOf(Promise);
  await waiting;
  await writer.flush();
  expect(table.ids).toHaveLength(11);
});

it('is full by the size of its texts as well', async () => {
  const writer = new ReceiptWriter(createTable().insert, {}, { ...LIMITS, characters: 100 });
  expect(writer.append(toRow('x'.repeat(100)))).toBeUndefined();
  const waiting = writer.append(toRow());
  expect(waiting).toBeInstanceOf(Promise);
  await waiting;
  await writer.flush();
});

it('refuses a row, and counts it as lost, when no room comes in time', async () => {
  const table = createTable();
  const lost: number[] = [];
  const writer = new ReceiptWriter(table.insert, { receiptsLost: (rows) => lost.push(rows) }, LIMITS);
  table.away = true;
  for (let n = 0; n < 10; n++) writer.append(toRow());
  await expect(writer.append(toRow())).rejects.toMatchObject({ code: 'not_ready' });
  expect(lost).toEqual([1]);
  table.away = false;
  await writer.flush();
  expect(table.ids).toHaveLength(10);
});
