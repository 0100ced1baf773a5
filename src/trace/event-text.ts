import { hash as digest } from 'node:crypto';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { ChainHead, EventRow } from '../storage/event.ts';

/** An event of any catalogue before it is chained. */
export type LooseEvent = {
  id: string;
  ts: string;
  runId: string;
  traceId: string;
  spanId: string;
  causeId?: string;
  type: string;
  actor: string;
  tier?: string;
  message: string;
  payload: Readonly<Record<string, unknown>>;
};

/** An event written down, but for what its place in the chain will add. */
export type EventText = Omit<EventRow, 'body'> & {
  /** `{"actor":…` up to where `hash` belongs. */
  readonly head: string;
  /** From `id` to where the value of `prevHash` belongs. */
  readonly middle: string;
  readonly run: string;
  readonly end: string;
};

/**
 * The canonical JSON of an event in four pieces. RFC 8785 sorts members by name, and these names are known, so only message,
 * actor and payload have to be serialised with care; a property test holds the whole equal to {@link canonicalJson}.
 *
 * @throws TypeError as `canonicalJson`
 */
export function toEventText(event: LooseEvent): EventText {
  const { id, ts, runId, traceId, spanId, causeId, type, actor, tier, message, payload } = event;
  return {
    id,
    type,
    actor,
    tier: tier ?? null,
    runId,
    traceId,
    head: `{"actor":${canonicalJson(actor)}${causeId === undefined ? '' : `,"causeId":${JSON.stringify(causeId)}`}`,
    middle: `,"id":"${id}","message":${canonicalJson(message)},"payload":${canonicalJson(payload)},"prevHash":"`,
    run: `","runId":${JSON.stringify(runId)},"seq":`,
    end: `,"spanId":${JSON.stringify(spanId)}${tier === undefined ? '' : `,"tier":${JSON.stringify(tier)}`},"traceId":${JSON.stringify(traceId)},"ts":"${ts}","type":"${type}","writer":"`,
  };
}

/** Gives an event its place after `head`: the row to store, and the new head. */
export function seal(text: EventText, writer: string, head: ChainHead): { row: EventRow; head: ChainHead } {
  const { id, type, actor, tier, runId, traceId } = text;
  const seq = head.seq + 1;
  const rest = `${text.middle}${head.hash}${text.run}${seq}${text.end}${writer}"}`;
  const hash = sha256(text.head + rest);
  const body = `${text.head},"hash":"${hash}"${rest}`;
  return { row: { id, type, actor, tier, runId, traceId, body }, head: { seq, hash } };
}

/** 64 hex digits. The one-shot function takes half the time of a hash object. */
export function sha256(text: string): string {
  return digest('sha256', text);
}
