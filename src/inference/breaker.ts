import type { BreakerSettings } from '../config/settings.ts';

/**
 * A breaker per deployment. `closed`: calls pass, consecutive failures are counted. `open`: none passes until
 * `until`. `half_open`: the cool-down is over and the next call may be the one probe; while it is under way the view is `open` again for
 * all others. Success closes, failure opens anew. No state lasts for the life of the process.
 */
export type BreakerView =
  | { state: 'closed'; failures: number }
  | { state: 'open'; until: number }
  | { state: 'half_open' };

/** What an attempt says about its target. `neutral` says nothing: the caller went away before there was an answer. */
export type Verdict = { kind: 'healthy' } | { kind: 'neutral' } | { kind: 'failing'; retryAfterMs?: number };

export type BreakerChange = { deployment: string; to: 'opened' | 'probed' | 'closed'; until?: number };

/** Leave to make one attempt; {@link Permit.report} is to be called once when it has ended. */
export type Permit = { probe: boolean; report(verdict: Verdict): void };

export interface Breakers {
  view(deployment: string): BreakerView;
  /** Null when the breaker is open, or another call is the probe. `force` asks even so: the last way left. */
  acquire(deployment: string, force?: boolean): Permit | null;
  reset(deployment: string): void;
  /** Those that are not plainly closed without failures. */
  list(): { deployment: string; view: BreakerView }[];
}

// A target may ask for days ("Retry-After: 287441"); it is looked at again after an hour even so.
const LONGEST_COOL_DOWN_MS = 3_600_000;

type State = { failures: number[]; openUntil: number | null; probing: boolean };

/**
 * @param settings read at each use, so a change is in force at the next attempt
 * @param onChange told of each opening, probe and closing
 * @param now milliseconds since the epoch
 */
export function createBreakers(
  settings: () => BreakerSettings,
  onChange: (change: BreakerChange) => void = () => {},
  now: () => number = Date.now,
): Breakers {
  const states = new Map<string, State>();

  function view(deployment: string): BreakerView {
    const state = states.get(deployment);
    if (!state || state.openUntil === null) return { state: 'closed', failures: state?.failures.length ?? 0 };
    if (now() < state.openUntil || state.probing) return { state: 'open', until: state.openUntil };
    return { state: 'half_open' };
  }

  function close(deployment: string): void {
    const wasOpen = states.get(deployment)?.openUntil !== null;
    if (states.delete(deployment) && wasOpen) onChange({ deployment, to: 'closed' });
  }

  function fail(deployment: string, state: State, retryAfterMs: number | undefined): void {
    const { failures, windowMs, coolDownMs } = settings();
    const time = now();
    state.failures = [...state.failures.filter((at) => time - at < windowMs), time].slice(-failures);
    if (state.openUntil === null && state.failures.length < failures) return;
    state.openUntil = time + Math.min(retryAfterMs ?? coolDownMs, LONGEST_COOL_DOWN_MS);
    onChange({ deployment, to: 'opened', until: state.openUntil });
  }

  function acquire(deployment: string, force = false): Permit | null {
    const before = view(deployment);
    if (before.state === 'open' && !force) return null;
    const probe = before.state !== 'closed';
    const state = states.get(deployment) ?? { failures: [], openUntil: null, probing: false };
    if (probe) {
      state.probing = true;
      onChange({ deployment, to: 'probed' });
    }
    return {
      probe,
      report(verdict) {
        if (probe) state.probing = false;
        if (verdict.kind === 'healthy') close(deployment);
        if (verdict.kind !== 'failing') return;
        // A reset while the attempt was under way dropped the state; the failure starts a new count.
        const current = states.get(deployment) ?? { failures: [], openUntil: null, probing: false };
        states.set(deployment, current);
        fail(deployment, current, verdict.retryAfterMs);
      },
    };
  }

  return {
    view,
    acquire,
    reset: close,
    list: () => [...states.keys()].map((deployment) => ({ deployment, view: view(deployment) })),
  };
}
