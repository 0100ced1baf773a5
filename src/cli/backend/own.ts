import { resolve } from 'node:path';
import { parseSettingChange } from '../../config/change.ts';
import { describeSettings } from '../../config/describe.ts';
import { type LoadInputs, loadSettings } from '../../config/load.ts';
import { TiercelError } from '../../errors.ts';
import type { ChatChunk } from '../../inference/chat.ts';
import type { Plan } from '../../inference/plan.ts';
import { createReceipts } from '../../runtime/receipts.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { createKeyStore } from '../../storage/key-store.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { createReceiptStore } from '../../storage/receipt-store.ts';
import { createSettingChangeStore, type SettingChangeStore } from '../../storage/setting-change-store.ts';
import type { Backend, PlanView, StoredChanges, Stores } from './backend.ts';
import { openStoredLedger } from './own-ledger.ts';

/** Who changes settings on the command line: the user of this machine, as the database keeps it. */
export const AUTHOR = 'command line';

/**
 * Opens the database and nothing else, so that what it stores cannot stand in the way of mending it.
 *
 * @throws TiercelError of `config` and of `storage`
 */
export async function openOwnStores(inputs: LoadInputs): Promise<Stores> {
  const { dataDir, databaseUrl, ledger } = loadSettings(inputs).settings;
  const folder = resolve(inputs.cwd, dataDir);
  const database = await openDatabase({ dataDir: folder, databaseUrl });
  const history = createSettingChangeStore(database);
  return {
    server: null,
    keys: createKeyStore(database),
    receipts: createReceipts(createReceiptStore(database)),
    changes: toStoredChanges(history),
    ledger: openStoredLedger(database, folder, ledger.anchor),
    close: () => database.close(),
  };
}

/** The rooms of this process as a backend. */
export function toOwnBackend(runtime: Runtime): Backend {
  const { keys, receipts, settings, changes, history, router, database } = runtime;
  const { dataDir, ledger } = settings.current();
  return {
    server: null,
    keys,
    receipts,
    changes: toStoredChanges(history),
    ledger: openStoredLedger(database, resolve(process.cwd(), dataDir), ledger.anchor),
    async settings() {
      const resolved = settings.resolved();
      return { rows: describeSettings(resolved), warnings: resolved.warnings };
    },
    async set(path, value) {
      await changes.apply(new Map([[path, value]]), AUTHOR);
    },
    plan: async (model) => toPlanView(router.plan(model)),
    probe: (deployment) => runtime.probe(deployment),
    ready: () => runtime.ready(),
    async chat(turn) {
      const { model, messages, signal } = turn;
      const { receiptId, chunks } = await router.stream({ model, request: { messages }, signal });
      return { receiptId, chunks: flatten(chunks) };
    },
    close: () => runtime.close(),
  };
}

export function toPlanView({ label, candidates, excluded }: Plan): PlanView {
  return {
    label,
    excluded,
    candidates: candidates.map(({ tier, deployment, model }) => ({ tier, deployment, model })),
  };
}

function toStoredChanges(history: SettingChangeStore): StoredChanges {
  return {
    async unset(path) {
      const stored = await history.current();
      // What is stored may always go, also when it is no setting any more.
      const value = stored.has(path) ? null : parseSettingChange(path, null);
      await history.append([{ path, value: value as null }], AUTHOR);
    },
    async undo(version) {
      const undone = version ?? (await history.latestVersion());
      if (undone === 0) throw new TiercelError('invalid_request', 'No setting was ever changed at run time.');
      await history.undo(undone, AUTHOR);
      return undone;
    },
  };
}

async function* flatten(
  reads: AsyncGenerator<ChatChunk[], void, void>,
): AsyncGenerator<ChatChunk, void, void> {
  for await (const chunks of reads) yield* chunks;
}
