import type pg from 'pg';
import { isId } from '../lib/ids.ts';
import type { Database } from './database.ts';
import type { Chain, EventStore, StoredEvent } from './event.ts';
import { takeLease } from './event-lease.ts';
import { EVENT_FIELDS, fromStored, type StoredFields } from './event-row.ts';
import { searchEvents } from './event-search.ts';

/** Events in the database. */
export function createEventStore(database: Database): EventStore {
  const { pool } = database;
  const find = async (condition: string, values: unknown[]): Promise<StoredEvent[]> => {
    const { rows } = await pool.query<StoredFields>(
      `select ${EVENT_FIELDS} from events where ${condition}`,
      values,
    );
    return rows.map(fromStored);
  };

  return {
    lease: () => takeLease(database),
    chains: () => readChains(pool),
    readChain: (writer, after, limit, through = Number.MAX_SAFE_INTEGER) =>
      find('writer = $1 and seq > $2 and seq <= $3 order by seq limit $4', [writer, after, through, limit]),
    async get(id) {
      return isId(id) ? ((await find('id = $1', [id]))[0] ?? null) : null;
    },
    ofTrace: (traceId, limit) => find('trace_id = $1 order by id limit $2', [traceId, limit]),
    ofRun: (runId, limit) => find('run_id = $1 order by id limit $2', [runId, limit]),
    firstOfRuns: (limit, before) =>
      before === undefined
        ? find('id = run_id order by id desc limit $1', [limit])
        : find('id = run_id and id < $2 order by id desc limit $1', [limit, before]),
    search: (filter, limit) => searchEvents(pool, filter, limit),
    async seqAt(writer, id) {
      const { rows } = await pool.query<{ seq: string }>(
        `select coalesce(
           (select seq from events where writer = $1 and id <= $2 order by seq desc limit 1),
           (select archived_seq from event_writers where id = $1)
         ) as seq`,
        [writer, id],
      );
      return Number(rows[0]?.seq ?? 0);
    },
    dropThrough: (writer, { seq, hash }) =>
      database.transaction(async (client) => {
        await client.query('delete from events where writer = $1 and seq <= $2', [writer, seq]);
        await client.query(
          'update event_writers set archived_seq = $2, archived_hash = $3 where id = $1 and archived_seq < $2',
          [writer, seq, hash],
        );
      }),
  };
}

async function readChains(pool: pg.Pool): Promise<Chain[]> {
  const { rows } = await pool.query<{
    id: string;
    head_seq: string;
    head_hash: string;
    archived_seq: string;
    archived_hash: string;
  }>('select id, head_seq, head_hash, archived_seq, archived_hash from event_writers order by id');
  return rows.map((row) => ({
    writer: row.id,
    head: { seq: Number(row.head_seq), hash: row.head_hash },
    archived: { seq: Number(row.archived_seq), hash: row.archived_hash },
  }));
}
