import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/storage/database.ts';
import { type Ledger, type LedgerParts, openLedger } from '../../src/trace/ledger.ts';

export type OpenLedger = { ledger: Ledger; folder: string; close(): Promise<void> };

/** A ledger on a database, with key and anchor in a folder of its own unless one is given. */
export async function openTestLedger(
  database: Database,
  parts: Partial<LedgerParts> = {},
): Promise<OpenLedger> {
  const folder = parts.dataDir ?? (await mkdtemp(join(tmpdir(), 'tiercel-ledger-')));
  const ledger = await openLedger({ database, dataDir: folder, ...parts });
  return {
    ledger,
    folder,
    async close() {
      await ledger.close();
      if (parts.dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Empties the ledger's tables, as nothing in the product can. */
export async function clearLedger({ pool }: Database): Promise<void> {
  await pool.query('truncate events, event_writers');
}

export function emitMany({ trace }: Ledger, count: number, actor = 'test'): string[] {
  return Array.from({ length: count }, (_, n) =>
    trace.emit('BREAKER_PROBED', { actor, message: `probe ${n}`, payload: { deployment: `d-${n}` } }),
  );
}
