import { randomBytes } from 'node:crypto';
import { createId } from '../lib/ids.ts';
import { createSpanId } from './context.ts';
import { type EventText, toEventText } from './event-text.ts';
import type { SignedHead } from './signing-key.ts';

/** The event that carries a signed head. It belongs to the chain alone, so to no run that came before. */
export function toCheckpointText({ seq, hash, publicKey, signature }: SignedHead): EventText {
  return toEventText({
    id: createId(),
    ts: new Date().toISOString(),
    runId: createId(),
    traceId: randomBytes(16).toString('hex'),
    spanId: createSpanId(),
    type: 'LEDGER_CHECKPOINT',
    actor: 'ledger',
    message: `Checkpoint over ${seq} events`,
    payload: { seq, hash, publicKey, signature },
  });
}
