import type { Runtime } from '../runtime/runtime.ts';
import type { Calls } from './calls.ts';
import type { Metrics } from './metrics.ts';
import type { Sessions } from './sessions.ts';

/** What routes are made with. */
export type GatewayParts = {
  runtime: Runtime;
  calls: Calls;
  metrics: Metrics;
  /** Seconds since the epoch. */
  startedAt: number;
  /** Where the server listens, without a slash at the end. */
  url(): string;
  /** Whether the local user needs no sign-in. */
  keyless: boolean;
  sessions: Sessions;
  /** The data folder, absolute. */
  folder: string;
  /** Aborted when a stop was asked for: streams without an end of their own end then. */
  stopping: AbortSignal;
};
