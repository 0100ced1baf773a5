import type { WireUsage } from './chat.ts';
import type { AttemptCall, AttemptFailure, Candidate } from './model.ts';
import type { RepairName } from './repair.ts';

/** What one attempt is given besides the request, which its runner holds. */
export type AttemptContext = Pick<AttemptCall, 'candidate' | 'limits' | 'deadlineAt' | 'signal'> & {
  repairs: readonly RepairName[];
  /** An answer of this candidate that did not hold, and why; it is shown to the target when it is asked again. */
  reask: BadAnswer | null;
};

export type BadAnswer = { content: string; problem: string };

export type Timing = { headerMs?: number; firstTokenMs?: number };

/** What came of one attempt; the executor's switch acts on it. */
export type AttemptResult<Answer> =
  | { kind: 'served'; answer: Answer; timing: Timing }
  | {
      kind: 'failed';
      failure: AttemptFailure;
      timing: Timing;
      badAnswer?: BadAnswer;
      /** Tokens that were spent on the failure, when the target said so. */
      usage?: WireUsage;
    };

/** One kind of call (chat, embeddings) as the executor sees it: how to try a candidate, and what it could repair. */
export interface Runner<Answer> {
  /** The code of a call that nobody may serve. */
  readonly unavailable: 'no_candidate' | 'embedder_unavailable';
  attempt(context: AttemptContext): Promise<AttemptResult<Answer>>;
  repairFor(failure: AttemptFailure, candidate: Candidate, applied: readonly RepairName[]): RepairName | null;
}
