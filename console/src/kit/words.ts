import type { DeploymentState, ExclusionReason, Label, Outcome, Tier } from '../api/types.ts';

/** Why a deployment does not stand in a plan. */
export const EXCLUSIONS: Readonly<Record<ExclusionReason, string>> = {
  routing_forbids: 'routing forbids it',
  not_configured: 'not configured: no key',
  breaker_open: 'breaker open',
  policy_denied: 'a policy denies it',
  context_too_small: 'context window too small',
  capability_missing: 'capability missing',
  suspended: 'suspended',
};

export const STATES: Readonly<Record<DeploymentState, string>> = {
  connected: 'connected',
  not_configured: 'not configured',
  unreachable: 'unreachable',
  standby: 'standby',
  breaker_open: 'breaker open',
  unknown: 'not probed yet',
};

export const TIERS: Readonly<Record<Tier, string>> = {
  live: 'live',
  local: 'local',
  simulation: 'simulation',
};

export const LABELS: Readonly<Record<Label, string>> = {
  live: 'live',
  local: 'local',
  simulation: 'simulation',
  hybrid: 'hybrid',
  none: 'nothing can serve',
};

export const OUTCOMES: Readonly<Record<Outcome | 'running', string>> = {
  ok: 'served',
  error: 'failed',
  truncated: 'truncated',
  cancelled: 'cancelled',
  running: 'running',
};

const CODES: Readonly<Record<string, string>> = {
  upstream_unreachable: 'unreachable',
  upstream_timeout: 'timed out',
  upstream_rate_limited: 'rate limited',
  upstream_unavailable: 'unavailable',
  upstream_credentials: 'credentials refused',
  upstream_model_not_found: 'model not found',
  upstream_unsupported_parameter: 'unsupported parameter',
  upstream_invalid_response: 'invalid response',
  upstream_truncated: 'cut off',
  answer_invalid: 'answer not valid',
  deadline_exceeded: 'deadline passed',
  no_candidate: 'nobody could serve',
  ...EXCLUSIONS,
};

/** A code as words; one that is not known by name keeps its own. */
export function toWords(code: string): string {
  return CODES[code] ?? code.replaceAll('_', ' ');
}
