import type { Receipt } from '../inference/receipt.ts';
import type { CallContents, ReceiptSink } from '../inference/recording.ts';
import type { ReceiptFilter, ReceiptStore } from '../storage/receipt.ts';

export type ReceiptWithContents = Receipt & { contents?: CallContents };

/** Receipts as callers read them. */
export interface Receipts {
  /** Null when there is none of this id. `contents` adds what was asked and answered, where it was kept. */
  get(id: string, include?: { contents: boolean }): Promise<ReceiptWithContents | null>;
  /** Newest first; the last one's id is the next page's `before`. */
  list(filter?: Partial<ReceiptFilter>): Promise<Receipt[]>;
}

export function createReceipts(store: ReceiptStore): Receipts {
  return {
    async get(id, include = { contents: false }) {
      const row = await store.get(id, include);
      if (!row) return null;
      const receipt: ReceiptWithContents = JSON.parse(row.body);
      if (include.contents && (row.request !== null || row.answer !== null)) {
        receipt.contents = {
          ...(row.request === null ? {} : { request: row.request }),
          ...(row.answer === null ? {} : { answer: row.answer }),
        };
      }
      return receipt;
    },
    async list(filter = {}) {
      const rows = await store.list({ limit: 50, ...filter });
      return rows.map(({ body }) => JSON.parse(body) as Receipt);
    },
  };
}

/**
 * Writes receipts of the inference room into the store.
 *
 * @param observers told of each, before it is stored
 */
export function createReceiptSink(
  store: ReceiptStore,
  observers: readonly ((receipt: Receipt) => void)[],
): ReceiptSink {
  return {
    append(receipt, { request = null, answer = null }) {
      for (const observe of observers) observe(receipt);
      const { id, traceId, startedAt, role, principal, served, outcome } = receipt;
      return store.append({
        id,
        traceId,
        startedAt,
        role,
        principal,
        tier: served?.tier ?? null,
        deployment: served?.deployment ?? null,
        outcome,
        body: JSON.stringify(receipt),
        request,
        answer,
        figures: {
          durationMs: receipt.durationMs,
          inputTokens: receipt.usage.inputTokens,
          outputTokens: receipt.usage.outputTokens,
          costAmount: receipt.cost?.amount ?? null,
          costCurrency: receipt.cost?.currency ?? null,
          fallbackReason: receipt.fallbackReason ?? null,
        },
      });
    },
  };
}
