import type { TraceEvent } from '../../api/types.ts';
import { type Sign, signOfTier } from '../../kit/tier.tsx';
import { isBadEvent } from '../inspector/selection.ts';

const DEGRADED = /^(INFERENCE_FELL_BACK|INFERENCE_REPAIRED|BREAKER_OPENED)$/;

/** The shape and colour of an event: what went wrong first, then who it was about. */
export function signOf(event: TraceEvent): Sign {
  if (isBadEvent(event)) return event.payload['outcome'] === 'truncated' ? 'degraded' : 'failed';
  return DEGRADED.test(event.type) ? 'degraded' : signOfTier(event.tier);
}
