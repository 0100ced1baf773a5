import type { Database, StorageObserver } from './database.ts';
import type { ReceiptFilter, ReceiptRow, ReceiptStore, StoredReceipt } from './receipt.ts';
import { insertReceipts } from './receipt-insert.ts';
import { summariseReceipts } from './receipt-summary.ts';
import { ReceiptWriter } from './receipt-writer.ts';

const FIELDS = 'id, trace_id, started_at, role, principal, tier, deployment, outcome, body';

type Stored = {
  id: string;
  trace_id: string;
  started_at: Date;
  role: string | null;
  principal: string;
  tier: string | null;
  deployment: string | null;
  outcome: string;
  body: string;
  request: string | null;
  answer: string | null;
};

/** Receipts in the database. Call `flush` before the database is closed. */
export function createReceiptStore(database: Database, observer: StorageObserver = {}): ReceiptStore {
  const { pool } = database;
  const writer = new ReceiptWriter((rows) => insertReceipts(database, rows), observer);

  return {
    append: (row) => writer.append(row),
    flush: () => writer.flush(),

    async get(id, { contents } = { contents: true }) {
      const pending = writer.pending(id.toLowerCase());
      if (pending !== undefined) return fromPending(pending, contents);
      const { rows } = await pool.query<Stored>(
        `select ${FIELDS}, ${contents ? 'request, answer' : 'null as request, null as answer'} from receipts where id = $1`,
        [id],
      );
      return rows[0] === undefined ? null : fromStored(rows[0]);
    },

    async list(filter) {
      await writer.flush();
      const { where, values } = toWhere(filter);
      const { rows } = await pool.query<Stored>(
        `select ${FIELDS}, null as request, null as answer from receipts ${where} order by id desc limit $1`,
        [filter.limit, ...values],
      );
      return rows.map(fromStored);
    },

    async summarise(filter) {
      await writer.flush();
      return summariseReceipts(pool, filter);
    },
  };
}

function toWhere(filter: ReceiptFilter): { where: string; values: string[] } {
  const conditions: [string, string | undefined][] = [
    ['id <', filter.before],
    ['principal =', filter.principal],
    ['tier =', filter.tier],
    ['outcome =', filter.outcome],
    ['role =', filter.role],
  ];
  const set = conditions.filter((condition): condition is [string, string] => condition[1] !== undefined);
  if (set.length === 0) return { where: '', values: [] };
  return {
    // $1 is the limit.
    where: `where ${set.map(([test], index) => `${test} $${index + 2}`).join(' and ')}`,
    values: set.map(([, value]) => value),
  };
}

function fromPending({ figures: _, ...row }: ReceiptRow, contents: boolean): StoredReceipt {
  return {
    ...row,
    startedAt: new Date(row.startedAt).toISOString(),
    request: (contents && row.request) || null,
    answer: (contents && row.answer) || null,
  };
}

function fromStored(row: Stored): StoredReceipt {
  const { trace_id: traceId, started_at: startedAt, ...rest } = row;
  return { ...rest, traceId, startedAt: startedAt.toISOString() };
}
