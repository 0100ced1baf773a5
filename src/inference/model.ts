import type { AttemptLimits, Deployment, Tier } from '../config/settings.ts';
import type { ErrorCode } from '../errors.ts';
import type { ChatChunk, ChatCompletion, ChatRequest } from './chat.ts';

/** One place that a plan may ask. `target` is null for simulation, which has no address. */
export type Candidate = {
  tier: Tier;
  /** The deployment's id; `simulation` for the simulation tier. */
  deployment: string;
  /** The model name that is sent to this candidate and to no other. */
  model: string;
  target: Deployment | null;
};

/** Why an attempt failed, as the classification table needs it. */
export type AttemptFailure = {
  code: ErrorCode;
  /** In our words, or the target's where the caller must act on it. Holds no secret. */
  message: string;
  httpStatus?: number;
  retryAfterMs?: number;
  /** The target's own words, for the repairs to read. Never leaves the room. */
  detail?: { text: string; param?: string };
};

export type AttemptCall = {
  candidate: Candidate;
  request: ChatRequest;
  /** The role of the call, for simulation scripts; null for a bare call. */
  role: string | null;
  limits: AttemptLimits;
  /** Absolute time, in milliseconds of `performance.now()`, when this attempt's share of the deadline ends. */
  deadlineAt: number;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
};

export type Completed = { kind: 'completed'; completion: ChatCompletion; headerMs: number };
export type Streaming = { kind: 'streaming'; stream: ChunkStream; headerMs: number };
export type Failed = { kind: 'failed'; failure: AttemptFailure; headerMs?: number };

/**
 * One read of a stream: the chunks of one network read together, so that the cost per chunk stays small.
 * `malformed` counts events that did not parse. `finished` tells a proper end from a cut. What ended a stream, `end` or
 * `failed`, is given again by every later read.
 */
export type StreamRead =
  | { kind: 'chunks'; chunks: ChatChunk[]; malformed: number }
  | { kind: 'end'; finished: boolean; malformed: number }
  | { kind: 'failed'; failure: AttemptFailure };

/** A stream that is pulled. Chunks are normalised: tool calls indexed, reasoning apart, finish reasons right. */
export interface ChunkStream {
  /** The next read. Fails with `upstream_timeout`, naming `limit`, when nothing comes for `limitMs`. */
  read(limitMs: number, limit: 'firstTokenMs' | 'idleMs'): Promise<StreamRead>;
  /** Gives up the rest and frees the connection. Harmless when called again or after the end. */
  cancel(): void;
}

/** The contract of an implementation: the OpenAI wire and simulation fulfil it. It returns failures and never throws them. */
export interface Provider {
  /** Shown on receipts: `openai-wire`, `simulation`. */
  readonly name: string;
  complete(call: AttemptCall): Promise<Completed | Failed>;
  stream(call: AttemptCall): Promise<Streaming | Failed>;
}
