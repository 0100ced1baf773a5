import { parseSettingChange } from '../config/change.ts';
import type { LiveSettings } from '../config/live.ts';
import type { RuntimeChange } from '../config/resolve.ts';
import type { ResolvedSettings } from '../config/settings.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../storage/database.ts';
import type { SettingChangeStore, SettingOverride, SettingValue } from '../storage/setting-change-store.ts';
import type { Trace } from '../trace/event.ts';

/** Settings changed while the process runs: stored with author and time, in force from the next call. */
export interface SettingChanges {
  /**
   * All of the changes or none. A blank value takes an earlier change back.
   *
   * @throws TiercelError `config_invalid`; what was in force stays
   */
  apply(changes: ReadonlyMap<string, unknown>, author: string): Promise<ResolvedSettings>;
  /** @throws TiercelError `invalid_request` when there is no such version */
  undo(version: number, author: string): Promise<ResolvedSettings>;
  /** Ends the watch over changes of other processes. */
  close(): void;
}

// Other processes on the same database follow within two seconds.
const POLL_MS = 1000;

/** Puts the stored changes into force, and keeps watch when other processes may make more. */
export async function createSettingChanges(
  live: LiveSettings,
  store: SettingChangeStore,
  { database, trace, log }: { database: Database; trace: Trace; log: Log },
): Promise<SettingChanges> {
  let version = 0;
  let stored: ReadonlyMap<string, SettingOverride> = new Map();

  async function follow(): Promise<void> {
    const latest = await store.latestVersion();
    if (latest === version) return;
    const next = await store.current();
    live.applyRuntime(toRuntime(stored, next));
    stored = next;
    version = latest;
  }

  await follow();
  let timer: NodeJS.Timeout | null = null;
  function watch(): void {
    timer = setTimeout(async () => {
      try {
        await follow();
      } catch (error) {
        log.warn({ error: error instanceof Error ? error.message : String(error) }, 'settings not followed');
      }
      if (timer) watch();
    }, POLL_MS);
    timer.unref();
  }
  // An embedded database belongs to this process alone.
  if (database.kind === 'postgres') watch();

  return {
    async apply(changes, author) {
      const parsed = [...changes].map(([path, value]) => ({
        path,
        value: parseSettingChange(path, value) as SettingValue,
      }));
      const at = new Date();
      const before = toRuntime(new Map(parsed.map(({ path }) => [path, ABSENT])), stored);
      // In force first, since only the whole can say whether a part is valid; taken back when it cannot be stored.
      live.applyRuntime(new Map(parsed.map(({ path, value }) => [path, { value, author, at }])));
      try {
        await store.append(parsed, author);
      } catch (error) {
        live.applyRuntime(before);
        throw error;
      }
      await follow();
      for (const { path, value } of parsed) {
        const message = `${path} ${value === null ? 'is no longer overridden' : 'was changed'}`;
        await trace.record('SETTING_CHANGED', { actor: author, message, payload: { path } });
      }
      return live.resolved();
    },
    async undo(undone, author) {
      const before = stored;
      await store.undo(undone, author);
      await follow();
      for (const path of pathsThatDiffer(before, stored)) {
        const message = `${path} was set back to what it was before change ${undone}`;
        await trace.record('SETTING_CHANGED', { actor: author, message, payload: { path } });
      }
      return live.resolved();
    },
    close() {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}

const ABSENT: SettingOverride = { value: null, author: '', at: '', version: 0 };

function pathsThatDiffer(
  before: ReadonlyMap<string, SettingOverride>,
  after: ReadonlyMap<string, SettingOverride>,
): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path)?.version !== after.get(path)?.version);
}

/** What to apply so that `next` holds instead of `previous`: a path that is gone is taken back. */
function toRuntime(
  previous: ReadonlyMap<string, SettingOverride>,
  next: ReadonlyMap<string, SettingOverride>,
): Map<string, RuntimeChange> {
  const changes = new Map<string, RuntimeChange>();
  for (const path of previous.keys()) changes.set(path, { value: null, author: '', at: new Date() });
  for (const [path, { value, author, at }] of next) changes.set(path, { value, author, at: new Date(at) });
  return changes;
}
