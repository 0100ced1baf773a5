import { embeddingsBodySchema, parseEmbeddingsBody } from '../../inference/chat-schema.ts';
import { ANSWER_HEADERS } from '../answer-headers.ts';
import { runModelCall, sendAnswer } from '../model-call.ts';
import { MODEL_ERRORS, MODEL_HEADERS } from '../model-route.ts';
import type { GatewayParts } from '../parts.ts';
import { wantsReceipt } from '../request-headers.ts';
import type { Route } from '../route.ts';
import { embeddingsSchema } from '../schemas.ts';

export function embeddingsRoutes(parts: GatewayParts): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/embeddings',
      access: 'key',
      operation: 'createEmbedding',
      summary: 'Turn texts into vectors, by the tier that the plan says.',
      body: embeddingsBodySchema,
      requestHeaders: MODEL_HEADERS.filter(({ name }) => name !== 'x-tiercel-commit'),
      answers: [
        {
          status: 200,
          description: 'One vector for each input.',
          content: embeddingsSchema,
          headers: ANSWER_HEADERS,
        },
      ],
      errors: [...MODEL_ERRORS, 'embedder_unavailable'],
      async handle(request, reply) {
        const asked = parseEmbeddingsBody(request.body);
        const includeReceipt = wantsReceipt(request.raw.headers);
        await runModelCall(parts, request, reply.raw, async (caller) => {
          const { response, receipt } = await parts.runtime.router.embed({ ...caller, ...asked });
          parts.metrics.observe(receipt);
          sendAnswer(reply.raw, request.id, response, receipt, includeReceipt);
        });
        reply.hijack();
      },
    },
  ];
}
