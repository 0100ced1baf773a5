import { z } from 'zod';
import { TIERS } from '../config/settings.ts';
import type { LedgerState } from '../runtime/ledger-view.ts';
import type { RunDetail } from '../runtime/runs/run.ts';
import type { ChainedEvent } from '../trace/event.ts';
import type { VerifyReport } from '../trace/verify.ts';
import { receiptSchema, receiptWithContentsSchema } from './schemas.ts';

const count = z.int().min(0);
const time = z.string().describe('ISO 8601.');
const fromStart = z.number().describe('Milliseconds from the run’s start.');

export const eventSchema = z.object({
  id: z.uuid(),
  ts: time,
  runId: z.uuid(),
  traceId: z.string(),
  spanId: z.string(),
  causeId: z.string().exactOptional().describe('The event that caused this one.'),
  type: z.string().describe('One of docs/events.md, or an app’s own.'),
  actor: z.string(),
  tier: z.string().exactOptional(),
  message: z.string(),
  payload: z.record(z.string(), z.unknown()),
  writer: z.uuid().describe('The chain.'),
  seq: count.describe('Its number in the chain, from 1.'),
  prevHash: z.string(),
  hash: z.string().describe('SHA-256 of the canonical JSON of all other members.'),
}) satisfies z.ZodType<ChainedEvent>;

export const runSummarySchema = z.object({
  id: z.uuid(),
  startedAt: time,
  endedAt: time.nullable().describe('Null while it goes on.'),
  requested: z.string(),
  role: z.string().nullable(),
  principal: z.string(),
  served: receiptSchema.shape.served,
  outcome: z.enum([...receiptSchema.shape.outcome.options, 'running']),
  fallbackReason: z.string().exactOptional(),
  durationMs: z.number(),
  usage: receiptSchema.shape.usage,
  cost: z.object({ amount: z.number(), currency: z.string() }).exactOptional(),
  receiptIds: z.array(z.uuid()),
});

export const spanSchema = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  kind: z.enum(['run', 'plan', 'attempt', 'tool', 'approval']),
  name: z.string(),
  tier: z.enum(TIERS).exactOptional(),
  startMs: fromStart,
  endMs: fromStart.nullable(),
  marks: z.array(z.object({ at: fromStart, name: z.string() })).exactOptional(),
  outcome: z.string(),
  detail: z.record(z.string(), z.unknown()).nullable(),
});

export const runSchema = z.object({
  run: runSummarySchema,
  receipts: z.array(receiptWithContentsSchema),
  events: z.array(eventSchema).describe('Oldest first.'),
  spans: z.array(spanSchema),
}) satisfies z.ZodType<RunDetail>;

export const causalChainSchema = z.object({
  path: z.array(eventSchema).describe('From the root to the event.'),
  effects: z.array(eventSchema).describe('What it caused, and what that caused, oldest first.'),
});

const findingSchema = z.union([
  z.object({ kind: z.literal('altered'), seq: count, reason: z.string() }),
  z.object({ kind: z.literal('gap'), after: count, next: count }),
  z.object({
    kind: z.literal('truncated'),
    last: count,
    expected: count,
    witness: z.enum(['anchor', 'head']),
  }),
  z.object({ kind: z.literal('signature'), seq: count, reason: z.string() }),
  z.object({ kind: z.literal('torn'), after: count }),
]);

export const verificationSchema = z.object({
  intact: z.boolean(),
  events: count,
  chains: z.array(
    z.object({
      writer: z.string(),
      first: count,
      last: count,
      events: count,
      archivedThrough: count,
      checkpoints: count,
      foreignCheckpoints: count,
      findings: z.array(findingSchema),
    }),
  ),
  anchor: z.object({ heads: count, badLines: z.array(count), torn: z.boolean() }).nullable(),
}) satisfies z.ZodType<VerifyReport>;

const headSchema = z.object({ seq: count, hash: z.string() });

export const ledgerSchema = z.object({
  writer: z.uuid().describe('The chain that this server writes.'),
  chains: z.array(z.object({ writer: z.uuid(), head: headSchema, archived: headSchema })),
  count: count.describe('Events in the database.'),
  checkpoints: z.array(eventSchema).describe('The latest, newest first.'),
  anchor: z.string().describe('The file that signed heads are appended to.'),
  publicKey: z.string().describe('Ed25519, raw, base64url.'),
  lastVerified: z
    .object({ at: time, report: verificationSchema })
    .nullable()
    .describe('Of the whole, since the server started.'),
}) satisfies z.ZodType<LedgerState>;
