import { z } from 'zod';
import { TiercelError } from '../../errors.ts';
import { targetNames } from '../../inference/target.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { modelSchema } from '../schemas.ts';
import { kindOf } from '../targets.ts';

export function modelRoutes({ runtime: { settings, router }, startedAt }: GatewayParts): Route[] {
  function describe(id: string): z.infer<typeof modelSchema> {
    const { label, candidates } = router.plan(id);
    const deployment = settings.current().deployments.find((one) => one.id === id);
    return {
      id,
      object: 'model',
      created: startedAt,
      owned_by: 'tiercel',
      tiercel: {
        kind: kindOf(id),
        tier: deployment?.tier ?? candidates[0]?.tier ?? null,
        label,
        ...(deployment ? { model: deployment.model } : {}),
      },
    };
  }

  return [
    {
      method: 'GET',
      path: '/v1/models',
      access: 'key',
      operation: 'listModels',
      summary: 'Every name that a request may give as `model`.',
      answers: [
        {
          status: 200,
          description: '`auto`, the roles, the deployments and `simulation`.',
          content: z.object({ object: z.literal('list'), data: z.array(modelSchema) }),
        },
      ],
      errors: [],
      handle: () => ({ object: 'list', data: targetNames(settings.current()).map(describe) }),
    },
    {
      method: 'GET',
      path: '/v1/models/:id',
      access: 'key',
      operation: 'getModel',
      summary: 'One of these names.',
      answers: [{ status: 200, description: 'What it stands for.', content: modelSchema }],
      errors: ['model_not_found'],
      handle(request) {
        const { id } = request.params as { id: string };
        if (targetNames(settings.current()).includes(id)) return describe(id);
        throw new TiercelError('model_not_found', 'There is no model of this name; see GET /v1/models.', {
          param: 'model',
        });
      },
    },
  ];
}
