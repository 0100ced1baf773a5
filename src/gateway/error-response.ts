import { ERRORS, type TiercelError } from '../errors.ts';

/** An error as OpenAI's clients expect it, serialised. Members of `details.extra` stand beside the four of OpenAI. */
export function toErrorJson({ message, code, details }: TiercelError): string {
  const { param = null, extra, receiptId } = details;
  return JSON.stringify({
    error: {
      message,
      type: ERRORS[code].type,
      code,
      param,
      ...(receiptId === undefined ? {} : { receipt_id: receiptId }),
      ...extra,
    },
  });
}

/** The headers that go with an error. */
export function errorHeaders({ code, details }: TiercelError): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  const { receiptId, retryAfterMs } = details;
  if (receiptId !== undefined) headers['x-tiercel-receipt'] = receiptId;
  if (retryAfterMs !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
  // RFC 9110 §11.6.1: a 401 says how to authenticate.
  if (code === 'invalid_api_key') headers['www-authenticate'] = 'Bearer';
  return headers;
}
