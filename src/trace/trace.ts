import type { Trace, TraceEvent } from './event.ts';

/** @param onListenerError told when a listener throws; the event still reaches the others */
export function createTrace(onListenerError: (error: unknown) => void = () => {}): Trace {
  const listeners = new Set<(event: TraceEvent) => void>();
  return {
    emit(type, payload, context) {
      if (listeners.size === 0) return;
      const event = { type, ts: new Date().toISOString(), ...context, payload } as TraceEvent;
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          onListenerError(error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get active() {
      return listeners.size > 0;
    },
  };
}
