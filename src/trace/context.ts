import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { createId } from '../lib/ids.ts';
import type { Trace } from './event.ts';

/** What an event belongs to. */
export type Scope = {
  /** UUID, the id of the run's first event. */
  readonly runId: string;
  /** W3C trace id: 32 lower-case hex digits. */
  readonly traceId: string;
  /** W3C span id: 16 lower-case hex digits. */
  readonly spanId: string;
  /** The event that caused what happens here. */
  readonly causeId?: string;
  /** The next event is the run's first, and takes the run's id. */
  readonly opens?: boolean;
};

const storage = new AsyncLocalStorage<Scope>();

/** The scope of the async context, if any. Costs nothing to speak of until the first {@link withScope}. */
export function currentScope(): Scope | undefined {
  return storage.getStore();
}

/** Runs `work`, and all that it starts, in a scope. */
export function withScope<Result>(scope: Scope, work: () => Result): Result {
  return storage.run(scope, work);
}

/** A new run, in the trace and caused by the event of the surrounding scope where there is one. */
export function createRunScope(): Scope {
  const around = currentScope();
  return {
    runId: createId(),
    traceId: around?.traceId ?? randomBytes(16).toString('hex'),
    spanId: createSpanId(),
    ...(around?.causeId ? { causeId: around.causeId } : {}),
    opens: true,
  };
}

export function createSpanId(): string {
  return randomBytes(8).toString('hex');
}

/**
 * Runs `work` as a run of its own, from RUN_STARTED to RUN_FINISHED. What `work` emits is caused by the start.
 *
 * @throws what `work` throws, after the run was closed with the outcome `error`
 */
export async function withRun<Result>(
  trace: Trace,
  { actor, name }: { actor: string; name: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const opening = createRunScope();
  const started = trace.emit(
    'RUN_STARTED',
    { actor, message: `${name} started`, payload: { name } },
    opening,
  );
  const { runId, traceId, spanId } = opening;
  const scope: Scope = { runId, traceId, spanId, causeId: started };
  const began = performance.now();
  const finish = (outcome: 'ok' | 'error') => {
    const durationMs = Math.round((performance.now() - began) * 1000) / 1000;
    const message = `${name} ${outcome === 'ok' ? 'finished' : 'failed'}`;
    trace.emit('RUN_FINISHED', { actor, message, payload: { outcome, durationMs } }, scope);
  };
  let result: Result;
  try {
    result = await withScope(scope, work);
  } catch (error) {
    finish('error');
    throw error;
  }
  finish('ok');
  return result;
}
