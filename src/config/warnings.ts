import type { Settings } from './settings.ts';

/** What is valid in these settings but surely not meant. */
export function warningsOf(settings: Settings): string[] {
  const warnings: string[] = [];
  const { mode, routing, floor, defaults, roles } = settings;
  if (mode === 'local' && routing === 'cloud_only') {
    warnings.push('mode local with routing cloud_only leaves no tier that may serve but simulation.');
  }
  if (settings.limits.minPerCandidateMs > settings.limits.totalMs) {
    warnings.push(
      'limits.minPerCandidateMs is over limits.totalMs: the first candidate takes all of the time.',
    );
  }
  if (mode === 'simulation' || floor === 'always') return warnings;

  const tiers = servingTiers(settings);
  const isEmpty = (chains: { live: readonly string[]; local: readonly string[] }) =>
    tiers.every((tier) => chains[tier].length === 0);
  const why = `mode ${mode} with routing ${routing}`;
  if (isEmpty(defaults)) warnings.push(`model "auto" has nothing that may serve it in ${why}.`);
  for (const role of roles) {
    if (isEmpty(role) && !(floor === 'roles' && role.simulator)) {
      warnings.push(`role ${role.name} has nothing that may serve it in ${why}.`);
    }
  }
  return warnings;
}

function servingTiers({ mode, routing }: Settings): ('live' | 'local')[] {
  const tiers: ('live' | 'local')[] = [];
  if (routing !== 'cloud_only') tiers.push('local');
  if (mode === 'live' && routing !== 'local_only') tiers.push('live');
  return tiers;
}
