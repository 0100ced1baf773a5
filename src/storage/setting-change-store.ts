import type pg from 'pg';
import { TiercelError } from '../errors.ts';
import type { Database } from './database.ts';

/** A JSON value; null takes the override away. */
export type SettingValue =
  | string
  | number
  | boolean
  | null
  | SettingValue[]
  | { [key: string]: SettingValue };

export type SettingChange = { path: string; value: SettingValue };

export type SettingOverride = { value: SettingValue; author: string; at: string; version: number };

/** A change as it was made. `previous` is what the path had before; null: nothing. */
export type RecordedChange = SettingChange & {
  version: number;
  previous: SettingValue;
  author: string;
  at: string;
};

/**
 * Says whether the overrides that a change would leave in force are valid, and throws when they are not; the change is then
 * not made. Called while no other process can change any.
 */
export type OverridesCheck = (next: ReadonlyMap<string, SettingOverride>) => void;

/** Settings changed at run time: an append-only list, so that every state and its author can be told and undone. */
export type SettingChangeStore = {
  /** The overrides in force, by path. */
  current(): Promise<Map<string, SettingOverride>>;
  /** All of them or none; `changes` is not empty. Returns the last version. */
  append(changes: readonly SettingChange[], author: string, check?: OverridesCheck): Promise<number>;
  /** 0 when nothing was ever changed. For asking whether `current` is worth reading again. */
  latestVersion(): Promise<number>;
  /**
   * Gives the path that `version` changed the value it had before, as a new change. Returns the new version.
   *
   * @throws TiercelError `invalid_request` when there is no such version.
   */
  undo(version: number, author: string, check?: OverridesCheck): Promise<number>;
  /** Changes, newest first, at most `limit`; those with a version below `before`. */
  list(page: { limit: number; before?: number }): Promise<RecordedChange[]>;
};

/** Of `pg_advisory_xact_lock`; "settings" in ASCII. */
const LOCK = '8315180330343360371';

/** Reads what is in force, on a pool or within a transaction. */
async function readCurrent(client: pg.Pool | pg.PoolClient): Promise<Map<string, SettingOverride>> {
  const { rows } = await client.query<{
    path: string;
    value: SettingValue;
    author: string;
    at: Date;
    version: string;
  }>(`
    select * from (
      select distinct on (path) path, value, author, at, version from setting_changes order by path, version desc
    ) as latest where value is not null`);
  return new Map(
    rows.map(({ path, value, author, at, version }) => [
      path,
      { value, author, at: at.toISOString(), version: Number(version) },
    ]),
  );
}

/**
 * In a transaction. Writers take turns: else a lower version could be committed after a higher one, and a process that had
 * read up to the higher would never see it.
 */
function lock(client: pg.PoolClient): Promise<unknown> {
  return client.query(`select pg_advisory_xact_lock(${LOCK})`);
}

/** In a transaction that has the lock. Returns the last version. */
async function appendChanges(
  client: pg.PoolClient,
  changes: readonly SettingChange[],
  author: string,
  check: OverridesCheck | undefined,
): Promise<number> {
  let version = 0;
  for (const { path, value } of changes) {
    const { rows } = await client.query<{ version: string }>(
      'insert into setting_changes (path, value, author) values ($1, $2, $3) returning version',
      [path, value === null ? null : JSON.stringify(value), author],
    );
    version = Number(rows[0]?.version);
  }
  check?.(await readCurrent(client));
  return version;
}

/** Run-time settings in the database. */
export function createSettingChangeStore({ pool, transaction }: Database): SettingChangeStore {
  return {
    current: () => readCurrent(pool),

    append: (changes, author, check) =>
      transaction(async (client) => {
        await lock(client);
        return appendChanges(client, changes, author, check);
      }),

    async latestVersion() {
      const { rows } = await pool.query<{ version: string }>(
        'select coalesce(max(version), 0) as version from setting_changes',
      );
      return Number(rows[0]?.version);
    },

    undo: (version, author, check) =>
      transaction(async (client) => {
        await lock(client);
        const { rows } = await client.query<{ path: string; before: SettingValue }>(
          `select path, (
             select value from setting_changes as earlier
             where earlier.path = change.path and earlier.version < change.version order by version desc limit 1
           ) as before from setting_changes as change where version = $1`,
          [version],
        );
        const change = rows[0];
        if (change === undefined) {
          throw new TiercelError('invalid_request', `No change has version ${version}.`, {
            param: 'version',
          });
        }
        return appendChanges(client, [{ path: change.path, value: change.before }], author, check);
      }),

    async list({ limit, before = Number.MAX_SAFE_INTEGER }) {
      const { rows } = await pool.query<
        Omit<RecordedChange, 'at' | 'version'> & { at: Date; version: string }
      >(
        `select version, path, value, author, at, (
           select value from setting_changes as earlier
           where earlier.path = change.path and earlier.version < change.version order by version desc limit 1
         ) as previous from setting_changes as change where version < $2 order by version desc limit $1`,
        [limit, before],
      );
      return rows.map(({ version, at, ...rest }) => ({
        ...rest,
        version: Number(version),
        at: at.toISOString(),
      }));
    },
  };
}
