import type { Receipt } from '../inference/receipt.ts';

/** The short form of a receipt that every answer of the model routes carries. */
export type Head = {
  receiptId: string;
  served: Pick<NonNullable<Receipt['served']>, 'tier' | 'model'>;
  fallbackReason: string | null;
};

/** The headers of an answer, `more` included. */
export function answerHeaders(
  { receiptId, served, fallbackReason }: Head,
  requestId: string,
  more: Record<string, string | number>,
): Record<string, string | number> {
  return {
    ...more,
    'x-request-id': requestId,
    'x-tiercel-receipt': receiptId,
    'x-tiercel-tier': served.tier,
    'x-tiercel-model': toHeaderValue(served.model),
    'x-tiercel-fallback': fallbackReason ?? 'none',
  };
}

const LONGEST = 200;

/**
 * A target names its model itself, and what it says may hold anything. Only printable ASCII can stand in a header
 * that every client reads alike; the rest becomes `?`, and the body has the name as it came.
 */
export function toHeaderValue(text: string): string {
  return text.slice(0, LONGEST).replace(/[^\x20-\x7e]/g, '?');
}

/** What the headers hold, for the description. */
export const ANSWER_HEADERS = {
  'x-request-id': 'The request’s own `x-request-id`, or a new one.',
  'x-tiercel-receipt': 'The id of the receipt; see `GET /api/receipts/{id}`.',
  'x-tiercel-tier': 'The tier that served: `live`, `local` or `simulation`.',
  'x-tiercel-model': 'The model that served, as it named itself; other than printable ASCII is shown as `?`.',
  'x-tiercel-fallback': 'Why the plan’s first candidate did not serve, or `none`.',
} as const;
