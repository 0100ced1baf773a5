import type { z } from 'zod';
import { toShownUrl } from '../config/describe.ts';
import type { Auth, Deployment, Settings } from '../config/settings.ts';
import type { BreakerView } from '../inference/breaker.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { breakerSchema } from './schemas.ts';
import type { deploymentSchema } from './setting-schemas.ts';

type DeploymentView = z.input<typeof deploymentSchema>;

/** A breaker as it is answered. */
export function toBreakerAnswer(deployment: string, view: BreakerView): z.input<typeof breakerSchema> {
  if (view.state !== 'open') return { deployment, ...view };
  return { deployment, state: 'open', until: new Date(view.until).toISOString() };
}

/** A deployment as it is answered: all that is known of it, and no secret. */
export function toDeploymentView(
  { settings, states, breakers }: Pick<Runtime, 'settings' | 'states' | 'breakers'>,
  deployment: Deployment,
): DeploymentView {
  const { id, baseUrl, auth, capabilities, contextWindow, price } = deployment;
  const origin = settings.resolved().origins.get(`deployments.${id}.tier`) ?? { kind: 'default' };
  return {
    ...states.view(deployment),
    baseUrl: toShownUrl(baseUrl),
    auth: toAuthView(auth),
    capabilities: { ...capabilities },
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(price === undefined ? {} : { price }),
    origin,
    removable: origin.kind === 'console',
    chains: chainsOf(settings.current(), id),
    breaker: toBreakerAnswer(id, breakers.view(id)),
    lastProbe: states.lastProbe(deployment),
  };
}

function toAuthView(auth: Auth): DeploymentView['auth'] {
  if (auth.type !== 'api_key') return auth;
  const { type, header, source, key } = auth;
  return { type, header, source, present: key !== null };
}

function chainsOf({ defaults, roles }: Settings, id: string): string[] {
  const owners = [
    ['defaults', defaults] as const,
    ...roles.map((role) => [`roles.${role.name}`, role] as const),
  ];
  return owners.flatMap(([owner, chains]) =>
    (['live', 'local'] as const)
      .filter((tier) => chains[tier].includes(id))
      .map((tier) => `${owner}.${tier}`),
  );
}
