import type { KeyStore } from '../storage/key-store.ts';
import type { Trace } from '../trace/event.ts';

/** Whoever may make keys is the operator, by an admin key or at this machine. */
const ACTOR = 'operator';

/** The key store, whose changes are events. */
export function withKeyEvents(keys: KeyStore, trace: Trace): KeyStore {
  return {
    ...keys,
    async create(holder) {
      const created = await keys.create(holder);
      const { name, principal, admin } = holder;
      await trace.record('KEY_CREATED', {
        actor: ACTOR,
        message: `Key ${name} was made for ${principal}`,
        payload: { keyId: created.id, name, principal, admin },
      });
      return created;
    },
    async revoke(idOrName) {
      await keys.revoke(idOrName);
      const message = `Key ${idOrName} was revoked`;
      await trace.record('KEY_REVOKED', { actor: ACTOR, message, payload: { key: idOrName } });
    },
  };
}
