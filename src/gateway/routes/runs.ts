import { z } from 'zod';
import { TIERS } from '../../config/settings.ts';
import { TiercelError } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { parse } from '../parse.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { runSchema, runSummarySchema } from '../trace-schemas.ts';

const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: z.uuid().optional().describe('`next` of the page before.'),
  tier: z.enum(TIERS).optional().describe('Of whoever served last.'),
  outcome: runSummarySchema.shape.outcome.optional(),
  role: z.string().optional(),
  principal: z.string().optional(),
  q: z.string().max(200).optional().describe('Text in the run’s line, or a receipt’s id.'),
});

export function runRoutes({ runtime: { runs } }: GatewayParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/runs',
      access: 'key',
      operation: 'listRuns',
      summary: 'Runs, newest first. Without an admin key only one’s own.',
      query: listQuery,
      answers: [
        {
          status: 200,
          description:
            'A page. It may be short, and even empty, before the end, when the filter lets little through.',
          content: z.object({
            data: z.array(runSummarySchema),
            next: z.uuid().nullable().describe('The next page’s `cursor`; null at the end.'),
          }),
        },
      ],
      errors: ['invalid_request', 'forbidden'],
      async handle({ query, identity }) {
        const asked = parse(listQuery, query);
        if (identity && !identity.admin) {
          if (asked.principal !== undefined && asked.principal !== identity.principal) {
            throw new TiercelError('forbidden', 'Runs of others need an admin key.', { param: 'principal' });
          }
          asked.principal = identity.principal;
        }
        const given = Object.entries(asked).filter(([, value]) => value !== undefined);
        const { runs: data, cursor: next } = await runs.list(
          Object.fromEntries(given) as Parameters<typeof runs.list>[0],
        );
        return { data, next };
      },
    },
    {
      method: 'GET',
      path: '/api/runs/:id',
      access: 'key',
      operation: 'getRun',
      summary: 'A run with its receipts, events and time line. Without an admin key only one’s own.',
      answers: [{ status: 200, description: 'The run.', content: runSchema }],
      errors: ['run_not_found'],
      async handle({ params, identity }) {
        const { id } = params as { id: string };
        const found = isId(id) ? await runs.get(id) : null;
        // Another's run is answered as one that does not exist, so that ids cannot be tried out.
        if (found && (identity?.admin || found.run.principal === identity?.principal)) return found;
        throw new TiercelError('run_not_found', 'There is no run with this id.', { param: 'id' });
      },
    },
  ];
}
