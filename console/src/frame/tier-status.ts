import type { DeploymentHealth, DeploymentState, Overview } from '../api/types.ts';

// The state that speaks for a tier of several deployments: as long as one can serve, the tier can.
const BEST_FIRST: readonly DeploymentState[] = [
  'connected',
  'standby',
  'unknown',
  'breaker_open',
  'unreachable',
  'not_configured',
];

/** The deployment that speaks for its tier; null when the tier has none. */
export function spokesmanOf(overview: Overview, tier: 'live' | 'local'): DeploymentHealth | null {
  const own = overview.deployments.filter((deployment) => deployment.tier === tier);
  return own.toSorted((a, b) => BEST_FIRST.indexOf(a.state) - BEST_FIRST.indexOf(b.state))[0] ?? null;
}
