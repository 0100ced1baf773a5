import type { SettingRow } from '../../config/describe.ts';
import type { ChatChunk, ChatMessage } from '../../inference/chat.ts';
import type { Plan } from '../../inference/plan.ts';
import type { Probe } from '../../inference/probe.ts';
import type { Receipts } from '../../runtime/receipts.ts';
import type { KeyStore } from '../../storage/key-store.ts';
import type { Archive } from '../../trace/archive.ts';
import type { VerifyReport } from '../../trace/verify.ts';

/** What the database alone can do, also when its stored changes make the settings invalid. */
export interface Stores {
  /** The address of the running server that does the work; null when this process does it. */
  readonly server: string | null;
  readonly keys: Pick<KeyStore, 'create' | 'list' | 'revoke'>;
  readonly receipts: Receipts;
  readonly changes: StoredChanges;
  readonly ledger: StoredLedger;
  close(): Promise<void>;
}

/** The ledger as it is stored; nothing of it is written but by `archive`. */
export interface StoredLedger {
  /** `anchor` is a file; the configured one unless given. */
  verify(options: { from?: number; to?: number; anchor?: string }): Promise<VerifyReport>;
  /** JSON lines, in parts of any size. */
  export(): AsyncIterable<string>;
  /** Ed25519, raw, base64url. */
  publicKey(): Promise<string>;
  /** Moves closed segments from before a moment to files in the data folder. */
  archive(before: Date): Promise<Archive[]>;
}

export interface StoredChanges {
  /** Takes a change of one setting back. @throws TiercelError `config_invalid` when it cannot be changed at run time */
  unset(path: string): Promise<void>;
  /**
   * Gives back the value from before a change, the latest unless a version is given. Returns the undone version.
   *
   * @throws TiercelError `invalid_request` when there is no such version
   */
  undo(version?: number): Promise<number>;
}

/** What can be looked at without changing or calling anything; the database may be out of reach. */
export interface Inspection {
  readonly server: string | null;
  settings(): Promise<DescribedSettings>;
  /** @throws TiercelError `model_not_found` */
  plan(model: string): Promise<PlanView>;
  probe(deployment: string): Promise<Probe>;
  /** @throws TiercelError that says why the database does not answer */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** Everything: the rooms put together here, or those of the running server. */
export interface Backend extends Stores, Inspection {
  /** In force from the next call. @throws TiercelError `config_invalid`; what was in force stays */
  set(path: string, value: string): Promise<void>;
  /** Resolves at the first output. @throws TiercelError, with `details.receiptId` once the call was planned */
  chat(call: ChatTurn): Promise<OpenAnswer>;
}

export type DescribedSettings = { rows: SettingRow[]; warnings: readonly string[] };

/** A plan as it is shown: candidates without their settings. */
export type PlanView = Pick<Plan, 'label' | 'excluded'> & {
  candidates: Pick<Plan['candidates'][number], 'tier' | 'deployment' | 'model'>[];
};

export type ChatTurn = { model: string; messages: ChatMessage[]; signal: AbortSignal };

/** `chunks` throws a TiercelError when the answer was cut short. */
export type OpenAnswer = { receiptId: string; chunks: AsyncIterable<ChatChunk> };
