import { hostname } from 'node:os';
import type pg from 'pg';
import { createId } from '../lib/ids.ts';
import type { Database } from './database.ts';
import { isRunning, processStart } from './embedded/process-identity.ts';
import type { ChainHead, EventLease, EventRow } from './event.ts';

const LEASE_SECONDS = 30;
/** `prevHash` of a chain's first event. */
const ORIGIN_HASH = '0'.repeat(64);

type Candidate = {
  id: string;
  head_seq: string;
  head_hash: string;
  free: boolean;
  host: string;
  pid: number;
  process_start: string | null;
};

/**
 * Takes a chain to append to: the one that was last written on this machine and whose holder has released it, let it expire or
 * is dead; else a new one. An embedded database has one process, so there every earlier holder is dead.
 */
export async function takeLease(database: Database): Promise<EventLease> {
  const token = createId();
  const taken = await database.transaction(async (client) => {
    const { rows } = await client.query<Candidate>(
      `select id, head_seq, head_hash, host, pid, process_start, token is null or expires_at < now() as free
       from event_writers order by host = $1 desc, id desc for update skip locked`,
      [hostname()],
    );
    const found = rows.find((row) => row.free || isDead(row, database.kind));
    if (found === undefined) return begin(client, token);
    await client.query(
      `update event_writers set token = $2, expires_at = now() + interval '${LEASE_SECONDS} s',
         host = $3, pid = $4, process_start = $5 where id = $1`,
      [found.id, token, hostname(), process.pid, processStart(process.pid)],
    );
    return { writer: found.id, head: { seq: Number(found.head_seq), hash: found.head_hash } };
  });
  return toLease(database, taken, token);
}

/**
 * A process of another machine cannot be seen from here. But an embedded database is locked to this one process, whatever its
 * machine was called when it was written last.
 */
function isDead({ host, pid, process_start }: Candidate, kind: Database['kind']): boolean {
  return host === hostname() ? !isRunning(pid, process_start) : kind === 'embedded';
}

async function begin(client: pg.PoolClient, token: string): Promise<{ writer: string; head: ChainHead }> {
  const writer = createId();
  await client.query(
    `insert into event_writers (id, head_hash, archived_hash, token, expires_at, host, pid, process_start)
     values ($1, $2, $2, $3, now() + interval '${LEASE_SECONDS} s', $4, $5, $6)`,
    [writer, ORIGIN_HASH, token, hostname(), process.pid, processStart(process.pid)],
  );
  return { writer, head: { seq: 0, hash: ORIGIN_HASH } };
}

function toLease(
  { kind, pool }: Database,
  { writer, head }: { writer: string; head: ChainHead },
  token: string,
): EventLease {
  return {
    writer,
    head,
    async append(rows, next) {
      const { rows: held } = await pool.query<{ held: number }>({
        // Prepared once where the connection is ours alone; a pooler may give each statement another.
        ...(kind === 'embedded' ? { name: 'append-events' } : {}),
        text: APPEND,
        values: [writer, token, next.seq - rows.length, next.seq, next.hash, ...toColumns(rows)],
      });
      return held[0]?.held === 1;
    },
    async renew() {
      const { rowCount } = await pool.query(
        `update event_writers set expires_at = now() + interval '${LEASE_SECONDS} s' where id = $1 and token = $2`,
        [writer, token],
      );
      return rowCount === 1;
    },
    async release() {
      await pool.query('update event_writers set token = null where id = $1 and token = $2', [writer, token]);
    },
  };
}

/**
 * The columns come as lines of one text each, which no value can break: bodies are JSON in one line, and the rest holds no
 * control characters. Measured on the embedded engine: twice as many rows a second as one INSERT of many VALUES, since the
 * statement is short and always the same, and nothing is escaped. The lease is checked and renewed in the same statement.
 */
const APPEND = `
with lease as (
  update event_writers
  set head_seq = greatest(head_seq, $4::bigint), head_hash = $5, expires_at = now() + interval '${LEASE_SECONDS} s'
  where id = $1 and token = $2 returning id
), stored as (
  insert into events (writer, seq, id, type, actor, tier, run_id, trace_id, body)
  select lease.id, $3::bigint + n, row.id::uuid, type, actor, tier, run_id::uuid, trace_id::uuid, body
  from lease cross join unnest(
    string_to_array($6::text, E'\\n'), string_to_array($7::text, E'\\n'), string_to_array($8::text, E'\\n'),
    string_to_array($9::text, E'\\n', ''), string_to_array($10::text, E'\\n'), string_to_array($11::text, E'\\n'),
    string_to_array($12::text, E'\\n')
  ) with ordinality as row (id, type, actor, tier, run_id, trace_id, body, n)
  on conflict (writer, seq) do nothing
)
select count(*)::int as held from lease`;

function toColumns(rows: readonly EventRow[]): string[] {
  const columns: string[][] = [[], [], [], [], [], [], []];
  for (const { id, type, actor, tier, runId, traceId, body } of rows) {
    for (const [at, value] of [id, type, actor, tier ?? '', runId, traceId, body].entries()) {
      columns[at]?.push(value);
    }
  }
  return columns.map((lines) => lines.join('\n'));
}
