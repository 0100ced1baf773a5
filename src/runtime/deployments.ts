import { toDeploymentPath } from '../config/deployment-change.ts';
import type { LiveSettings } from '../config/live.ts';
import { isSameTarget } from '../config/same-target.ts';
import type { Deployment, Settings } from '../config/settings.ts';
import { createEgress } from '../egress/egress.ts';
import type { Egress, EgressObserver, EgressRules } from '../egress/model.ts';
import { TiercelError } from '../errors.ts';
import type { Breakers } from '../inference/breaker.ts';
import { type Probe, probe } from '../inference/probe.ts';
import type { Credentials } from '../inference/wire/credentials.ts';
import type { SettingChanges } from './setting-changes.ts';

/** @throws TiercelError `deployment_not_found` */
export function findDeployment({ deployments }: Settings, id: string): Deployment {
  const deployment = deployments.find((one) => one.id === id);
  if (deployment) return deployment;
  const known = deployments.map((one) => one.id).join(', ') || 'none';
  throw new TiercelError('deployment_not_found', `There is no deployment "${id}". Configured: ${known}.`, {
    param: 'id',
  });
}

/** @throws TiercelError `deployment_not_found` */
export function probeById(
  settings: Settings,
  egress: Egress,
  credentials: Credentials,
  id: string,
): Promise<Probe> {
  return probe(egress, credentials, findDeployment(settings, id), settings.limits);
}

/** Closes the breaker of a deployment that is defined anew: what its former target did says nothing about the new one. */
export function resetChangedBreakers(settings: LiveSettings, breakers: Breakers): void {
  let known = settings.current().deployments;
  settings.onChange(({ settings: { deployments } }) => {
    for (const former of known) {
      const now = deployments.find(({ id }) => id === former.id);
      if (!now || !isSameTarget(former, now)) breakers.reset(former.id);
    }
    known = deployments;
  });
}

export type CandidateProbeParts = {
  settings: LiveSettings;
  changes: SettingChanges;
  credentials: Credentials;
  rules: () => EgressRules;
  observer: EgressObserver;
};

/** Probes a deployment that is not stored, under the rules in force: local_only holds for it too. */
export function createCandidateProbe(
  parts: CandidateProbeParts,
): (id: string, definition: object) => Promise<Probe> {
  const { settings, changes, credentials, rules, observer } = parts;
  return async (id, definition) => {
    const { settings: previewed } = changes.preview(new Map([[toDeploymentPath(id), definition]]), '');
    const candidate = findDeployment(previewed, id);
    // A gate of its own, so that nothing else of the process reaches an origin that is only tried.
    const egress = createEgress({
      rules: () => ({ ...rules(), declared: [new URL(candidate.baseUrl).origin] }),
      observer,
    });
    try {
      return await probe(egress, credentials, candidate, settings.current().limits);
    } finally {
      await egress.close();
    }
  };
}
