import { ask } from './client.ts';
import type { Page, Receipt } from './types.ts';

export type ReceiptFilter = { tier?: string | undefined; outcome?: string | undefined };

/** Receipts of calls, newest first, in pages. */
export async function getReceipts(
  filter: ReceiptFilter,
  { cursor, limit, signal }: { cursor: string | null; limit: number; signal: AbortSignal },
): Promise<Page<Receipt>> {
  const query = { ...filter, limit, before: cursor ?? undefined };
  const { receipts } = await ask<{ receipts: Receipt[] }>('/api/receipts', { query, signal });
  return { data: receipts, next: receipts.length < limit ? null : (receipts.at(-1)?.id ?? null) };
}
