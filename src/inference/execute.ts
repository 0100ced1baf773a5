import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptLimits, Limits } from '../config/settings.ts';
import type { Trace } from '../trace/event.ts';
import type { Breakers, Permit, Verdict } from './breaker.ts';
import { nextStep, verdictOf } from './classify.ts';
import type { AttemptFailure, Candidate } from './model.ts';
import type { Plan } from './plan.ts';
import type { ReceiptDraft } from './receipt-draft.ts';
import type { RepairMemory, RepairName } from './repair.ts';
import type { AttemptContext, AttemptResult, BadAnswer, Runner } from './runner.ts';

export type ExecutionTools = { breakers: Breakers; repairs: RepairMemory; trace: Trace };

export type Execution = {
  plan: Plan;
  limits: Limits;
  signal: AbortSignal;
  draft: ReceiptDraft;
  /** `performance.now()` when the call came in: the total deadline counts from here. */
  startedAt: number;
};

export type Served<Answer> = {
  kind: 'served';
  answer: Answer;
  candidate: Candidate;
  /** To be called once with how the answer ended; a stream ends after it was served. */
  report(verdict: Verdict): void;
};

export type Executed<Answer> = Served<Answer> | { kind: 'failed'; failure: AttemptFailure };

type CandidateOutcome<Answer> =
  | Served<Answer>
  | { kind: 'exhausted'; failure: AttemptFailure }
  | { kind: 'stopped'; failure: AttemptFailure };

/** In simulation nothing can be slow or broken, so no limit is met. */
const NO_LIMITS: AttemptLimits = { connectMs: 0, headerMs: 0, firstTokenMs: 0, idleMs: 0 };
const FREE_PERMIT: Permit = { probe: false, report() {} };

/**
 * Walks the candidates of a plan until one serves. When all fail, the failure of the first is the one to tell; when one
 * says to stop (the caller's fault, a safety system), that one is.
 */
export async function execute<Answer>(
  tools: ExecutionTools,
  execution: Execution,
  runner: Runner<Answer>,
): Promise<Executed<Answer>> {
  const { candidates } = execution.plan;
  let first: AttemptFailure | null = null;
  for (const [at, candidate] of candidates.entries()) {
    const outcome = await tryCandidate(tools, execution, runner, candidate, at);
    switch (outcome.kind) {
      case 'served':
        if (at > 0 || execution.plan.displaced) {
          const reason = execution.plan.displaced ?? first?.code ?? 'breaker_open';
          execution.draft.fellBack(candidate, reason);
        }
        return outcome;
      case 'stopped':
        return { kind: 'failed', failure: outcome.failure };
      case 'exhausted':
        first ??= outcome.failure;
        break;
      default:
        outcome satisfies never;
    }
  }
  return { kind: 'failed', failure: first ?? noCandidate(execution.plan, runner.unavailable) };
}

function noCandidate(plan: Plan, code: AttemptFailure['code']): AttemptFailure {
  const reasons = plan.excluded.map(({ deployment, reason }) => `${deployment}: ${reason}`).join(', ');
  const allTooSmall =
    plan.excluded.length > 0 && plan.excluded.every((one) => one.reason === 'context_too_small');
  if (allTooSmall) {
    return {
      code: 'context_length_exceeded',
      message: `The request is too large for every deployment (${reasons}).`,
    };
  }
  if (code === 'embedder_unavailable' && !reasons) {
    return {
      code,
      message: 'No embedding model is configured, and simulation has none: a hash is not an embedding.',
    };
  }
  const message = reasons
    ? `No deployment may serve this call (${reasons}).`
    : 'No deployment is configured for this call. Add one to tiercel.yaml, or set mode to simulation.';
  return { code, message };
}

async function tryCandidate<Answer>(
  tools: ExecutionTools,
  execution: Execution,
  runner: Runner<Answer>,
  candidate: Candidate,
  at: number,
): Promise<CandidateOutcome<Answer>> {
  const { plan, limits, signal, draft } = execution;
  const deadlineAt = shareOfDeadline(execution, at);
  const applied: RepairName[] = [...tools.repairs.known(candidate)];
  const learnt: RepairName[] = [];
  let retriesLeft = limits.retriesPerTarget;
  let reask: BadAnswer | null = null;
  let last: AttemptFailure | null = null;
  for (;;) {
    if (signal.aborted) return stopped(CALLER_LEFT);
    const timeLeft = deadlineAt - performance.now();
    if (timeLeft <= 0) return { kind: 'exhausted', failure: last ?? deadlinePassed(candidate) };
    const permit = acquire(tools.breakers, candidate, plan);
    if (!permit) {
      if (!last) draft.exclude(candidate, 'breaker_open');
      return { kind: 'exhausted', failure: last ?? breakerOpen(candidate) };
    }
    draft.beginAttempt(candidate, reask ? [...applied, 'reask'] : applied);
    const context: AttemptContext = {
      candidate,
      limits: limitsOf(candidate, limits),
      deadlineAt,
      signal,
      repairs: applied,
      reask,
    };
    const result: AttemptResult<Answer> = await guarded(runner.attempt(context), permit);
    if (result.kind === 'served') {
      draft.attemptServed(result.timing);
      if (learnt.length > 0) tools.repairs.learn(candidate, learnt);
      return { kind: 'served', answer: result.answer, candidate, report: permit.report };
    }
    const { failure } = result;
    last = failure;
    permit.report(verdictOf(failure));
    draft.attemptFailed(failure, result.timing, result.usage);
    const step = nextStep(failure, {
      retriesLeft,
      timeLeftMs: deadlineAt - performance.now(),
      repair: runner.repairFor(failure, candidate, applied),
      probe: permit.probe,
      reasked: reask !== null,
      largerContextAhead: hasLargerContext(plan.candidates, at),
      random: Math.random(),
    });
    switch (step.step) {
      case 'repair':
        applied.push(step.repair);
        learnt.push(step.repair);
        draft.repaired(candidate, step.repair);
        break;
      case 'retry':
        retriesLeft -= 1;
        await delay(step.delayMs, undefined, { signal }).catch(() => {});
        break;
      case 'reask':
        reask = result.badAnswer ?? { content: '', problem: failure.message };
        break;
      case 'next':
        return { kind: 'exhausted', failure };
      case 'stop':
        return stopped(failure);
      default:
        step satisfies never;
    }
  }
}

/** A runner returns its failures. Should one throw, that is our defect: it is passed on, and the permit is not leaked. */
async function guarded<Answer>(
  attempt: Promise<AttemptResult<Answer>>,
  permit: Permit,
): Promise<AttemptResult<Answer>> {
  try {
    return await attempt;
  } catch (error) {
    permit.report({ kind: 'neutral' });
    throw error;
  }
}

function limitsOf({ tier }: Candidate, limits: Limits): AttemptLimits {
  return tier === 'simulation' ? NO_LIMITS : limits[tier];
}

function acquire(breakers: Breakers, candidate: Candidate, plan: Plan): Permit | null {
  if (candidate.tier === 'simulation') return FREE_PERMIT;
  // A plan of one has nowhere else to go, so its target is asked even when its breaker is open.
  return breakers.acquire(candidate.deployment, plan.candidates.length === 1);
}

/**
 * When this candidate must be done, so that each one behind it keeps its minimum of the total; where the total is too
 * short for that, the candidates share what is left evenly. Simulation needs no time.
 */
function shareOfDeadline({ plan, limits, startedAt }: Execution, at: number): number {
  const totalAt = startedAt + limits.totalMs;
  const behind = plan.candidates.slice(at + 1).filter((candidate) => candidate.tier !== 'simulation').length;
  if (behind === 0) return totalAt;
  const left = totalAt - performance.now();
  return totalAt - behind * Math.min(limits.minPerCandidateMs, left / (behind + 1));
}

function hasLargerContext(candidates: readonly Candidate[], at: number): boolean {
  const own = candidates[at]?.target?.contextWindow;
  return candidates.slice(at + 1).some(({ target }) => {
    const window = target?.contextWindow;
    return window !== undefined && (own === undefined || window > own);
  });
}

const CALLER_LEFT: AttemptFailure = { code: 'client_closed', message: 'The caller went away.' };

function stopped(failure: AttemptFailure): { kind: 'stopped'; failure: AttemptFailure } {
  return { kind: 'stopped', failure };
}

function deadlinePassed({ deployment }: Candidate): AttemptFailure {
  return {
    code: 'deadline_exceeded',
    message: `The total deadline passed before ${deployment} could be asked.`,
  };
}

function breakerOpen({ deployment }: Candidate): AttemptFailure {
  return { code: 'no_candidate', message: `${deployment} is not asked while its breaker is open.` };
}
