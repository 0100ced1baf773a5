import { chatBodySchema, parseChatBody } from '../../inference/chat-schema.ts';
import { ANSWER_HEADERS } from '../answer-headers.ts';
import { sendStream } from '../chat-stream.ts';
import { runModelCall, sendAnswer } from '../model-call.ts';
import { MODEL_ERRORS, MODEL_HEADERS } from '../model-route.ts';
import type { GatewayParts } from '../parts.ts';
import { commitOf, wantsReceipt } from '../request-headers.ts';
import type { Route } from '../route.ts';
import { chatCompletionSchema } from '../schemas.ts';

export function chatRoutes(parts: GatewayParts): Route[] {
  const { router, log } = parts.runtime;
  return [
    {
      method: 'POST',
      path: '/v1/chat/completions',
      access: 'key',
      operation: 'createChatCompletion',
      summary: 'Answer a conversation, by the tier that the plan says.',
      body: chatBodySchema,
      requestHeaders: MODEL_HEADERS,
      answers: [
        {
          status: 200,
          description: 'The answer; with `stream: true` as server-sent events that end with `[DONE]`.',
          content: chatCompletionSchema,
          streamed: true,
          headers: ANSWER_HEADERS,
        },
      ],
      errors: [...MODEL_ERRORS, 'content_filtered', 'context_length_exceeded'],
      async handle(request, reply) {
        const { stream, ...asked } = parseChatBody(request.body);
        const includeReceipt = wantsReceipt(request.raw.headers);
        const commit = commitOf(request.raw.headers);
        const { raw: response } = reply;
        await runModelCall(parts, request, response, async (caller) => {
          const call = commit ? { ...caller, ...asked, commit } : { ...caller, ...asked };
          if (stream) {
            const result = await router.stream(call);
            result.receipt.then(parts.metrics.observe, () => {});
            await sendStream(response, request.id, result, { includeReceipt, log });
          } else {
            const { completion, receipt } = await router.complete(call);
            parts.metrics.observe(receipt);
            sendAnswer(response, request.id, completion, receipt, includeReceipt);
          }
        });
        reply.hijack();
      },
    },
  ];
}
