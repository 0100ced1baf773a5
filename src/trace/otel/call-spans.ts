import { callSpanId, partSpanId } from '../span-ids.ts';
import { ERROR_TYPE, GEN_AI, HTTP_STATUS } from './conventions.ts';
import type { Span } from './span.ts';

/** What the spans of one call are made of; a receipt is one. Times are ISO 8601 and milliseconds. */
export type CallRecord = {
  id: string;
  traceId: string;
  parentSpanId?: string;
  kind: 'chat' | 'embeddings';
  role: string | null;
  principal: string;
  label: string;
  requested: string;
  streamed: boolean;
  served: { tier: string; deployment: string; provider: string; model: string } | null;
  outcome: string;
  errorCode?: string;
  fallbackReason?: string;
  attempts: readonly AttemptRecord[];
  usage: { inputTokens: number; outputTokens: number; reasoningTokens?: number; source: string };
  proof: { toolsOffered: readonly string[]; toolsCalled: readonly string[] };
  startedAt: string;
  firstTokenMs?: number;
  durationMs: number;
};

export type AttemptRecord = {
  tier: string;
  deployment: string;
  model: string;
  outcome: string;
  errorCode?: string;
  httpStatus?: number;
  repairs: readonly string[];
  startedAt: string;
  headerMs?: number;
  firstTokenMs?: number;
  durationMs: number;
};

/** A call that nobody served still names a provider, because the conventions require one. */
const NO_PROVIDER = 'tiercel';
/** What speaks OpenAI's dialect goes by that name in the conventions, whoever runs it. */
const PROVIDERS: Readonly<Record<string, string>> = { 'openai-wire': 'openai' };

/**
 * The call as one inference span, which covers it with all retries as the conventions have it, and below it a span for each attempt.
 * Only the call is a generative AI operation: were the attempts too, each token would be counted twice.
 */
export function toCallSpans(call: CallRecord): Span[] {
  const startMs = Date.parse(call.startedAt);
  const spanId = callSpanId(call.id);
  const span: Span = {
    traceId: call.traceId,
    spanId,
    ...(call.parentSpanId === undefined ? {} : { parentSpanId: call.parentSpanId }),
    name: `${call.kind} ${call.requested}`,
    kind: 'client',
    startMs,
    endMs: startMs + call.durationMs,
    attributes: callAttributes(call),
    events: callEvents(call),
    ...(call.errorCode === undefined ? {} : { error: call.errorCode }),
  };
  return [span, ...call.attempts.map((attempt, at) => toAttemptSpan(call, attempt, at))];
}

function callAttributes(call: CallRecord): Span['attributes'] {
  const { served, usage, firstTokenMs, proof } = call;
  return {
    [GEN_AI.operation]: call.kind,
    [GEN_AI.provider]: served ? (PROVIDERS[served.provider] ?? served.provider) : NO_PROVIDER,
    [GEN_AI.requestModel]: call.requested,
    [GEN_AI.requestStream]: call.streamed,
    [GEN_AI.responseModel]: served?.model,
    [GEN_AI.timeToFirstChunk]: call.streamed && firstTokenMs !== undefined ? firstTokenMs / 1000 : undefined,
    [GEN_AI.inputTokens]: usage.inputTokens,
    [GEN_AI.outputTokens]: usage.outputTokens,
    [GEN_AI.reasoningTokens]: usage.reasoningTokens,
    [ERROR_TYPE]: call.errorCode,
    'tiercel.receipt.id': call.id,
    'tiercel.principal': call.principal,
    'tiercel.role': call.role ?? undefined,
    'tiercel.label': call.label,
    'tiercel.outcome': call.outcome,
    'tiercel.served.tier': served?.tier,
    'tiercel.served.deployment': served?.deployment,
    'tiercel.usage.source': usage.source,
    'tiercel.tools.offered': proof.toolsOffered.length > 0 ? proof.toolsOffered : undefined,
    'tiercel.tools.called': proof.toolsCalled.length > 0 ? proof.toolsCalled : undefined,
  };
}

function callEvents(call: CallRecord): Span['events'] {
  const repairs = call.attempts.flatMap(({ repairs: names, startedAt, deployment }, at) => {
    const before = call.attempts[at - 1];
    // Repairs known from earlier calls are part of the request from the start, and no event of this call.
    const known = before?.deployment === deployment ? before.repairs : names;
    return names
      .filter((name) => !known.includes(name))
      .map((repair) => ({
        name: 'tiercel.repaired',
        atMs: Date.parse(startedAt),
        attributes: { 'tiercel.deployment': deployment, 'tiercel.repair': repair },
      }));
  });
  const last = call.attempts.at(-1);
  if (call.fallbackReason === undefined || last === undefined) return repairs;
  const attributes = { 'tiercel.deployment': last.deployment, 'tiercel.reason': call.fallbackReason };
  return [...repairs, { name: 'tiercel.fell_back', atMs: Date.parse(last.startedAt), attributes }];
}

function toAttemptSpan(call: CallRecord, attempt: AttemptRecord, at: number): Span {
  const startMs = Date.parse(attempt.startedAt);
  const { headerMs, firstTokenMs, errorCode } = attempt;
  const moments = [
    ['tiercel.header', headerMs],
    ['tiercel.first_token', firstTokenMs],
  ] as const;
  return {
    traceId: call.traceId,
    spanId: partSpanId(call.id, at + 1),
    parentSpanId: callSpanId(call.id),
    name: `attempt ${attempt.deployment}`,
    kind: attempt.tier === 'simulation' ? 'internal' : 'client',
    startMs,
    endMs: startMs + attempt.durationMs,
    attributes: {
      [GEN_AI.requestModel]: attempt.model,
      [HTTP_STATUS]: attempt.httpStatus,
      [ERROR_TYPE]: errorCode,
      'tiercel.tier': attempt.tier,
      'tiercel.deployment': attempt.deployment,
      'tiercel.outcome': attempt.outcome,
      'tiercel.repairs': attempt.repairs.length > 0 ? attempt.repairs : undefined,
    },
    events: moments.flatMap(([name, ms]) =>
      ms === undefined ? [] : [{ name, atMs: startMs + ms, attributes: {} }],
    ),
    ...(errorCode === undefined ? {} : { error: errorCode }),
  };
}
