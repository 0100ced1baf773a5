import { z } from 'zod';
import { targetNames } from '../../inference/target.ts';
import { parse } from '../parse.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { planSchema } from '../schemas.ts';

const query = z.strictObject({ model: z.string().min(1).optional().describe('All names when absent.') });

export function planRoutes({ runtime: { router, settings } }: GatewayParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/plan',
      access: 'key',
      operation: 'getPlans',
      summary: 'Who would serve a call now, in which order, and who would not and why.',
      query,
      answers: [
        {
          status: 200,
          description: 'The plan of the model that was named, or those of all.',
          content: z.union([planSchema, z.object({ plans: z.array(planSchema) })]),
        },
      ],
      errors: ['invalid_request', 'model_not_found'],
      handle(request) {
        const { model } = parse(query, request.query);
        if (model !== undefined) return describe(model);
        return { plans: targetNames(settings.current()).map(describe) };
      },
    },
  ];

  function describe(model: string): z.input<typeof planSchema> {
    const { label, candidates, excluded, displaced } = router.plan(model);
    return {
      model,
      label,
      // Not the candidate as it is: it holds its whole deployment.
      candidates: candidates.map(({ tier, deployment, model: sent }) => ({ tier, deployment, model: sent })),
      excluded: [...excluded],
      displaced,
    };
  }
}
