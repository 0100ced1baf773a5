import type { Settings } from '../config/settings.ts';
import type { ErrorCode } from '../errors.ts';
import { createId } from '../lib/ids.ts';
import { isoTime } from '../lib/iso-time.ts';
import { currentScope, type Scope } from '../trace/context.ts';
import type { EventInput, Trace } from '../trace/event.ts';
import type { CoreEvents, EventType } from '../trace/events.ts';
import { callSpanId, partSpanId } from '../trace/span-ids.ts';
import type { WireUsage } from './chat.ts';
import type { AttemptFailure, Candidate } from './model.ts';
import type { Plan } from './plan.ts';
import type { Attempt, Exclusion, ExclusionReason, Outcome, Receipt, Usage } from './receipt.ts';
import type { Timing } from './runner.ts';
import { costOf, type SpentUsage, sumUsage, toUsage } from './usage.ts';

export type CallFacts = {
  kind: Receipt['kind'];
  traceId: string;
  parentSpanId?: string;
  causeId?: string;
  role: string | null;
  principal: string;
  requested: string;
  streamed: boolean;
  toolsOffered: string[];
  policyDigest: string | null;
  /** `performance.now()` when the call came in; durations count from here. */
  began: number;
};

export type Ending = {
  outcome: Outcome;
  errorCode?: ErrorCode;
  /** Usage of the answer itself; what failed attempts spent is added. Null when nothing was answered. */
  usage: Usage | null;
  served?: { candidate: Candidate; provider: string; model: string };
  malformedEvents?: number;
  toolsCalled?: string[];
};

/** A receipt while its call is under way: it takes down what happens as it happens, and is finished once. */
export class ReceiptDraft {
  readonly id = createId();
  fallbackReason: string | null = null;
  readonly #settings: Settings;
  readonly #facts: CallFacts;
  readonly #trace: Trace;
  /**
   * Wall-clock time when `performance.now()` was 0, read once, so that the times of a call agree among themselves; `timeOrigin`
   * would drift from a clock that was set since.
   */
  readonly #clock = Date.now() - performance.now();
  /** What the call's next event belongs to: each is caused by the one before it, so a call reads as one chain. */
  #scope: Scope;
  readonly #attempts: Attempt[] = [];
  readonly #spent: SpentUsage[] = [];
  #excluded: Exclusion[] = [];
  #label: Receipt['label'] = 'none';
  #firstTokenMs: number | undefined;
  #current: { attempt: Attempt; candidate: Candidate; began: number } | null = null;

  constructor(settings: Settings, facts: CallFacts, trace: Trace) {
    this.#settings = settings;
    this.#facts = facts;
    this.#trace = trace;
    this.#scope = toScope(this.id, facts);
  }

  planned({ label, candidates, excluded }: Plan): void {
    this.#label = label;
    this.#excluded = [...excluded];
    const { requested } = this.#facts;
    const names = candidates.map(({ deployment }) => deployment);
    this.#emit('PLAN_RESOLVED', `${requested} is planned as ${label}: ${names.join(', ') || 'nobody'}`, {
      receiptId: this.id,
      requested,
      label,
      candidates: names,
      excluded: excluded.map(({ deployment, reason }) => ({ deployment, reason })),
    });
  }

  beginAttempt(candidate: Candidate, repairs: readonly string[]): void {
    const { tier, deployment, model } = candidate;
    const began = performance.now();
    const attempt: Attempt = {
      tier,
      deployment,
      model,
      outcome: 'served',
      repairs: [...repairs],
      startedAt: this.#toIso(began),
      durationMs: 0,
    };
    this.#attempts.push(attempt);
    this.#current = { attempt, candidate, began };
  }

  /** The attempt under way has an answer; it stays open until {@link finish}, since a stream goes on. */
  attemptServed(timing: Timing): void {
    if (!this.#current) return;
    const { attempt, began } = this.#current;
    takeTiming(attempt, timing);
    if (timing.firstTokenMs !== undefined) {
      this.#firstTokenMs = round(began - this.#facts.began + timing.firstTokenMs);
    }
  }

  attemptFailed(failure: AttemptFailure, timing: Timing, usage: WireUsage | undefined): void {
    if (!this.#current) return;
    const { attempt, candidate } = this.#current;
    takeTiming(attempt, timing);
    if (failure.httpStatus !== undefined) attempt.httpStatus = failure.httpStatus;
    if (usage) this.#spent.push({ candidate, usage: toUsage(usage) });
    this.#closeAttempt(failure.code === 'client_closed' ? 'cancelled' : 'failed', failure.code);
  }

  repaired({ deployment }: Candidate, repair: string): void {
    this.#emit('INFERENCE_REPAIRED', `${repair} for ${deployment}`, { deployment, repair });
  }

  exclude({ deployment, tier }: Candidate, reason: ExclusionReason): void {
    this.#excluded.push({ deployment, tier, reason });
  }

  fellBack({ deployment, tier }: Candidate, reason: string): void {
    this.fallbackReason = reason;
    this.#emit('INFERENCE_FELL_BACK', `${deployment} serves: ${reason}`, { deployment, reason }, tier);
  }

  finish(ending: Ending): Receipt {
    const { outcome, served, errorCode } = ending;
    this.#closeAttempt(outcome === 'ok' ? 'served' : outcome === 'error' ? 'failed' : outcome, errorCode);
    if (ending.usage && served) this.#spent.push({ candidate: served.candidate, usage: ending.usage });
    const receipt = this.#compose(ending);
    this.#emitEnd(receipt);
    return receipt;
  }

  #compose({ outcome, errorCode, served, malformedEvents, toolsCalled }: Ending): Receipt {
    const { mode, routing } = this.#settings;
    const { began, kind, traceId, parentSpanId, causeId, role, principal, requested, streamed, ...facts } =
      this.#facts;
    const cost = costOf(this.#spent);
    return {
      id: this.id,
      traceId,
      ...(parentSpanId ? { parentSpanId } : {}),
      ...(causeId ? { causeId } : {}),
      kind,
      role,
      principal,
      mode,
      routing,
      label: this.#label,
      requested,
      streamed,
      served: served ? toServed(served) : null,
      outcome,
      ...(errorCode ? { errorCode } : {}),
      ...(this.fallbackReason ? { fallbackReason: this.fallbackReason } : {}),
      attempts: this.#attempts,
      excluded: this.#excluded,
      usage: sumUsage(this.#spent),
      ...(cost ? { cost } : {}),
      ...(malformedEvents ? { malformedEvents } : {}),
      proof: {
        retrievalHits: [],
        memoryInjected: [],
        toolsOffered: facts.toolsOffered,
        toolsCalled: toolsCalled ?? [],
      },
      policyDigest: facts.policyDigest,
      startedAt: this.#toIso(began),
      ...(this.#firstTokenMs === undefined ? {} : { firstTokenMs: this.#firstTokenMs }),
      durationMs: round(performance.now() - began),
    };
  }

  #toIso(moment: number): string {
    return isoTime(this.#clock + moment);
  }

  #closeAttempt(outcome: Attempt['outcome'], errorCode: ErrorCode | undefined): void {
    if (!this.#current) return;
    const { attempt, began } = this.#current;
    this.#current = null;
    attempt.outcome = outcome;
    attempt.durationMs = round(performance.now() - began);
    if (errorCode && outcome !== 'served') attempt.errorCode = errorCode;
    const { deployment, tier, durationMs } = attempt;
    const payload = { deployment, outcome, durationMs, ...(errorCode ? { errorCode } : {}) };
    const message = `${deployment} ${outcome}${errorCode ? ` with ${errorCode}` : ''} after ${durationMs} ms`;
    this.#emit('INFERENCE_ATTEMPT', message, payload, tier);
  }

  #emitEnd({ id: receiptId, served, outcome, errorCode = 'internal_error', durationMs }: Receipt): void {
    if (served) {
      const { deployment, tier, model } = served;
      const isWhole = outcome === 'ok';
      const message = `${deployment} answered with ${model}${isWhole ? '' : `: ${outcome}`}`;
      const payload = {
        receiptId,
        deployment,
        model,
        outcome,
        durationMs,
        ...(isWhole ? {} : { errorCode }),
      };
      this.#emit('INFERENCE_SERVED', message, payload, tier);
    } else {
      this.#emit('INFERENCE_FAILED', `No answer: ${errorCode}`, { receiptId, errorCode, durationMs });
    }
  }

  #emit<Type extends EventType>(
    type: Type,
    message: string,
    payload: EventInput<CoreEvents[Type]>['payload'],
    tier?: string,
  ): void {
    const input = { actor: this.#facts.principal, message, payload, ...(tier ? { tier } : {}) };
    const { runId, traceId, spanId } = this.#scope;
    const causeId = this.#trace.emit(type, input, { ...this.#scope, spanId: this.#spanOf(type) });
    this.#scope = { runId, traceId, spanId, causeId };
  }

  /** The plan and each attempt are spans below the call's own. */
  #spanOf(type: EventType): string {
    if (type === 'PLAN_RESOLVED') return partSpanId(this.id, 0);
    const isOfAttempt = type === 'INFERENCE_ATTEMPT' || type === 'INFERENCE_REPAIRED';
    return isOfAttempt ? partSpanId(this.id, this.#attempts.length) : this.#scope.spanId;
  }
}

/** A call within a run belongs to it; one that comes alone is a run of its own, with the receipt's id. */
function toScope(receiptId: string, { traceId, causeId }: CallFacts): Scope {
  const around = currentScope();
  const cause = causeId ?? around?.causeId;
  return {
    runId: around?.runId ?? receiptId,
    traceId,
    spanId: callSpanId(receiptId),
    ...(cause === undefined ? {} : { causeId: cause }),
    opens: around === undefined,
  };
}

function takeTiming(attempt: Attempt, { headerMs, firstTokenMs }: Timing): void {
  if (headerMs !== undefined) attempt.headerMs = round(headerMs);
  if (firstTokenMs !== undefined) attempt.firstTokenMs = round(firstTokenMs);
}

function toServed({
  candidate,
  provider,
  model,
}: NonNullable<Ending['served']>): NonNullable<Receipt['served']> {
  return { tier: candidate.tier, deployment: candidate.deployment, provider, model };
}

/** Milliseconds to one microsecond: what the clock can tell, and no more digits on the receipt. */
function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
