import { z } from 'zod';
import { TiercelError } from '../../errors.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { isLoopback } from '../site-guard.ts';

const demoSchema = z.object({
  runId: z.uuid().describe('The first run that fell back.'),
  steps: z.array(
    z.object({
      runId: z.uuid(),
      what: z.string().describe('What the model did.'),
      servedBy: z.string().nullable(),
      fallbackReason: z.string().nullable(),
    }),
  ),
});

export function demoRoutes({ runtime: { settings, runFallbackDemo } }: GatewayParts): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/demo/fallback',
      access: 'admin',
      operation: 'runFallbackDemo',
      summary:
        'Start a model on this machine that fails, and send it requests. It changes no setting; on loopback only.',
      answers: [{ status: 200, description: 'A run for each request.', content: demoSchema }],
      errors: ['forbidden'],
      async handle() {
        if (!isLoopback(settings.current().server.host)) {
          throw new TiercelError('forbidden', 'The demonstration runs on a server bound to loopback only.');
        }
        const steps = await runFallbackDemo();
        const fellBack = steps.find(({ fallbackReason }) => fallbackReason !== null);
        return { runId: (fellBack ?? steps[0])?.runId, steps };
      },
    },
  ];
}
