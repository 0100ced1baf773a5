import { useSyncExternalStore } from 'react';

const wide = window.matchMedia('(min-width: 48rem)');

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** Whether rows fit on one line; below that width they take two. The same width as `wide:` in styles.css. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}
