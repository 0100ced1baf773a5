import { TiercelError } from '../../errors.ts';
import type { Probe } from '../../inference/probe.ts';
import type { Receipt } from '../../inference/receipt.ts';
import type { Receipts, ReceiptWithContents } from '../../runtime/receipts.ts';
import type { KeyEntry } from '../../storage/key-store.ts';
import type { Archive } from '../../trace/archive.ts';
import type { Backend, DescribedSettings, PlanView, StoredChanges, StoredLedger } from './backend.ts';
import type { ServerClient } from './server-client.ts';

type SettingsAnswer = { version: number; settings: DescribedSettings['rows']; warnings: string[] };

/** The rooms of the running server as a backend, over its API. */
export function toRemoteBackend(client: ServerClient): Backend {
  return {
    server: client.url,
    keys: {
      create: (holder) => client.send('POST', '/api/keys', holder),
      list: async () => (await client.send<{ keys: KeyEntry[] }>('GET', '/api/keys')).keys,
      revoke: (idOrName) => client.send('DELETE', `/api/keys/${encodeURIComponent(idOrName)}`),
    },
    receipts: toReceipts(client),
    changes: toChanges(client),
    ledger: toLedger(client),
    async settings() {
      const { settings, warnings } = await client.send<SettingsAnswer>('GET', '/api/settings');
      return { rows: settings, warnings };
    },
    async set(path, value) {
      await client.send('PUT', '/api/settings', { changes: { [path]: value } });
    },
    plan: (model) => client.send<PlanView>('GET', `/api/plan?${new URLSearchParams({ model })}`),
    probe: (deployment) =>
      client.send<Probe>('POST', `/api/deployments/${encodeURIComponent(deployment)}/probe`),
    async ready() {
      await client.send('GET', '/readyz');
    },
    chat: (turn) => client.chat(turn),
    close: () => client.close(),
  };
}

function toReceipts(client: ServerClient): Receipts {
  return {
    async get(id, { contents } = { contents: false }) {
      try {
        const path = `/api/receipts/${encodeURIComponent(id)}?contents=${contents}`;
        return await client.send<ReceiptWithContents>('GET', path);
      } catch (error) {
        if (error instanceof TiercelError && error.code === 'receipt_not_found') return null;
        throw error;
      }
    },
    async list(filter = {}) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
      return (await client.send<{ receipts: Receipt[] }>('GET', `/api/receipts?${query}`)).receipts;
    },
  };
}

function toLedger(client: ServerClient): StoredLedger {
  return {
    verify: (options) => client.send('POST', '/api/ledger/verify', options),
    export: () => client.read('/api/events/export'),
    publicKey: async () => (await client.send<{ publicKey: string }>('GET', '/api/ledger')).publicKey,
    async archive(before) {
      const body = { before: before.toISOString() };
      return (await client.send<{ archives: Archive[] }>('POST', '/api/ledger/archive', body)).archives;
    },
  };
}

function toChanges(client: ServerClient): StoredChanges {
  return {
    async unset(path) {
      await client.send('PUT', '/api/settings', { changes: { [path]: null } });
    },
    async undo(version) {
      const undone = version ?? (await client.send<SettingsAnswer>('GET', '/api/settings')).version;
      if (undone === 0) throw new TiercelError('invalid_request', 'No setting was ever changed at run time.');
      await client.send('POST', '/api/settings/undo', { version: undone });
      return undone;
    },
  };
}
