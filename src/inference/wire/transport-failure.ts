import type { AttemptFailure } from '../model.ts';

/** How an exchange ended short of an answer, as egress tells it. */
export type TransportEnd = {
  reason:
    | 'denied'
    | 'connect'
    | 'dns'
    | 'tls'
    | 'reset'
    | 'connect_timeout'
    | 'header_timeout'
    | 'idle_timeout'
    | 'deadline'
    | 'aborted'
    | 'too_large';
  message: string;
};

export type LimitInForce = { limit: string; limitMs: number };

/** Turns a transport's end into a failure that names the deployment and, for a silence, the limit that ended it. */
export function failureFromTransport(
  target: string,
  end: TransportEnd,
  inForce: LimitInForce,
  begun = true,
): AttemptFailure {
  switch (end.reason) {
    case 'denied':
      return { code: 'egress_denied', message: end.message };
    case 'aborted':
      return { code: 'client_closed', message: 'The caller went away.' };
    case 'connect_timeout':
    case 'header_timeout':
    case 'idle_timeout':
      return {
        code: 'upstream_timeout',
        message: `${target} was silent for ${Math.round(inForce.limitMs)} ms (limit ${inForce.limit}).`,
      };
    case 'deadline':
      return { code: 'upstream_timeout', message: `${target} used up its share of limits.totalMs.` };
    case 'too_large':
      return { code: 'upstream_invalid_response', message: `${target} sent an answer that is too large.` };
    case 'reset':
      return begun
        ? {
            code: 'upstream_truncated',
            message: `${target} closed the connection before the answer was whole.`,
          }
        : { code: 'upstream_unreachable', message: `${target} closed the connection without an answer.` };
    default:
      return { code: 'upstream_unreachable', message: `${target} cannot be reached: ${end.message}` };
  }
}
