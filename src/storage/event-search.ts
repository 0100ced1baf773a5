import type pg from 'pg';
import type { EventFilter, EventPage } from './event.ts';
import { EVENT_FIELDS, fromStored, type StoredFields } from './event-row.ts';

/** How many events one search looks at. Their bodies are read where no index helps, which takes the embedded engine some 30 ms. */
const WINDOW = 5_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Newest first. No index serves type, actor and text, because each would slow down every event that is written, and searches
 * are few: instead each search looks at one window of the ids. A run's and a trace's events are found by their indexes.
 */
export async function searchEvents(pool: pg.Pool, filter: EventFilter, limit: number): Promise<EventPage> {
  const before = filter.beforeId ?? LAST_ID;
  const after = filter.afterId ?? null;
  const isIndexed = filter.runId !== undefined || filter.traceId !== undefined;
  const floor = isIndexed ? null : await windowEnd(pool, before);
  const lowest = floor !== null && (after === null || floor > after) ? floor : null;
  const { conditions, values } = toConditions(filter, [before, limit, lowest ?? after]);
  const bound = lowest !== null ? 'and id >= $3' : 'and ($3::uuid is null or id > $3)';
  const { rows } = await pool.query<StoredFields>(
    // Materialised, so that an engine that gathers no statistics does not walk the ids instead of using the index.
    isIndexed
      ? `with found as materialized (select ${EVENT_FIELDS} from events where ${conditions})
         select * from found where id < $1 ${bound} order by id desc limit $2`
      : `select ${EVENT_FIELDS} from events where id < $1 ${bound} ${conditions && `and ${conditions}`} order by id desc limit $2`,
    values,
  );
  const last = rows.length === limit ? (rows.at(-1)?.id ?? null) : lowest;
  return { rows: rows.map(fromStored), scannedTo: last };
}

async function windowEnd(pool: pg.Pool, before: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from events where id < $1 order by id desc offset ${WINDOW - 1} limit 1`,
    [before],
  );
  return rows[0]?.id ?? null;
}

function toConditions(filter: EventFilter, first: unknown[]): { conditions: string; values: unknown[] } {
  const values = [...first];
  const conditions: string[] = [];
  const add = (test: string, value: unknown) => {
    if (value !== undefined) conditions.push(test.replace('?', `$${values.push(value)}`));
  };
  add('type = any(?)', filter.types);
  add('actor = ?', filter.actor);
  add('tier = ?', filter.tier);
  add('run_id = ?', filter.runId);
  add('trace_id = ?', filter.traceId);
  // In "C", letters outside ASCII have no case: a tenth of the time that Unicode takes.
  add('body collate "C" ilike ?', filter.q && `%${filter.q.replaceAll(/[\\%_]/g, '\\$&')}%`);
  return { conditions: conditions.join(' and '), values };
}
