import { z } from 'zod';
import { parse } from '../parse.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { overviewSchema } from '../setting-schemas.ts';
import { VERSION } from '../version.ts';

const query = z.strictObject({ minutes: z.coerce.number().int().min(1).max(1440).default(15) });

export function overviewRoutes({ runtime }: GatewayParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/overview',
      access: 'key',
      operation: 'getOverview',
      summary:
        'What runs, what serves now and why, and the last minutes. Without an admin key only one’s own calls.',
      query,
      answers: [{ status: 200, description: 'The overview.', content: overviewSchema }],
      errors: ['invalid_request', 'not_ready'],
      async handle({ query: given, identity }) {
        const { minutes } = parse(query, given);
        const own = identity && !identity.admin ? { principal: identity.principal } : {};
        return { ...(await runtime.overview({ minutes, ...own })), version: VERSION };
      },
    },
  ];
}
