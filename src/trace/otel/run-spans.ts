import type { TraceEvent } from '../event.ts';
import type { Span } from './span.ts';

/** Runs under way at once; what is beyond is not exported, so that starts without an end cannot fill the memory. */
const MOST_OPEN = 10_000;

type OpenRun = { event: TraceEvent; name: string; parentSpanId?: string };

/**
 * Makes a span of each run from its first and last event. State: the runs under way.
 *
 * @param take is given each span when its run has ended
 */
export function createRunSpans(take: (span: Span) => void) {
  const open = new Map<string, OpenRun>();

  function close({ event, name, parentSpanId }: OpenRun, endMs: number, outcome: string): void {
    open.delete(event.runId);
    take({
      traceId: event.traceId,
      spanId: event.spanId,
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      name,
      kind: 'internal',
      startMs: Date.parse(event.ts),
      endMs,
      attributes: {
        'tiercel.run.id': event.runId,
        'tiercel.principal': event.actor,
        'tiercel.outcome': outcome,
      },
      events: [],
      ...(outcome === 'ok' ? {} : { error: outcome }),
    });
  }

  return {
    hear(event: TraceEvent): void {
      if (event.type === 'RUN_STARTED' && open.size < MOST_OPEN) {
        // A run within a run is caused by the start of the outer one.
        const around = event.causeId === undefined ? undefined : open.get(event.causeId);
        open.set(event.runId, {
          event,
          name: event.payload.name,
          ...(around ? { parentSpanId: around.event.spanId } : {}),
        });
      } else if (event.type === 'RUN_FINISHED') {
        const run = open.get(event.runId);
        if (run) close(run, Date.parse(run.event.ts) + event.payload.durationMs, event.payload.outcome);
      }
    },
    /** Ends the spans of runs that will not be heard of again. */
    closeAll(): void {
      for (const run of open.values()) close(run, Date.now(), 'unfinished');
    },
  };
}
