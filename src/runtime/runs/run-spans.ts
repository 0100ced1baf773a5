import type { Attempt, Receipt } from '../../inference/receipt.ts';
import type { ChainedEvent } from '../../trace/event.ts';
import { callSpanId, partSpanId } from '../../trace/span-ids.ts';
import type { RunSpan, RunSummary } from './run.ts';

/**
 * The time line of a run: the run, and below it the plan and the attempts of each call. A call that has ended is told by its receipt,
 * one under way by its events, of which there is one for each attempt that has ended.
 */
export function toRunSpans(
  run: RunSummary,
  events: readonly ChainedEvent[],
  receipts: readonly Receipt[],
): RunSpan[] {
  const start = Date.parse(run.startedAt);
  const root: RunSpan = {
    id: rootSpanId(run.id, events),
    parentId: null,
    kind: 'run',
    name: run.requested,
    startMs: 0,
    endMs: run.endedAt === null ? null : run.durationMs,
    outcome: run.outcome,
    detail: null,
  };
  const ended = new Set(receipts.map(({ id }) => id));
  const place = { start, parentId: root.id };
  return [
    root,
    ...receipts.flatMap((receipt) => callSpans(receipt, planOf(receipt.id, events), place)),
    ...events
      .filter(({ type, payload }) => type === 'PLAN_RESOLVED' && !ended.has(String(payload['receiptId'])))
      .flatMap((plan) => openCallSpans(plan, events, place)),
  ];
}

/** Where spans stand: the run's start in Unix milliseconds, and the span that they hang under. */
type Place = { start: number; parentId: string };

function rootSpanId(runId: string, events: readonly ChainedEvent[]): string {
  const [first] = events;
  return first?.type === 'RUN_STARTED' ? first.spanId : callSpanId(runId);
}

function planOf(receiptId: string, events: readonly ChainedEvent[]): ChainedEvent | undefined {
  return events.find(({ type, payload }) => type === 'PLAN_RESOLVED' && payload['receiptId'] === receiptId);
}

function callSpans(receipt: Receipt, plan: ChainedEvent | undefined, { start, parentId }: Place): RunSpan[] {
  const from = Date.parse(receipt.startedAt) - start;
  const [first] = receipt.attempts;
  const planned: RunSpan = {
    id: partSpanId(receipt.id, 0),
    parentId,
    kind: 'plan',
    name: 'plan',
    startMs: from,
    endMs: first ? Date.parse(first.startedAt) - start : from + receipt.durationMs,
    outcome: 'ok',
    detail: {
      receiptId: receipt.id,
      label: receipt.label,
      candidates: plan?.payload['candidates'] ?? [],
      excluded: receipt.excluded,
    },
  };
  const attempts = receipt.attempts.map((attempt, at) =>
    toAttemptSpan(receipt.id, attempt, at, { start, parentId }),
  );
  return [planned, ...attempts];
}

function toAttemptSpan(receiptId: string, attempt: Attempt, at: number, { start, parentId }: Place): RunSpan {
  const { deployment, tier, model, outcome, repairs, errorCode, httpStatus, headerMs, firstTokenMs } =
    attempt;
  const startMs = Date.parse(attempt.startedAt) - start;
  return {
    id: partSpanId(receiptId, at + 1),
    parentId,
    kind: 'attempt',
    name: deployment,
    tier,
    startMs,
    endMs: startMs + attempt.durationMs,
    marks: [
      ...(headerMs === undefined ? [] : [{ at: startMs + headerMs, name: 'header' }]),
      ...(firstTokenMs === undefined ? [] : [{ at: startMs + firstTokenMs, name: 'first_token' }]),
    ],
    outcome,
    detail: {
      receiptId,
      model,
      repairs,
      ...(errorCode === undefined ? {} : { errorCode }),
      ...(httpStatus === undefined ? {} : { httpStatus }),
    },
  };
}

/** A call's events name its spans, counted on from its own id, which its receipt will have. */
function openCallSpans(
  plan: ChainedEvent,
  events: readonly ChainedEvent[],
  { start, parentId }: Place,
): RunSpan[] {
  const { receiptId, ...detail } = plan.payload;
  const at = Date.parse(plan.ts) - start;
  const planned: RunSpan = {
    id: plan.spanId,
    parentId,
    kind: 'plan',
    name: 'plan',
    startMs: at,
    endMs: at,
    outcome: 'ok',
    detail,
  };
  const own = events.filter(({ type }) => type === 'INFERENCE_ATTEMPT');
  const byId = new Map(own.map((event) => [event.spanId, event]));
  const spans = [planned];
  for (let part = 1; ; part++) {
    const attempt = byId.get(partSpanId(String(receiptId), part));
    if (attempt === undefined) return spans;
    spans.push(toEndedSpan(attempt, { start, parentId }));
  }
}

function toEndedSpan({ spanId, ts, tier, payload }: ChainedEvent, { start, parentId }: Place): RunSpan {
  const { deployment, outcome, durationMs, errorCode } = payload;
  const endMs = Date.parse(ts) - start;
  return {
    id: spanId,
    parentId,
    kind: 'attempt',
    name: String(deployment),
    ...(tier === undefined ? {} : { tier: tier as NonNullable<RunSpan['tier']> }),
    startMs: Math.max(0, endMs - Number(durationMs)),
    endMs,
    outcome: String(outcome),
    detail: errorCode === undefined ? null : { errorCode },
  };
}
