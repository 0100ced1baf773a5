import { resolve } from 'node:path';
import { archiveInto } from '../../runtime/archive-folder.ts';
import type { Database } from '../../storage/database.ts';
import { createEventStore } from '../../storage/event-store.ts';
import { archiveSegments } from '../../trace/archive.ts';
import { openSigner } from '../../trace/signing-key.ts';
import { pagesOf, verifyStored } from '../../trace/verify.ts';
import type { StoredLedger } from './backend.ts';

/** The ledger of a database, looked at without taking a chain of it: verifying adds no event. */
export function openStoredLedger(
  database: Database,
  folder: string,
  anchor = 'ledger-anchor.jsonl',
): StoredLedger {
  const store = createEventStore(database);
  const publicKey = async () => (await openSigner(folder)).publicKey;
  return {
    async verify(options) {
      const publicKeys = [await publicKey()];
      return verifyStored(store, { anchor: resolve(folder, anchor), publicKeys, ...options });
    },
    async *export() {
      for (const { writer } of await store.chains()) {
        for await (const rows of pagesOf(store, writer, 0))
          yield rows.map(({ body }) => `${body}\n`).join('');
      }
    },
    publicKey,
    archive: (before) => archiveInto(folder, (into) => archiveSegments(store, before, into)),
  };
}
