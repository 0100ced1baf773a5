import type { StoredEvent } from './event.ts';

export const EVENT_FIELDS = 'writer, seq, id, type, actor, tier, run_id, trace_id, body';

export type StoredFields = {
  writer: string;
  seq: string;
  id: string;
  type: string;
  actor: string;
  tier: string | null;
  run_id: string;
  trace_id: string;
  body: string;
};

export function fromStored(row: StoredFields): StoredEvent {
  return {
    writer: row.writer,
    seq: Number(row.seq),
    id: row.id,
    type: row.type,
    actor: row.actor,
    tier: row.tier,
    runId: row.run_id,
    traceId: row.trace_id.replaceAll('-', ''),
    body: row.body,
  };
}
