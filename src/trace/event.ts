import type { ErrorCode } from '../errors.ts';

/** The typed catalogue: each event's type and what its payload holds. Payloads never hold prompts, answers or secrets. */
export type EventPayloads = {
  PLAN_RESOLVED: {
    requested: string;
    label: string;
    candidates: string[];
    excluded: { deployment: string; reason: string }[];
  };
  INFERENCE_ATTEMPT: {
    deployment: string;
    tier: string;
    outcome: string;
    errorCode?: ErrorCode;
    durationMs: number;
  };
  INFERENCE_REPAIRED: { deployment: string; repair: string };
  INFERENCE_FELL_BACK: { deployment: string; tier: string; reason: string };
  INFERENCE_SERVED: { deployment: string; tier: string; model: string; outcome: string };
  INFERENCE_FAILED: { errorCode: ErrorCode };
  BREAKER_OPENED: { deployment: string; until: string };
  BREAKER_PROBED: { deployment: string };
  BREAKER_CLOSED: { deployment: string };
  EGRESS_DENIED: { host: string; port: number; purpose: string; reason: string };
  SETTING_CHANGED: { path: string; author: string };
};

export type EventType = keyof EventPayloads;

export type TraceEvent<Type extends EventType = EventType> = {
  [Name in Type]: {
    type: Name;
    /** ISO 8601, milliseconds. */
    ts: string;
    /** W3C trace id of the call; absent for what belongs to no call. */
    traceId?: string;
    receiptId?: string;
    payload: EventPayloads[Name];
  };
}[Type];

export type TraceContext = { traceId?: string; receiptId?: string };

/** Where rooms say what happened. */
export interface Trace {
  emit<Type extends EventType>(type: Type, payload: EventPayloads[Type], context?: TraceContext): void;
  /** Hears every event from now on; the function returned ends it. A listener that throws harms nobody else. */
  subscribe(listener: (event: TraceEvent) => void): () => void;
  /** False when nobody listens, so that a hot path need not build payloads. */
  readonly active: boolean;
}
