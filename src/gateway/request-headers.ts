import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { COMMITS, type Commit } from '../config/settings.ts';
import { TiercelError } from '../errors.ts';
import { createId } from '../lib/ids.ts';

const REQUEST_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** The caller's `x-request-id` when it is a plain token of at most 128 characters, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : createId();
}

// https://www.w3.org/TR/trace-context/#traceparent-header: an all-zero id is invalid, as is version ff; versions to come
// may add fields after the flags.
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:$|-)/;

/** The trace and the span that the request comes from. A header that is wrong is ignored, as the standard asks. */
export function traceOf({ traceparent }: IncomingHttpHeaders): { traceId?: string; parentSpanId?: string } {
  const [, traceId, parentSpanId] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  return traceId && parentSpanId ? { traceId, parentSpanId } : {};
}

/** Whether the receipt is wanted in the body. @throws TiercelError `invalid_header` */
export function wantsReceipt(headers: IncomingHttpHeaders): boolean {
  const given = headers['x-tiercel-include'];
  if (given === undefined) return false;
  if (given === 'receipt') return true;
  throw invalidHeader('x-tiercel-include', 'receipt');
}

/** When a stream is committed, where the call says so. @throws TiercelError `invalid_header` */
export function commitOf(headers: IncomingHttpHeaders): Commit | undefined {
  const given = headers['x-tiercel-commit'];
  if (given === undefined) return undefined;
  const commit = COMMITS.find((one) => one === given);
  if (commit === undefined) throw invalidHeader('x-tiercel-commit', COMMITS.join(' or '));
  return commit;
}

function invalidHeader(name: string, allowed: string): TiercelError {
  return new TiercelError('invalid_header', `The header ${name} may be ${allowed}.`, { param: name });
}
