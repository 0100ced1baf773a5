// Shapes of routes that /openapi.json does not describe yet, written by hand: GET /api/overview, GET /api/runs,
// GET /api/runs/:id, GET /api/events/stream, POST /api/demo/fallback. A route that it describes moves to schema.ts.
import type { Exclusion, Receipt } from './schema.ts';

export type Tier = Exclusion['tier'];
export type ExclusionReason = Exclusion['reason'];
export type Label = Receipt['label'];
export type Outcome = Receipt['outcome'];
export type Cost = { amount: number; currency: string };

export type DeploymentState =
  | 'connected'
  | 'not_configured'
  | 'unreachable'
  | 'standby'
  | 'breaker_open'
  | 'unknown';

export type DeploymentHealth = {
  id: string;
  tier: Tier;
  model: string;
  state: DeploymentState;
  /** Why, in words, when the state is not a good one. */
  detail?: string;
  latencyMs?: number;
  /** ISO 8601: when an open breaker lets a probe through. */
  until?: string;
};

/** One minute of requests, by the tier that served. */
export type Bucket = {
  at: string;
  live: number;
  local: number;
  simulation: number;
  failed: number;
  fallbacks: number;
  p50Ms: number | null;
  p95Ms: number | null;
  inputTokens: number;
  outputTokens: number;
  cost: number;
};

export type Totals = {
  requests: number;
  fallbacks: number;
  failed: number;
  p50Ms: number | null;
  p95Ms: number | null;
  inputTokens: number;
  outputTokens: number;
  cost: Cost | null;
};

export type Overview = {
  now: string;
  version: string;
  database: 'embedded' | 'postgres';
  mode: Receipt['mode'];
  routing: Receipt['routing'];
  floor: 'always' | 'roles' | 'never';
  label: Label;
  plan: {
    candidates: { tier: Tier; deployment: string; model: string }[];
    excluded: Exclusion[];
  };
  deployments: DeploymentHealth[];
  buckets: Bucket[];
  totals: Totals;
  attention: { kind: string; text: string; href: string }[];
};

export type RunSummary = {
  id: string;
  startedAt: string;
  endedAt: string | null;
  requested: string;
  role: string | null;
  principal: string;
  served: Receipt['served'];
  outcome: Outcome | 'running';
  fallbackReason?: string;
  durationMs: number;
  usage: Receipt['usage'];
  cost?: Cost;
  receiptIds: string[];
};

export type ReceiptWithContents = Receipt & {
  /** As JSON text, or its digest (`sha256:…`), where it was kept. */
  contents?: { request?: string; answer?: string };
};

export type SpanKind = 'plan' | 'attempt' | 'tool' | 'approval' | 'run';

export type Span = {
  id: string;
  parentId: string | null;
  kind: SpanKind;
  name: string;
  tier?: Tier;
  /** Milliseconds from the run's start. */
  startMs: number;
  /** Null while it goes on. */
  endMs: number | null;
  /** Moments within, as `header` and `first_token`, in milliseconds from the run's start. */
  marks?: { at: number; name: string }[];
  outcome: string;
  detail: Record<string, unknown> | string | null;
};

export type TraceEvent = {
  id: string;
  seq: number;
  ts: string;
  runId: string;
  traceId: string;
  spanId: string;
  causeId?: string;
  type: string;
  actor: string;
  tier?: Tier;
  message: string;
  payload: Record<string, unknown>;
  prevHash: string;
  hash: string;
};

export type RunDetail = {
  run: RunSummary;
  receipts: ReceiptWithContents[];
  events: TraceEvent[];
  spans: Span[];
};

export type Page<Item> = { data: Item[]; next: string | null };
