import { z } from 'zod';
import { COMMITS } from '../config/settings.ts';
import type { Overview } from '../runtime/overview.ts';
import { breakerSchema, planSchema, probeSchema, settingsSchema } from './schemas.ts';

// As in schemas.ts: answers are described, not checked.

const count = z.number().min(0);
const ms = z.number().min(0).describe('Milliseconds.');
const time = z.string().describe('ISO 8601.');
const tier = z.enum(['live', 'local']);

export const originSchema = settingsSchema.shape.settings.element.shape.origin;

const shortPlanSchema = planSchema.pick({ label: true, candidates: true, excluded: true });

export const settingsPreviewSchema = z.object({
  dryRun: z.literal(true),
  plans: z
    .array(
      z.object({
        model: z.string().describe('`auto` or `role:<name>`.'),
        changed: z.boolean().describe('Whether label, candidates or exclusions would differ.'),
        before: shortPlanSchema,
        after: shortPlanSchema,
      }),
    )
    .describe('Who would serve the next call, now and after the change.'),
  warnings: z.array(z.string()).describe('Of the settings after the change.'),
});

export const settingHistorySchema = z.object({
  changes: z.array(
    z.object({
      version: count,
      path: z.string(),
      value: z.unknown().describe('Null: an earlier change was taken back.'),
      previous: z
        .unknown()
        .describe(
          'What the path had been changed to before; null: nothing, so file and environment decided.',
        ),
      author: z.string(),
      at: time,
    }),
  ),
});

export const deploymentHealthSchema = z.object({
  id: z.string(),
  tier,
  model: z.string(),
  state: z
    .enum(['connected', 'not_configured', 'unreachable', 'standby', 'breaker_open', 'unknown'])
    .describe('`standby`: mode and routing forbid it, so it is not asked.'),
  detail: z.string().exactOptional().describe('Why, in words.'),
  latencyMs: ms.exactOptional(),
  until: time.exactOptional().describe('When an open breaker lets a call through.'),
});

export const deploymentSchema = deploymentHealthSchema.extend({
  baseUrl: z.string().describe('What its query holds is shown as `[secret]`; sent back so, it is kept.'),
  auth: z.object({
    type: z.enum(['none', 'api_key', 'entra']),
    header: z.string().exactOptional(),
    source: z.string().exactOptional().describe('The variable, or the file, that holds the key.'),
    present: z.boolean().exactOptional().describe('Whether a key was found there.'),
    scope: z.string().exactOptional(),
  }),
  capabilities: z.record(z.string(), z.boolean()),
  contextWindow: count.exactOptional(),
  price: z.object({ inputPerM: count, outputPerM: count, currency: z.string() }).exactOptional(),
  origin: originSchema,
  removable: z.boolean().describe('Whether it, or what overrides it, was defined at run time.'),
  chains: z.array(z.string()).describe('The settings whose chains name it, as `defaults.local`.'),
  breaker: breakerSchema,
  lastProbe: z.intersection(probeSchema, z.object({ at: time })).nullable(),
});

const chainSchema = z.object({
  chain: z.array(z.object({ deployment: z.string(), model: z.string() })),
  origin: originSchema.describe('`inherited`: from another role or the defaults, which `detail` names.'),
});

export const roleMapSchema = z.object({
  defaults: z.object({ live: chainSchema, local: chainSchema }),
  roles: z.array(
    z.object({
      name: z.string(),
      live: chainSchema,
      local: chainSchema,
      commit: z.enum(COMMITS).exactOptional(),
      simulator: z.boolean(),
      label: planSchema.shape.label,
    }),
  ),
});

const sums = {
  failed: count.describe('Outcome `error` or `truncated`.'),
  fallbacks: count,
  p50Ms: ms.nullable().describe('Of the calls with outcome `ok`.'),
  p95Ms: ms.nullable(),
  inputTokens: count,
  outputTokens: count,
};

export const overviewSchema = z.object({
  now: time,
  version: z.string(),
  database: z.enum(['embedded', 'postgres']),
  mode: z.enum(['simulation', 'local', 'live']),
  routing: z.enum(['local_first', 'cloud_first', 'local_only', 'cloud_only']),
  floor: z.enum(['always', 'roles', 'never']),
  label: planSchema.shape.label.describe('Of `auto`, as its plan.'),
  plan: shortPlanSchema.pick({ candidates: true, excluded: true }),
  deployments: z.array(deploymentHealthSchema),
  buckets: z
    .array(
      z.object({
        at: time,
        live: count.describe('By the tier that served, as are the two below; `cancelled` included.'),
        local: count,
        simulation: count,
        ...sums,
        cost: count.describe('In the currency of `totals.cost`.'),
      }),
    )
    .describe('One for each minute; the last is the one that is passing.'),
  totals: z.object({
    requests: count,
    ...sums,
    cost: z
      .object({ amount: count, currency: z.string() })
      .nullable()
      .describe(
        'In the currency that most calls were billed in; others are not added. Null: nothing had a price.',
      ),
  }),
  attention: z.array(
    z.object({
      kind: z.enum(['breaker_open', 'unreachable', 'not_configured', 'warning']),
      text: z.string(),
      href: z.string().describe('A path of the console.'),
    }),
  ),
}) satisfies z.ZodType<Overview & { version: string }>;
