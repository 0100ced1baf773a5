import { useSyncExternalStore } from 'react';

// One timer for every relative time on the page, so that they change together and none drifts from another.
const listeners = new Set<() => void>();
const STEP_MS = 5_000;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, STEP_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, in milliseconds, refreshed every five seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
