import type { LiveSettings } from '../config/live.ts';
import type { Settings } from '../config/settings.ts';
import type { ReceiptSink } from '../inference/recording.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../storage/database.ts';
import type { ReceiptStore } from '../storage/receipt.ts';
import { type Ledger, type LedgerParts, openLedger } from '../trace/ledger.ts';
import { createMasker, type Masker } from '../trace/mask.ts';

/** The ledger as the settings have it. */
export function openRuntimeLedger(
  database: Database,
  dataDir: string,
  { settings, log }: { settings: LiveSettings; log: Log },
): Promise<Ledger> {
  const { anchor } = settings.current().ledger;
  return openLedger({
    database,
    dataDir,
    anchor,
    masker: maskerOf(settings),
    observer: ledgerObserver(log),
  });
}

/** A sink that holds a call's end until its events have room, and under `ledger.durability: strict` until all of it is stored. */
export function createLedgerSink(
  sink: ReceiptSink,
  { ledger, store, settings }: { ledger: Ledger; store: ReceiptStore; settings: LiveSettings },
): ReceiptSink {
  return {
    append(receipt, contents) {
      const taken = sink.append(receipt, contents);
      const isStrict = settings.current().ledger.durability === 'strict';
      if (!isStrict) return taken ?? ledger.room();
      return Promise.all([taken, ledger.flush()]).then(() => store.flush());
    },
  };
}

/** Masks the values of all configured keys; made anew only when the settings have changed. */
function maskerOf(settings: LiveSettings): () => Masker {
  let from: Settings | null = null;
  let masker = createMasker([]);
  return () => {
    const current = settings.current();
    if (from !== current) {
      from = current;
      masker = createMasker(secretsOf(current));
    }
    return masker;
  };
}

function secretsOf({ deployments, databaseUrl }: Settings): string[] {
  const keys = deployments.flatMap(({ auth }) =>
    auth.type === 'api_key' && auth.key !== null ? [auth.key.reveal()] : [],
  );
  const password = databaseUrl === null ? '' : decodeURIComponent(new URL(databaseUrl.reveal()).password);
  return [...keys, password];
}

function ledgerObserver(log: Log): NonNullable<LedgerParts['observer']> {
  return {
    eventsDelayed: (events, error) =>
      log.warn({ events, error: error.message }, 'events wait for the database'),
    eventsLost: (events, error) => log.error({ events, error: error.message }, 'events lost'),
    anchorFailed: (error) => log.error({ error: error.message }, 'a checkpoint was not anchored'),
    chainLost: (writer) => log.warn({ writer }, 'another process has the chain; a new one begins'),
    listenerFailed: (error) => log.error({ error: String(error) }, 'a trace listener failed'),
    tailFailed: (error) => log.warn({ error: error.message }, 'a tail of the ledger could not read'),
  };
}
