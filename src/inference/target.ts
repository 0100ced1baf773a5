import type { Settings } from '../config/settings.ts';
import { TiercelError } from '../errors.ts';
import { SIMULATION_ID, type Target } from './plan.ts';

/**
 * What the `model` of a request names: `auto`, `role:<name>`, a deployment's id, or `simulation`.
 *
 * @throws TiercelError `model_not_found`
 */
export function resolveTarget(settings: Settings, name: string): Target {
  if (name === 'auto') return { kind: 'auto' };
  if (name === SIMULATION_ID) return { kind: 'simulation' };
  if (name.startsWith('role:')) {
    const role = settings.roles.find((one) => one.name === name.slice('role:'.length));
    if (role) return { kind: 'role', role };
  } else {
    const deployment = settings.deployments.find((one) => one.id === name);
    if (deployment) return { kind: 'deployment', deployment };
  }
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  throw new TiercelError(
    'model_not_found',
    `There is no model "${shown}". Use one of: ${targetNames(settings).join(', ')}.`,
    { param: 'model' },
  );
}

/** Every name that {@link resolveTarget} knows, in the order in which they are listed. */
export function targetNames(settings: Settings): string[] {
  return [
    'auto',
    ...settings.roles.map(({ name }) => `role:${name}`),
    ...settings.deployments.map(({ id }) => id),
    SIMULATION_ID,
  ];
}
