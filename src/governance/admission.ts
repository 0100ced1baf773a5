import type { TiercelError } from '../errors.ts';

/** What is known of a call before it is planned; budgets reserve on it. */
export type AdmissionRequest = {
  principal: string;
  role: string | null;
  kind: 'chat' | 'embeddings';
  /** What the caller named as `model`. */
  requested: string;
  /** Tokens of the input, estimated. */
  inputTokens: number;
  /** The caller's own bound on the output, in tokens; null when it set none. */
  maxOutputTokens: number | null;
};

/** What was used in the end. `source` tells a report of the target from our estimate. */
export type SettledUsage = {
  inputTokens: number;
  outputTokens: number;
  source: 'reported' | 'estimated' | 'simulated';
  outcome: 'ok' | 'error' | 'truncated' | 'cancelled';
};

export type Admitted = {
  kind: 'admitted';
  /** Digest of the policies in force, for the receipt; null when none are loaded. */
  policyDigest: string | null;
  /** Leaves a deployment out of the plan. */
  restriction?(deployment: { id: string; model: string }): 'policy_denied' | 'suspended' | null;
  /** Called exactly once, when the call has ended, however it ended. */
  settle(usage: SettledUsage): void | Promise<void>;
};

export type Denied = { kind: 'denied'; error: TiercelError };

/** The seam where policies and budgets stand: asked once per call, before anything is sent. A denial is final. */
export interface AdmissionPolicy {
  admit(request: AdmissionRequest): Admitted | Denied | Promise<Admitted | Denied>;
}

const ADMITTED: Admitted = { kind: 'admitted', policyDigest: null, settle() {} };

/** In force while no policy is loaded. */
export const admitAll: AdmissionPolicy = { admit: () => ADMITTED };
