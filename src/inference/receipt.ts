import type { Mode, Routing, Tier } from '../config/settings.ts';
import type { ErrorCode } from '../errors.ts';

/** `none`: no tier may serve the call, so naming one would be untrue. */
export type Label = 'simulation' | 'local' | 'live' | 'hybrid' | 'none';

export type ExclusionReason =
  | 'routing_forbids'
  | 'not_configured'
  | 'breaker_open'
  | 'policy_denied'
  | 'context_too_small'
  | 'capability_missing'
  | 'suspended';

export type Exclusion = { deployment: string; tier: Tier; reason: ExclusionReason };

export type Attempt = {
  tier: Tier;
  deployment: string;
  model: string;
  outcome: 'served' | 'failed' | 'truncated' | 'cancelled';
  errorCode?: ErrorCode;
  httpStatus?: number;
  /** By name, in the order applied; those known from earlier calls included. */
  repairs: string[];
  /** ISO 8601. */
  startedAt: string;
  headerMs?: number;
  firstTokenMs?: number;
  durationMs: number;
};

export type Usage = {
  inputTokens: number;
  outputTokens: number;
  reasoningTokens?: number;
  source: 'reported' | 'estimated' | 'simulated';
};

export type Outcome = 'ok' | 'error' | 'truncated' | 'cancelled';

/** What happened to one call: which path served it, why, and what it cost. Times are in milliseconds. */
export type Receipt = {
  id: string;
  /** W3C trace id: 32 lower-case hex digits. */
  traceId: string;
  /** The caller's span, 16 hex digits, where the call came with one or is made within a run. */
  parentSpanId?: string;
  causeId?: string;
  kind: 'chat' | 'embeddings';
  role: string | null;
  principal: string;
  mode: Mode;
  routing: Routing;
  label: Label;
  /** What the caller named: `auto`, `role:narrator`, a deployment id. */
  requested: string;
  streamed: boolean;
  served: { tier: Tier; deployment: string; provider: string; model: string } | null;
  outcome: Outcome;
  /** The code that the caller got, when the outcome is not `ok`. */
  errorCode?: ErrorCode;
  /** Why the plan's first candidate did not serve; absent when it did. */
  fallbackReason?: string;
  attempts: Attempt[];
  excluded: Exclusion[];
  usage: Usage;
  cost?: { amount: number; currency: string; priceSource: 'config' };
  /** Events of the stream that did not parse and were skipped. */
  malformedEvents?: number;
  proof: { retrievalHits: string[]; memoryInjected: string[]; toolsOffered: string[]; toolsCalled: string[] };
  policyDigest: string | null;
  startedAt: string;
  firstTokenMs?: number;
  durationMs: number;
};
