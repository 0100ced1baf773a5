import { type ResolveInputs, type RuntimeChange, resolveSettings } from './resolve.ts';
import type { ResolvedSettings, Settings } from './settings.ts';

/** The settings of a running process. Rooms ask for `current()` at each call, so a change needs no restart. */
export type LiveSettings = {
  current(): Settings;
  resolved(): ResolvedSettings;
  /**
   * Puts changes into force, all or none; one with a null value takes an earlier change back.
   *
   * @throws TiercelError `config_invalid` when they give invalid settings; those in force then stay.
   */
  applyRuntime(changes: ReadonlyMap<string, RuntimeChange>): ResolvedSettings;
  /** What {@link LiveSettings.applyRuntime} would put into force. @throws TiercelError `config_invalid` */
  preview(changes: ReadonlyMap<string, RuntimeChange>): ResolvedSettings;
  /** Tells the listener of settings that have come into force; gives back the function that ends it. */
  onChange(listener: (resolved: ResolvedSettings) => void): () => void;
};

/**
 * Resolves the inputs and keeps the result. State: the run-time changes applied so far, and what they and the other
 * layers resolve to; both are replaced together, and only by a valid successor.
 *
 * @throws TiercelError `config_invalid` or `config_unreadable` as `loadSettings`.
 */
export function createLiveSettings(initial: ResolveInputs): LiveSettings {
  let runtime: ReadonlyMap<string, RuntimeChange> = new Map(initial.runtime);
  let resolved = resolveSettings(initial);
  const listeners = new Set<(resolved: ResolvedSettings) => void>();
  const preview = (changes: ReadonlyMap<string, RuntimeChange>) =>
    resolveSettings({ ...initial, runtime: new Map([...runtime, ...changes]) });
  return {
    preview,
    current: () => resolved.settings,
    resolved: () => resolved,
    applyRuntime(changes) {
      const next = preview(changes);
      runtime = new Map([...runtime, ...changes]);
      resolved = next;
      for (const listener of listeners) listener(next);
      return next;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
