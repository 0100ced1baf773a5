import { parseSettingChange } from '../config/change.ts';
import type { LiveSettings } from '../config/live.ts';
import type { RuntimeChange } from '../config/resolve.ts';
import type { ResolvedSettings } from '../config/settings.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../storage/database.ts';
import type {
  RecordedChange,
  SettingChangeStore,
  SettingOverride,
  SettingValue,
} from '../storage/setting-change-store.ts';
import type { Trace } from '../trace/event.ts';

/** Settings changed while the process runs: stored with author and time, in force from the next call. */
export interface SettingChanges {
  /**
   * All of the changes or none. A blank value takes an earlier change back.
   *
   * @throws TiercelError `config_invalid`; what was in force stays, and nothing is stored
   */
  apply(changes: ReadonlyMap<string, unknown>, author: string): Promise<ResolvedSettings>;
  /** What {@link SettingChanges.apply} would put into force; changes nothing. @throws TiercelError `config_invalid` */
  preview(changes: ReadonlyMap<string, unknown>, author: string): ResolvedSettings;
  /**
   * Takes one change back; the last when no version is given.
   *
   * @throws TiercelError `invalid_request` when there is no such version; `config_invalid` when what was before it would no
   * longer be valid
   */
  undo(version: number | undefined, author: string): Promise<ResolvedSettings>;
  /** Newest first; `before` is a version. */
  history(page: { limit: number; before?: number }): Promise<RecordedChange[]>;
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
    // Another call of this function may have read, and put into force, what is newer.
    if (latest < version) return;
    live.applyRuntime(toRuntime(stored, next));
    stored = next;
    version = latest;
  }

  await follow();
  const watch = database.kind === 'postgres' ? startWatch(follow, log) : null;

  // Checked against what is stored at that moment: another process may have taken out a deployment that a chain names.
  const check = (next: ReadonlyMap<string, SettingOverride>) => {
    live.preview(toRuntime(stored, next));
  };

  async function announce(
    changed: readonly { path: string; message: string }[],
    author: string,
  ): Promise<ResolvedSettings> {
    await follow();
    for (const { path, message } of changed) {
      await trace.record('SETTING_CHANGED', { actor: author, message, payload: { path } });
    }
    return live.resolved();
  }

  return {
    async apply(changes, author) {
      const parsed = parse(changes);
      await store.append(parsed, author, check);
      const changed = parsed.map(({ path, value }) => ({
        path,
        message: `${path} ${value === null ? 'is no longer overridden' : 'was changed'}`,
      }));
      return announce(changed, author);
    },
    preview(changes, author) {
      const at = new Date();
      return live.preview(new Map(parse(changes).map(({ path, value }) => [path, { value, author, at }])));
    },
    async undo(given, author) {
      const undone = given ?? (await store.latestVersion());
      const made = await store.undo(undone, author, check);
      const changed = (await store.list({ limit: 1, before: made + 1 })).map(({ path }) => ({
        path,
        message: `${path} was set back to what it was before change ${undone}`,
      }));
      return announce(changed, author);
    },
    history: (page) => store.list(page),
    close: () => watch?.stop(),
  };
}

function parse(changes: ReadonlyMap<string, unknown>): { path: string; value: SettingValue }[] {
  return [...changes].map(([path, value]) => ({
    path,
    value: parseSettingChange(path, value) as SettingValue,
  }));
}

/** An embedded database belongs to this process alone; others share theirs. */
function startWatch(follow: () => Promise<void>, log: Log): { stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  function next(): void {
    timer = setTimeout(async () => {
      try {
        await follow();
      } catch (error) {
        log.warn({ error: error instanceof Error ? error.message : String(error) }, 'settings not followed');
      }
      if (timer) next();
    }, POLL_MS);
    timer.unref();
  }
  next();
  return {
    stop() {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
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
