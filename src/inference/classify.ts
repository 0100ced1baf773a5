import type { ErrorCode } from '../errors.ts';
import type { Verdict } from './breaker.ts';
import type { AttemptFailure } from './model.ts';
import type { RepairName } from './repair.ts';

/** What follows a failed attempt. */
export type NextStep =
  | { step: 'repair'; repair: RepairName }
  | { step: 'retry'; delayMs: number }
  | { step: 'reask' }
  | { step: 'next' }
  | { step: 'stop' };

export type AttemptSituation = {
  retriesLeft: number;
  /** Time that this candidate has left, in milliseconds. */
  timeLeftMs: number;
  /** The repair that the failure calls for, when one is left. */
  repair: RepairName | null;
  /** The candidate is a breaker's probe: exactly one attempt, whatever comes. */
  probe: boolean;
  reasked: boolean;
  /** Whether a later candidate is known to hold more context than this one. */
  largerContextAhead: boolean;
  /** 0 to 1, for the jitter. */
  random: number;
};

const RETRY_BASE_MS = 100;

const STOP = { step: 'stop' } as const;
const NEXT = { step: 'next' } as const;

/** The classification table of the specification. Pure, so each row has a test of its own. */
export function nextStep(failure: AttemptFailure, situation: AttemptSituation): NextStep {
  switch (failure.code) {
    case 'upstream_unsupported_parameter':
      return situation.repair ? { step: 'repair', repair: situation.repair } : NEXT;
    case 'answer_invalid':
      return situation.reasked || situation.probe ? NEXT : { step: 'reask' };
    case 'upstream_rate_limited':
      return failure.retryAfterMs === undefined ? NEXT : retry(failure.retryAfterMs, situation);
    case 'upstream_unreachable':
    case 'upstream_unavailable':
      return retry(failure.retryAfterMs ?? RETRY_BASE_MS * (0.5 + situation.random), situation);
    case 'context_length_exceeded':
      return situation.largerContextAhead ? NEXT : STOP;
    case 'upstream_rejected_request':
    case 'content_filtered':
    case 'client_closed':
    case 'deadline_exceeded':
      return STOP;
    default:
      return NEXT;
  }
}

function retry(delayMs: number, situation: AttemptSituation): NextStep {
  const fits = delayMs < situation.timeLeftMs;
  return situation.retriesLeft > 0 && !situation.probe && fits ? { step: 'retry', delayMs } : NEXT;
}

const HEALTHY_CODES: ReadonlySet<ErrorCode> = new Set([
  // The target answered, and the fault is the request's.
  'context_length_exceeded',
  'upstream_rejected_request',
  'content_filtered',
  'upstream_unsupported_parameter',
  // The target works; its model did not follow one caller's schema. Three strange schemas must not shut it for all.
  'answer_invalid',
]);

/** What a failure says about the health of its target. */
export function verdictOf(failure: AttemptFailure): Verdict {
  if (failure.code === 'client_closed' || failure.code === 'egress_denied') return { kind: 'neutral' };
  if (HEALTHY_CODES.has(failure.code)) return { kind: 'healthy' };
  return failure.retryAfterMs === undefined
    ? { kind: 'failing' }
    : { kind: 'failing', retryAfterMs: failure.retryAfterMs };
}
