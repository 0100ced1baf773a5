import { z } from 'zod';
import { TiercelError } from '../../errors.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { breakerSchema, probeSchema } from '../schemas.ts';

type Breaker = z.infer<typeof breakerSchema>;

/** Deployments as an operator sees them: breakers and probes. */
export function deploymentRoutes({ runtime }: GatewayParts): Route[] {
  const { breakers, settings } = runtime;

  function describe(deployment: string): Breaker {
    const view = breakers.view(deployment);
    if (view.state !== 'open') return { deployment, ...view };
    return { deployment, state: 'open', until: new Date(view.until).toISOString() };
  }

  return [
    {
      method: 'GET',
      path: '/api/breakers',
      access: 'key',
      operation: 'listBreakers',
      summary: 'The breaker of every deployment.',
      answers: [
        { status: 200, description: 'All.', content: z.object({ breakers: z.array(breakerSchema) }) },
      ],
      errors: [],
      handle: () => ({ breakers: settings.current().deployments.map(({ id }) => describe(id)) }),
    },
    {
      method: 'POST',
      path: '/api/breakers/:id/reset',
      access: 'admin',
      operation: 'resetBreaker',
      summary: 'Close a breaker, so that the next call asks its deployment again.',
      answers: [{ status: 200, description: 'The breaker, closed.', content: breakerSchema }],
      errors: ['deployment_not_found'],
      handle(request) {
        const { id } = request.params as { id: string };
        if (!settings.current().deployments.some((one) => one.id === id)) {
          throw new TiercelError('deployment_not_found', 'There is no deployment with this id.', {
            param: 'id',
          });
        }
        breakers.reset(id);
        return describe(id);
      },
    },
    {
      method: 'POST',
      path: '/api/deployments/:id/probe',
      access: 'admin',
      operation: 'probeDeployment',
      summary: 'Ask a deployment for its models, which costs nothing.',
      answers: [{ status: 200, description: 'What it said, or how it failed.', content: probeSchema }],
      errors: ['deployment_not_found'],
      handle: (request) => runtime.probe((request.params as { id: string }).id),
    },
  ];
}
