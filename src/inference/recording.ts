import { createHash } from 'node:crypto';
import type { Content } from '../config/settings.ts';
import type { Admitted } from '../governance/admission.ts';
import type { Receipt } from './receipt.ts';
import type { Ending, ReceiptDraft } from './receipt-draft.ts';

/** What was asked and answered, as JSON text, or its SHA-256 where `content: digest` is in force. */
export type CallContents = { request?: string; answer?: string };

/** Where finished receipts go. A promise that it gives is waited for: the store is full and asks for patience. */
export interface ReceiptSink {
  append(receipt: Receipt, contents: CallContents): void | Promise<void>;
}

export type Recorder = {
  draft: ReceiptDraft;
  admitted: Admitted;
  sink: ReceiptSink;
  content: Content;
  /** Called only when content is stored. */
  request(): string;
};

/** Ends a call: closes its receipt, settles what was reserved, hands the receipt to the store. */
export async function record(
  recorder: Recorder,
  ending: Ending,
  answer: (() => string) | null,
): Promise<Receipt> {
  const receipt = recorder.draft.finish(ending);
  const { inputTokens, outputTokens, source } = receipt.usage;
  try {
    const settled = recorder.admitted.settle({ inputTokens, outputTokens, source, outcome: receipt.outcome });
    if (settled) await settled;
  } finally {
    const stored = recorder.sink.append(receipt, contentsOf(recorder, answer));
    if (stored) await stored;
  }
  return receipt;
}

function contentsOf({ content, request }: Recorder, answer: (() => string) | null): CallContents {
  if (content === 'off') return {};
  const keep = content === 'digest' ? sha256 : (text: string) => text;
  return { request: keep(request()), ...(answer ? { answer: keep(answer()) } : {}) };
}

function sha256(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
