import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { defineEvents } from './define-events.ts';

const text = z.string();
const errorCode = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);
const milliseconds = z.number().min(0);

/** The types that Tiercel itself emits. docs/events.md is generated from it. */
export const EVENTS = defineEvents({
  RUN_STARTED: { meaning: 'A run began; its id is this event’s.', payload: z.strictObject({ name: text }) },
  RUN_FINISHED: {
    meaning: 'A run ended.',
    payload: z.strictObject({ outcome: z.enum(['ok', 'error']), durationMs: milliseconds }),
  },
  PLAN_RESOLVED: {
    meaning: 'A call was planned: who may serve it, in which order, and who may not and why.',
    payload: z.strictObject({
      receiptId: text,
      requested: text,
      label: text,
      candidates: z.array(text),
      excluded: z.array(z.strictObject({ deployment: text, reason: text })),
    }),
  },
  INFERENCE_ATTEMPT: {
    meaning: 'An attempt on one deployment has ended.',
    payload: z.strictObject({
      deployment: text,
      outcome: z.enum(['served', 'failed', 'truncated', 'cancelled']),
      errorCode: errorCode.optional(),
      durationMs: milliseconds,
    }),
  },
  INFERENCE_REPAIRED: {
    meaning: 'A request was changed so that its target can take it, and is sent again.',
    payload: z.strictObject({ deployment: text, repair: text }),
  },
  INFERENCE_FELL_BACK: {
    meaning: 'Another than the plan’s first candidate serves a call.',
    payload: z.strictObject({ deployment: text, reason: text }),
  },
  INFERENCE_SERVED: {
    meaning: 'A call has its answer; `outcome` says whether the answer is whole.',
    payload: z.strictObject({
      receiptId: text,
      deployment: text,
      model: text,
      outcome: z.enum(['ok', 'error', 'truncated', 'cancelled']),
      errorCode: errorCode.optional(),
      durationMs: milliseconds,
    }),
  },
  INFERENCE_FAILED: {
    meaning: 'A call has ended without an answer.',
    payload: z.strictObject({ receiptId: text, errorCode, durationMs: milliseconds }),
  },
  BREAKER_OPENED: {
    meaning: 'A deployment failed too often and is left alone for a while.',
    payload: z.strictObject({ deployment: text, until: text }),
  },
  BREAKER_PROBED: {
    meaning: 'One call is let through to a deployment that was left alone.',
    payload: z.strictObject({ deployment: text }),
  },
  BREAKER_CLOSED: {
    meaning: 'A deployment is asked again as usual.',
    payload: z.strictObject({ deployment: text }),
  },
  EGRESS_DENIED: {
    meaning: 'The egress gate refused a connection.',
    payload: z.strictObject({ host: text, port: z.int(), purpose: text, reason: text }),
  },
  SETTING_CHANGED: {
    meaning: 'A setting was changed at run time; the value is in the list of changes.',
    payload: z.strictObject({ path: text }),
  },
  KEY_CREATED: {
    meaning: 'An API key was made.',
    payload: z.strictObject({ keyId: text, name: text, principal: text, admin: z.boolean() }),
  },
  KEY_REVOKED: { meaning: 'An API key was revoked.', payload: z.strictObject({ key: text }) },
  LEDGER_CHECKPOINT: {
    meaning: 'The head of the chain before this event, signed.',
    payload: z.strictObject({
      seq: z.int(),
      hash: text,
      publicKey: text,
      signature: text,
    }),
  },
  EVENTS_LOST: {
    meaning: 'Events could not be stored and are not in the chain; how many, and why the last of them.',
    payload: z.strictObject({ count: z.int(), reason: text }),
  },
});

export type CoreEvents = typeof EVENTS;
export type EventType = keyof CoreEvents;
