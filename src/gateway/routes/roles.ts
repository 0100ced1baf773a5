import type { z } from 'zod';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { roleMapSchema } from '../setting-schemas.ts';

type RoleMap = z.input<typeof roleMapSchema>;
type Chains = { live: readonly string[]; local: readonly string[] };

export function roleRoutes({ runtime: { settings, router } }: GatewayParts): Route[] {
  function describe(): RoleMap {
    const { settings: current, origins } = settings.resolved();
    const models = new Map(current.deployments.map(({ id, model }) => [id, model]));
    const chainOf = (owner: string, chains: Chains, tier: 'live' | 'local') => ({
      chain: chains[tier].map((id) => ({ deployment: id, model: models.get(id) ?? '' })),
      origin: origins.get(`${owner}.${tier}`) ?? { kind: 'default' as const },
    });
    const bothOf = (owner: string, chains: Chains) => ({
      live: chainOf(owner, chains, 'live'),
      local: chainOf(owner, chains, 'local'),
    });
    return {
      defaults: bothOf('defaults', current.defaults),
      roles: current.roles.map((role) => ({
        name: role.name,
        ...bothOf(`roles.${role.name}`, role),
        ...(role.commit === undefined ? {} : { commit: role.commit }),
        simulator: role.simulator,
        label: router.plan(`role:${role.name}`).label,
      })),
    };
  }

  return [
    {
      method: 'GET',
      path: '/api/roles',
      access: 'admin',
      operation: 'getRoles',
      summary: 'The role map: each role’s chains and models per tier, and where each comes from.',
      answers: [{ status: 200, description: 'The defaults and every role.', content: roleMapSchema }],
      errors: [],
      handle: describe,
    },
  ];
}
