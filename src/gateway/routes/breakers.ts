import { z } from 'zod';
import { findDeployment } from '../../runtime/deployments.ts';
import { toBreakerAnswer } from '../deployment-view.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { breakerSchema } from '../schemas.ts';

export function breakerRoutes({ runtime: { breakers, settings } }: GatewayParts): Route[] {
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
      handle: () => ({
        breakers: settings.current().deployments.map(({ id }) => toBreakerAnswer(id, breakers.view(id))),
      }),
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
        const { id } = findDeployment(settings.current(), (request.params as { id: string }).id);
        breakers.reset(id);
        return toBreakerAnswer(id, breakers.view(id));
      },
    },
  ];
}
