import { useEffect, useRef, useSyncExternalStore } from 'react';

export type Shortcut = {
  /** One key by its `KeyboardEvent.key`, or two that follow each other: `g r`. */
  keys: string;
  /** What it does, as the help sheet says it. */
  does: string;
  run: () => void;
};

type Group = { title: string; shortcuts: readonly Shortcut[] };
type Entry = { current: Group };

// The shortcuts of what is on screen: pages add theirs while they are shown. One listener serves all, the latest
// group first, so that a page may take a key from the frame.
const entries: Entry[] = [];
const listeners = new Set<() => void>();
const SEQUENCE_MS = 1_000;
let shown: readonly Group[] = [];
let first: { key: string; at: number } | null = null;

function changed(): void {
  shown = entries.map(({ current }) => current);
  for (const listener of listeners) listener();
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
    return;
  if (document.querySelector('dialog[open]')) return;
  const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${event.key}` : null;
  const hit = (sequence === null ? null : find(sequence)) ?? find(event.key);
  first = hit ? null : { key: event.key, at: event.timeStamp };
  if (!hit) return;
  event.preventDefault();
  hit.run();
}

function find(keys: string): Shortcut | null {
  for (const { current } of entries.toReversed()) {
    const hit = current.shortcuts.find((shortcut) => shortcut.keys === keys);
    if (hit) return hit;
  }
  return null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]');
}

/** Binds shortcuts while the component is shown, and lists them on the `?` sheet under the title. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const entry = useRef<Group>({ title, shortcuts });
  entry.current = { title, shortcuts };
  useEffect(() => {
    if (entries.length === 0) window.addEventListener('keydown', onKeyDown);
    entries.push(entry);
    changed();
    return () => {
      entries.splice(entries.indexOf(entry), 1);
      if (entries.length === 0) window.removeEventListener('keydown', onKeyDown);
      changed();
    };
  }, []);
}

export function useShortcutGroups(): readonly Group[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}
