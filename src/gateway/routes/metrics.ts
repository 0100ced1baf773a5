import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';

export function metricsRoutes({ metrics }: GatewayParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/metrics',
      access: 'loopback',
      operation: 'getMetrics',
      summary: 'Metrics for Prometheus.',
      answers: [{ status: 200, description: 'Text exposition.', content: { type: 'text/plain' } }],
      errors: [],
      async handle(_request, reply) {
        await reply.type(metrics.contentType).send(await metrics.text());
      },
    },
  ];
}
