import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import pg from 'pg';
import { TiercelError } from '../errors.ts';
import { createId, isId } from '../lib/ids.ts';
import type { Database } from './database.ts';

/** Younger than this, the list of keys is used as it is; up to twice this, it is used and renewed behind the call. */
const FRESH_MS = 900;
const UNIQUE_VIOLATION = '23505';

export type KeyHolder = { id: string; name: string; principal: string; admin: boolean };

/** `prefix` is the beginning of the key, enough to recognise it and no use to a thief. */
export type KeyEntry = KeyHolder & { prefix: string; createdAt: string; revokedAt: string | null };

export type KeyStore = {
  /**
   * Makes a key. `key` is given out here and nowhere again.
   *
   * @throws TiercelError `invalid_request` when an active key has this name.
   */
  create(holder: { name: string; principal: string; admin: boolean }): Promise<{ id: string; key: string }>;
  /** Newest first, revoked ones included. */
  list(): Promise<KeyEntry[]>;
  /** In force at once here, within two seconds in other processes. @throws TiercelError `key_not_found`. */
  revoke(idOrName: string): Promise<void>;
  /** Whose active key this is, or null. Asks the database about once a second at most, whatever is presented. */
  verify(key: string): Promise<KeyHolder | null>;
  /** How many keys are active. */
  count(): Promise<number>;
};

type ActiveKey = { sha256: Buffer; holder: KeyHolder };
type ActiveKeys = { loadedAt: number; byHash: Map<string, ActiveKey> };

/** API keys in the database. */
export function createKeyStore(database: Database): KeyStore {
  const { pool } = database;
  const cache = createActiveKeys(() => loadActive(pool));

  return {
    async create(holder) {
      const id = createId();
      const key = `tcl_${randomBytes(32).toString('base64url')}`;
      try {
        await pool.query(
          'insert into api_keys (id, name, principal, admin, prefix, sha256) values ($1, $2, $3, $4, $5, $6)',
          [id, holder.name, holder.principal, holder.admin, key.slice(0, 10), toHash(key)],
        );
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error;
        throw new TiercelError('invalid_request', `An active key is named ${holder.name} already.`, {
          param: 'name',
        });
      }
      cache.forget();
      return { id, key };
    },

    async list() {
      const { rows } = await pool.query<
        Omit<KeyEntry, 'createdAt' | 'revokedAt'> & { created_at: Date; revoked_at: Date | null }
      >('select id, name, principal, admin, prefix, created_at, revoked_at from api_keys order by id desc');
      return rows.map(({ created_at, revoked_at, ...rest }) => ({
        ...rest,
        createdAt: created_at.toISOString(),
        revokedAt: revoked_at?.toISOString() ?? null,
      }));
    },

    async revoke(idOrName) {
      const { rowCount } = await pool.query(
        `update api_keys set revoked_at = now() where revoked_at is null and ${isId(idOrName) ? 'id' : 'name'} = $1`,
        [idOrName],
      );
      cache.forget();
      if (rowCount === 0)
        throw new TiercelError('key_not_found', `No active key has the id or name ${idOrName}.`);
    },

    async verify(key) {
      const sha256 = toHash(key);
      const found = (await cache.get()).get(sha256.toString('hex'));
      return found !== undefined && timingSafeEqual(found.sha256, sha256) ? found.holder : null;
    },

    async count() {
      const { rows } = await pool.query<{ count: number }>(
        'select count(*)::int as count from api_keys where revoked_at is null',
      );
      return rows[0]?.count ?? 0;
    },
  };
}

/**
 * A fast hash is right here, as it would not be for a password: a key is 256 random bits, so there is no list of likely
 * ones to try, and a slow hash would only cost every request its time.
 */
function toHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

async function loadActive(pool: pg.Pool): Promise<Map<string, ActiveKey>> {
  const { rows } = await pool.query<KeyHolder & { sha256: Buffer }>(
    'select id, name, principal, admin, sha256 from api_keys where revoked_at is null',
  );
  return new Map(rows.map(({ sha256, ...holder }) => [sha256.toString('hex'), { sha256, holder }]));
}

/**
 * All active keys, held for a moment. The whole list, not the keys seen: so an unknown key costs no query either, and
 * nobody can make the database work by inventing keys.
 */
function createActiveKeys(load: () => Promise<Map<string, ActiveKey>>) {
  let held: ActiveKeys | null = null;
  let loading: Promise<Map<string, ActiveKey>> | null = null;

  function renew(): Promise<Map<string, ActiveKey>> {
    if (loading !== null) return loading;
    const startedAt = performance.now();
    const attempt = load()
      .then((byHash) => {
        // What was read before a change of ours must not outlive it.
        if (loading === attempt) held = { loadedAt: startedAt, byHash };
        return byHash;
      })
      .finally(() => {
        if (loading === attempt) loading = null;
      });
    loading = attempt;
    return attempt;
  }

  return {
    async get(): Promise<Map<string, ActiveKey>> {
      const age = held === null ? Number.POSITIVE_INFINITY : performance.now() - held.loadedAt;
      if (held === null || age > 2 * FRESH_MS) return renew();
      // A renewal that fails shows at the call that has to wait for one.
      if (age > FRESH_MS) renew().catch(() => {});
      return held.byHash;
    },
    forget(): void {
      held = null;
      loading = null;
    },
  };
}
