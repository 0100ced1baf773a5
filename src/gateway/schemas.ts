import { z } from 'zod';
import { MODES, ROUTINGS, TIERS } from '../config/settings.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import type { Receipt } from '../inference/receipt.ts';

// Answers are described, not checked: what sends them is typed. `satisfies` keeps the two from drifting apart.

const count = z.int().min(0);
const ms = z.number().min(0).describe('Milliseconds.');
const tier = z.enum(TIERS);
const time = z.string().describe('ISO 8601.');
const errorCode = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);

export const exclusionSchema = z.object({
  deployment: z.string(),
  tier,
  reason: z.enum([
    'routing_forbids',
    'not_configured',
    'breaker_open',
    'policy_denied',
    'context_too_small',
    'capability_missing',
    'suspended',
  ]),
});

const labelSchema = z.enum(['simulation', 'local', 'live', 'hybrid', 'none']);

const attemptSchema = z.object({
  tier,
  deployment: z.string(),
  model: z.string(),
  outcome: z.enum(['served', 'failed', 'truncated', 'cancelled']),
  errorCode: errorCode.exactOptional(),
  httpStatus: z.int().exactOptional(),
  repairs: z.array(z.string()),
  startedAt: time,
  headerMs: ms.exactOptional(),
  firstTokenMs: ms.exactOptional(),
  durationMs: ms,
});

export const receiptSchema = z.object({
  id: z.uuid(),
  traceId: z.string(),
  parentSpanId: z.string().exactOptional(),
  causeId: z.string().exactOptional(),
  kind: z.enum(['chat', 'embeddings']),
  role: z.string().nullable(),
  principal: z.string(),
  mode: z.enum(MODES),
  routing: z.enum(ROUTINGS),
  label: labelSchema,
  requested: z.string().describe('What the caller named as `model`.'),
  streamed: z.boolean(),
  served: z.object({ tier, deployment: z.string(), provider: z.string(), model: z.string() }).nullable(),
  outcome: z.enum(['ok', 'error', 'truncated', 'cancelled']),
  errorCode: errorCode.exactOptional(),
  fallbackReason: z.string().exactOptional(),
  attempts: z.array(attemptSchema),
  excluded: z.array(exclusionSchema),
  usage: z.object({
    inputTokens: count,
    outputTokens: count,
    reasoningTokens: count.exactOptional(),
    source: z.enum(['reported', 'estimated', 'simulated']),
  }),
  cost: z
    .object({ amount: z.number(), currency: z.string(), priceSource: z.literal('config') })
    .exactOptional(),
  malformedEvents: count.exactOptional(),
  proof: z.object({
    retrievalHits: z.array(z.string()),
    memoryInjected: z.array(z.string()),
    toolsOffered: z.array(z.string()),
    toolsCalled: z.array(z.string()),
  }),
  policyDigest: z.string().nullable(),
  startedAt: time,
  firstTokenMs: ms.exactOptional(),
  durationMs: ms,
}) satisfies z.ZodType<Receipt>;

export const receiptWithContentsSchema = receiptSchema.extend({
  contents: z
    .object({ request: z.string().exactOptional(), answer: z.string().exactOptional() })
    .exactOptional()
    .describe('With `contents=true`: what was asked and answered as JSON, or its digest, where it was kept.'),
});

const usageSchema = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  source: z.enum(['estimated', 'simulated']).optional(),
});

export const chatCompletionSchema = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: count,
  model: z.string().describe('The model that served.'),
  choices: z.array(
    z.looseObject({
      index: count,
      message: z.looseObject({ role: z.literal('assistant'), content: z.string().nullable() }),
      finish_reason: z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']).nullable(),
    }),
  ),
  usage: usageSchema.optional(),
  tiercel: receiptSchema.optional().describe('With `x-tiercel-include: receipt`.'),
});

export const embeddingsSchema = z.object({
  object: z.literal('list'),
  model: z.string(),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: count,
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.object({ prompt_tokens: count, total_tokens: count, source: z.literal('estimated').optional() }),
  tiercel: receiptSchema.optional().describe('With `x-tiercel-include: receipt`.'),
});

export const modelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: count,
  owned_by: z.literal('tiercel'),
  tiercel: z.object({
    kind: z.enum(['auto', 'role', 'deployment', 'simulation']),
    tier: tier.nullable().describe('Of whoever would be asked first now.'),
    label: labelSchema,
    model: z.string().optional().describe('The name that a deployment’s target knows.'),
  }),
});

export const planSchema = z.object({
  model: z.string(),
  label: labelSchema,
  candidates: z.array(z.object({ tier, deployment: z.string(), model: z.string() })),
  excluded: z.array(exclusionSchema),
  displaced: exclusionSchema.shape.reason.nullable(),
});

export const settingsSchema = z.object({
  version: count.describe('Of the last change at run time; 0 when there was none.'),
  settings: z.array(
    z.object({
      path: z.string(),
      value: z.unknown(),
      origin: z.object({
        kind: z.enum(['default', 'file', 'environment', 'console', 'flag', 'inherited']),
        detail: z.string().optional(),
      }),
    }),
  ),
  warnings: z.array(z.string()),
  changeable: z.array(z.string()).describe('Paths that may be changed at run time.'),
});

export const breakerSchema = z.object({
  deployment: z.string(),
  state: z.enum(['closed', 'open', 'half_open']),
  failures: count.optional(),
  until: time.optional(),
});

export const probeSchema = z.union([
  z.object({
    ok: z.literal(true),
    deployment: z.string(),
    latencyMs: ms,
    models: z.array(z.string()),
    servesModel: z.boolean().nullable(),
  }),
  z.object({
    ok: z.literal(false),
    deployment: z.string(),
    latencyMs: ms,
    code: z.string(),
    message: z.string(),
  }),
]);

export const keySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  principal: z.string(),
  admin: z.boolean(),
  prefix: z.string(),
  createdAt: time,
  revokedAt: time.nullable(),
});

export const errorSchema = z.object({
  error: z.looseObject({
    message: z.string(),
    type: z.string(),
    code: errorCode,
    param: z.string().nullable().describe('The field, header or setting at fault.'),
    receipt_id: z.uuid().optional(),
  }),
});
