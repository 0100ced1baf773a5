import type { Database } from '../storage/database.ts';
import type { Chain } from '../storage/event.ts';
import { createEventStore } from '../storage/event-store.ts';
import type { ChainedEvent } from '../trace/event.ts';
import type { Ledger } from '../trace/ledger.ts';
import type { VerifyOptions, VerifyReport } from '../trace/verify.ts';

const CHECKPOINTS = 10;

export type LedgerState = {
  /** The chain that this process writes. */
  writer: string;
  chains: Chain[];
  /** Events in the database. */
  count: number;
  /** The latest, newest first. */
  checkpoints: ChainedEvent[];
  /** The file that signed heads are appended to. */
  anchor: string;
  /** Ed25519, raw, base64url. */
  publicKey: string;
  lastVerified: { at: string; report: VerifyReport } | null;
};

/** The ledger as an operator sees it. State: the last verification, which ends with the process. */
export interface LedgerView {
  state(): Promise<LedgerState>;
  verify(options?: VerifyOptions): Promise<VerifyReport>;
}

export function createLedgerView(ledger: Ledger, database: Database): LedgerView {
  const store = createEventStore(database);
  let lastVerified: LedgerState['lastVerified'] = null;
  return {
    async state() {
      const { events: checkpoints } = await ledger.events({ type: 'LEDGER_CHECKPOINT', limit: CHECKPOINTS });
      const chains = await store.chains();
      return {
        writer: ledger.writer,
        chains,
        count: chains.reduce((sum, { head, archived }) => sum + head.seq - archived.seq, 0),
        checkpoints,
        anchor: ledger.anchorPath,
        publicKey: ledger.publicKey,
        lastVerified,
      };
    },
    async verify(options) {
      const report = await ledger.verify(options);
      // A part says nothing of the whole.
      if (options === undefined || Object.keys(options).length === 0) {
        lastVerified = { at: new Date().toISOString(), report };
      }
      return report;
    },
  };
}
