import { z } from 'zod';
import { TiercelError } from '../errors.ts';
import type { ChatRequest } from './chat.ts';
import type { EmbeddingsRequest } from './embeddings.ts';

const text = z.string();
const count = z.int().positive();
const optional = <Type extends z.ZodType>(schema: Type) => schema.nullish();

const contentPart = z.looseObject({ type: text, text: text.optional() });

const toolCall = z.looseObject({
  id: text,
  type: text,
  function: z.looseObject({ name: text, arguments: text }).optional(),
});

export const messageSchema = z
  .looseObject({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
    content: z.union([text, z.array(contentPart)], 'expected text or an array of content parts').nullish(),
    name: text.optional(),
    tool_calls: optional(z.array(toolCall)),
    tool_call_id: text.optional(),
  })
  .meta({ id: 'ChatMessage' });

const toolSchema = z.looseObject({
  type: text,
  function: z
    .looseObject({ name: text.min(1), description: optional(text), parameters: z.looseObject({}).optional() })
    .optional(),
});

const responseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({
      name: text,
      schema: z.looseObject({}).optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

/** The body of `POST /v1/chat/completions`. What is not listed passes through to the target. */
export const chatBodySchema = z
  .looseObject({
    model: text.min(1).describe('`auto`, `role:<name>`, a deployment id, or `simulation`.'),
    messages: z.array(messageSchema).min(1, 'must hold at least one message'),
    stream: optional(z.boolean()),
    stream_options: optional(z.looseObject({ include_usage: z.boolean().optional() })),
    tools: optional(z.array(toolSchema)),
    tool_choice: optional(z.union([z.enum(['none', 'auto', 'required']), z.looseObject({ type: text })])),
    parallel_tool_calls: optional(z.boolean()),
    response_format: optional(responseFormat),
    temperature: optional(z.number().min(0).max(2)),
    top_p: optional(z.number().min(0).max(1)),
    max_tokens: optional(count),
    max_completion_tokens: optional(count),
    reasoning_effort: optional(text),
    seed: optional(z.int()),
    n: optional(count.max(128)),
    stop: optional(z.union([text, z.array(text)])),
  })
  .meta({ id: 'ChatCompletionRequest' });

/** The body of `POST /v1/embeddings`. */
export const embeddingsBodySchema = z
  .looseObject({
    model: text.min(1),
    input: z.union([
      text.min(1),
      z.array(text.min(1)).min(1).max(2048),
      z.array(z.int()).min(1),
      z.array(z.array(z.int()).min(1)).min(1),
    ]),
    encoding_format: z.enum(['float', 'base64']).optional(),
    dimensions: count.optional(),
  })
  .meta({ id: 'EmbeddingsRequest' });

export type ParsedChat = { model: string; stream: boolean; request: ChatRequest };

/**
 * @throws TiercelError `invalid_request` whose `param` is the path of the first wrong field (`messages[0].role`)
 */
export function parseChatBody(body: unknown): ParsedChat {
  const { model, stream, ...request } = parse(chatBodySchema, body);
  return { model, stream: stream ?? false, request: withoutNulls(request) as ChatRequest };
}

/** @throws TiercelError `invalid_request`, as {@link parseChatBody} */
export function parseEmbeddingsBody(body: unknown): { model: string; request: EmbeddingsRequest } {
  const { model, ...request } = parse(embeddingsBodySchema, body);
  return { model, request: request as EmbeddingsRequest };
}

/** In OpenAI's API null means "not set"; dropping it here spares every later room the difference. */
function withoutNulls(request: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(request)) if (value === null) delete request[name];
  return request;
}

function parse<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = deepest(result.error.issues);
  const param = pathText(issue?.path ?? []);
  const message = (issue?.message ?? 'is wrong')
    .replace(/^Invalid (input|option): /, '')
    .replace('received undefined', 'but it is missing');
  throw new TiercelError('invalid_request', `${param || 'The body'}: ${message}.`, param ? { param } : {});
}

type Issue = z.core.$ZodIssue;

/** For a union zod reports each alternative; the one that got furthest is the one that was meant. */
function deepest(issues: readonly Issue[], base: PropertyKey[] = []): Issue | undefined {
  let best: Issue | undefined;
  for (const issue of issues) {
    const path = [...base, ...issue.path];
    const inner =
      issue.code === 'invalid_union'
        ? issue.errors.map((one) => deepest(one, path)).filter((one) => one !== undefined)
        : [];
    for (const candidate of [{ ...issue, path }, ...inner]) {
      if (!best || candidate.path.length > best.path.length) best = candidate;
    }
    if (best) return best;
  }
  return best;
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((sum, part) => {
    if (typeof part === 'number') return `${sum}[${part}]`;
    return sum === '' ? String(part) : `${sum}.${String(part)}`;
  }, '');
}
