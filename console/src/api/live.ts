import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { TraceEvent } from './types.ts';

/** `waiting`: no connection now; one is being tried. */
export type LiveState = 'connecting' | 'open' | 'waiting';

// One connection for the whole page, opened with the first listener. The browser resumes it by Last-Event-ID after a cut;
// after a refusal it gives up, and then a new one is tried.
const RETRY_MS = 4_000;
const hearers = new Set<(event: TraceEvent) => void>();
const watchers = new Set<() => void>();
let state: LiveState = 'connecting';
let source: EventSource | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;

function open(): void {
  source = new EventSource('/api/events/stream');
  source.onopen = () => enter('open');
  source.onmessage = ({ data }) => {
    const event = JSON.parse(data) as TraceEvent;
    for (const hear of hearers) hear(event);
  };
  source.onerror = () => {
    enter('waiting');
    if (source?.readyState !== EventSource.CLOSED) return;
    clearTimeout(retry);
    retry = setTimeout(open, RETRY_MS);
  };
}

function enter(next: LiveState): void {
  state = next;
  for (const watch of watchers) watch();
}

/** Hears every event as it is written. The function returned ends it. */
export function hearEvents(hear: (event: TraceEvent) => void): () => void {
  hearers.add(hear);
  if (source === null) open();
  return () => hearers.delete(hear);
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch);
      return () => watchers.delete(watch);
    },
    () => state,
  );
}

/** Calls back when events that matter have come, at once and then at most every `pauseMs`. */
export function useEventPulse(
  matters: (event: TraceEvent) => boolean,
  pulse: () => void,
  pauseMs: number,
): void {
  const latest = useRef({ matters, pulse });
  latest.current = { matters, pulse };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let again = false;
    const beat = () => {
      again = false;
      latest.current.pulse();
      timer = setTimeout(() => {
        timer = undefined;
        if (again) beat();
      }, pauseMs);
    };
    const stop = hearEvents((event) => {
      if (!latest.current.matters(event)) return;
      if (timer === undefined) beat();
      else again = true;
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [pauseMs]);
}
