import type { Settings } from '../config/settings.ts';
import { TiercelError } from '../errors.ts';
import type { AdmissionPolicy, Admitted } from '../governance/admission.ts';
import { randomHex } from '../lib/ids.ts';
import { currentScope } from '../trace/context.ts';
import type { Trace } from '../trace/event.ts';
import type { Breakers } from './breaker.ts';
import { type Executed, execute, type Served } from './execute.ts';
import type { AttemptFailure } from './model.ts';
import { type Health, type Plan, plan, type RequestNeeds, type Target } from './plan.ts';
import type { Receipt } from './receipt.ts';
import { ReceiptDraft } from './receipt-draft.ts';
import { type ReceiptSink, type Recorder, record } from './recording.ts';
import type { RepairMemory } from './repair.ts';
import type { Runner } from './runner.ts';
import { resolveTarget } from './target.ts';

/** Who asks, and on whose behalf. */
export type Caller = {
  /** Named by the API key; `local` for an unauthenticated caller on loopback. */
  principal?: string;
  /** W3C trace id, 32 lower-case hex digits; that of the run, or a new one, when absent. */
  traceId?: string;
  /** W3C span id of the caller within `traceId`, 16 hex digits; that of the run when both are absent. */
  parentSpanId?: string;
  /** The event that led to the call; that of the run when absent. */
  causeId?: string;
  /** Aborting ends the call and its upstream request. */
  signal?: AbortSignal;
};

/** What a call is made with; the same for all calls of a process. */
export type CallTools = {
  settings: () => Settings;
  breakers: Breakers;
  repairs: RepairMemory;
  admission: AdmissionPolicy;
  trace: Trace;
  sink: ReceiptSink;
};

export type CallIntent = {
  kind: 'chat' | 'embeddings';
  model: string;
  streamed: boolean;
  inputTokens: number;
  maxOutputTokens: number | null;
  toolsOffered: string[];
  /** The request as JSON, for the store. */
  body(): string;
};

/** A call that was admitted and planned, ready to be executed. */
export type OpenCall = {
  settings: Settings;
  target: Target;
  role: string | null;
  plan: Plan;
  signal: AbortSignal;
  began: number;
  recorder: Recorder;
};

const NEVER_ABORTED = new AbortController().signal;
const FORBIDDEN: Admitted = { kind: 'admitted', policyDigest: null, settle() {} };

/**
 * Resolves, admits and plans a call, in that order, before anything is sent.
 *
 * @throws TiercelError `model_not_found`, or what the admission policy denied with; a denial has a receipt
 */
export async function openCall(tools: CallTools, intent: CallIntent, caller: Caller): Promise<OpenCall> {
  const began = performance.now();
  const settings = tools.settings();
  const target = resolveTarget(settings, intent.model);
  const role = target.kind === 'role' ? target.role.name : null;
  const { kind, inputTokens, maxOutputTokens } = intent;
  const principal = caller.principal ?? 'local';
  const asked = tools.admission.admit({
    principal,
    role,
    kind,
    requested: intent.model,
    inputTokens,
    maxOutputTokens,
  });
  // Awaited only when it must be: the default policy answers at once, and a turn of the event loop per call adds up.
  const admission = asked instanceof Promise ? await asked : asked;
  const around = currentScope();
  const parentSpanId = caller.traceId === undefined ? around?.spanId : caller.parentSpanId;
  const facts = {
    kind,
    traceId: caller.traceId ?? around?.traceId ?? randomHex(16),
    ...(parentSpanId ? { parentSpanId } : {}),
    ...(caller.causeId ? { causeId: caller.causeId } : {}),
    role,
    principal,
    requested: intent.model,
    streamed: intent.streamed,
    toolsOffered: intent.toolsOffered,
    policyDigest: admission.kind === 'admitted' ? admission.policyDigest : null,
    began,
  };
  const draft = new ReceiptDraft(settings, facts, tools.trace);
  const admitted = admission.kind === 'admitted' ? admission : FORBIDDEN;
  const recorder: Recorder = {
    draft,
    admitted,
    sink: tools.sink,
    content: settings.content,
    request: intent.body,
  };
  if (admission.kind === 'denied') {
    const { code, message, details } = admission.error;
    const receipt = await record(recorder, { outcome: 'error', errorCode: code, usage: null }, null);
    throw new TiercelError(code, message, { ...details, receiptId: receipt.id });
  }
  const needs = { kind, inputTokens, tools: intent.toolsOffered.length > 0 };
  const planned = plan(settings, target, needs, healthOf(tools, admitted));
  draft.planned(planned);
  return { settings, target, role, plan: planned, signal: caller.signal ?? NEVER_ABORTED, began, recorder };
}

/** The plan that a call would get now, without making it. */
export function previewPlan(tools: CallTools, model: string, needs: RequestNeeds): Plan {
  const settings = tools.settings();
  return plan(settings, resolveTarget(settings, model), needs, healthOf(tools, FORBIDDEN));
}

function healthOf({ breakers }: CallTools, { restriction }: Admitted): Health {
  const breaker = (deployment: string) => breakers.view(deployment);
  return restriction ? { breaker, restriction } : { breaker };
}

/**
 * Executes a call's plan. When nothing serves it, the receipt is closed and the failure thrown.
 *
 * @throws TiercelError with the code of the failure that counts, and the receipt's id
 */
export async function runCall<Answer>(
  tools: CallTools,
  call: OpenCall,
  runner: Runner<Answer>,
): Promise<Served<Answer>> {
  const { plan: planned, signal, began, recorder, settings } = call;
  const execution = {
    plan: planned,
    limits: settings.limits,
    signal,
    draft: recorder.draft,
    startedAt: began,
  };
  let executed: Executed<Answer>;
  try {
    executed = await execute(tools, execution, runner);
  } catch (error) {
    await record(recorder, { outcome: 'error', errorCode: 'internal_error', usage: null }, null);
    throw error;
  }
  if (executed.kind === 'served') return executed;
  const { failure } = executed;
  const receipt = await failCall(recorder, failure);
  throw toError(failure, receipt);
}

function failCall(recorder: Recorder, failure: AttemptFailure): Promise<Receipt> {
  const outcome = failure.code === 'client_closed' ? 'cancelled' : 'error';
  return record(recorder, { outcome, errorCode: failure.code, usage: null }, null);
}

function toError({ code, message, retryAfterMs }: AttemptFailure, receipt: Receipt): TiercelError {
  const forwarded = code === 'upstream_rate_limited' && retryAfterMs !== undefined ? { retryAfterMs } : {};
  return new TiercelError(code, message, { receiptId: receipt.id, ...forwarded });
}
