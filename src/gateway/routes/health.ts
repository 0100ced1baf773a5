import { z } from 'zod';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';

const statusSchema = z.object({ status: z.literal('ok') });

export function healthRoutes({ runtime }: GatewayParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      access: 'open',
      operation: 'getHealth',
      summary: 'Whether the process answers.',
      answers: [{ status: 200, description: 'It does.', content: statusSchema }],
      errors: [],
      handle: () => ({ status: 'ok' }),
    },
    {
      method: 'GET',
      path: '/readyz',
      access: 'open',
      operation: 'getReadiness',
      summary:
        'Whether requests can be served: the database answers, the ledger takes events and no stop was asked for.',
      answers: [{ status: 200, description: 'They can.', content: statusSchema }],
      errors: ['not_ready'],
      async handle() {
        await runtime.ready();
        // What was emitted is stored, so that nothing is served that could not be recorded.
        await runtime.ledger.flush();
        return { status: 'ok' };
      },
    },
  ];
}
