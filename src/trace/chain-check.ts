import { canonicalJson } from '../lib/canonical-json.ts';
import type { StoredEvent } from '../storage/event.ts';
import type { ChainedEvent } from './event.ts';
import { sha256 } from './event-text.ts';
import { isSigned, type SignedHead } from './signing-key.ts';

export type Finding =
  /** The event is not what was hashed, or does not follow on the one before it. */
  | { kind: 'altered'; seq: number; reason: string }
  /** Events between the two are missing. */
  | { kind: 'gap'; after: number; next: number }
  /** The chain ends at `last`, but stood at `expected` once, as the anchor (or the stored head) says. */
  | { kind: 'truncated'; last: number; expected: number; witness: 'anchor' | 'head' }
  /** A signature does not hold. */
  | { kind: 'signature'; seq: number; reason: string }
  /** The last record is cut short, as a crash in the middle of writing leaves it. No tampering, but nothing to build on. */
  | { kind: 'torn'; after: number };

export type ChainReport = {
  writer: string;
  /** What was looked at; 0 when there was nothing. */
  first: number;
  last: number;
  events: number;
  /** Up to here events are in an archive that was not given; the link to it holds. */
  archivedThrough: number;
  checkpoints: number;
  /** Checkpoints whose signature holds, but by a key that was not named as trusted. */
  foreignCheckpoints: number;
  /** In the order of the chain, the first 20. */
  findings: Finding[];
};

const MOST_FINDINGS = 20;
const ORIGIN_HASH = '0'.repeat(64);
const HASH_MEMBER = ',"hash":"';
const HASH_LENGTH = 64;

/** Reads a record. The hash is that of the bytes as they are, and only when these do not fit, of their canonical form. */
export function readRecord(text: string): { event: ChainedEvent; isIntact: boolean } | null {
  let event: ChainedEvent;
  try {
    event = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof event !== 'object' || event === null || !Number.isSafeInteger(event.seq)) return null;
  // Only `actor` and `causeId` stand before it, and within their texts every quote has a backslash: the first is the member.
  const at = text.indexOf(HASH_MEMBER);
  const end = at + HASH_MEMBER.length + HASH_LENGTH + 1;
  if (at > 0 && sha256(text.slice(0, at) + text.slice(end)) === event.hash) {
    return { event, isIntact: text.slice(at + HASH_MEMBER.length, end) === `${event.hash}"` };
  }
  const { hash, ...hashed } = event;
  return { event, isIntact: isHashOf(hash, hashed) };
}

function isHashOf(hash: string, value: object): boolean {
  try {
    return sha256(canonicalJson(value)) === hash;
  } catch {
    return false;
  }
}

export type ChainCheckInputs = {
  writer: string;
  /** What the anchor says of this chain, by seq. */
  anchored?: readonly SignedHead[];
  /** Keys that may sign. Empty: any that signs rightly counts as foreign. */
  trusted: ReadonlySet<string>;
  /** Events that are not looked at come before this link. Absent: the chain's very beginning. */
  seam?: { seq: number; hash: string };
  /** Begin anywhere, and take the first event's word for what came before. */
  isPart?: boolean;
};

/**
 * Checks the records of one chain, given in their order. State: the last link seen; each record is held against it. After a finding
 * it goes on from what is stored, so that each fault is found once.
 */
export class ChainCheck {
  readonly #inputs: ChainCheckInputs;
  readonly #anchored: Map<number, SignedHead>;
  readonly #report: ChainReport;
  #last: { seq: number; hash: string } | null;

  constructor(inputs: ChainCheckInputs) {
    const { writer, anchored = [], seam, isPart } = inputs;
    this.#inputs = inputs;
    this.#anchored = new Map(anchored.map((head) => [head.seq, head]));
    this.#last = seam ?? (isPart ? null : { seq: 0, hash: ORIGIN_HASH });
    this.#report = {
      writer,
      first: 0,
      last: 0,
      events: 0,
      archivedThrough: seam?.seq ?? 0,
      checkpoints: 0,
      foreignCheckpoints: 0,
      findings: [],
    };
  }

  /** @param stored the columns beside the text, where there are any */
  add(text: string, stored?: StoredEvent): void {
    const record = readRecord(text);
    if (record === null) {
      this.#find(this.#altered(stored?.seq ?? (this.#last?.seq ?? 0) + 1, 'it is not a record of an event'));
      return;
    }
    const { event, isIntact } = record;
    const last = this.#last ?? { seq: event.seq - 1, hash: event.prevHash };
    const seq = stored?.seq ?? event.seq;
    if (seq > last.seq + 1) this.#find({ kind: 'gap', after: last.seq, next: seq });
    else this.#checkLink(event, last, seq);
    if (!isIntact) this.#find(this.#altered(seq, 'its hash is that of another content'));
    else if (stored && !isSame(event, stored))
      this.#find(this.#altered(seq, 'its columns differ from its body'));
    this.#checkAnchor(event, seq);
    if (event.type === 'LEDGER_CHECKPOINT') this.#checkCheckpoint(event, last);
    this.#report.first ||= seq;
    this.#report.last = seq;
    this.#report.events += 1;
    this.#last = { seq, hash: event.hash };
  }

  /** The text ends in the middle of a record. */
  addTorn(): void {
    this.#find({ kind: 'torn', after: this.#last?.seq ?? 0 });
  }

  /** @param head where the database says the chain stands; absent when only a part was looked at */
  end(head?: { seq: number }): ChainReport {
    const last = this.#last?.seq ?? 0;
    const anchored = Math.max(0, ...this.#anchored.keys());
    if (head !== undefined && anchored > last) {
      this.#find({ kind: 'truncated', last, expected: anchored, witness: 'anchor' });
    } else if (head !== undefined && head.seq > last) {
      this.#find({ kind: 'truncated', last, expected: head.seq, witness: 'head' });
    }
    return this.#report;
  }

  #checkLink(event: ChainedEvent, last: { seq: number; hash: string }, seq: number): void {
    if (seq <= last.seq) this.#find(this.#altered(seq, 'its number was given before'));
    else if (event.prevHash !== last.hash)
      this.#find(this.#altered(seq, 'it does not follow on the event before it'));
    else if (event.writer !== this.#inputs.writer) this.#find(this.#altered(seq, 'it is of another chain'));
  }

  #checkAnchor(event: ChainedEvent, seq: number): void {
    const head = this.#anchored.get(seq);
    if (head === undefined) return;
    if (!isSigned(head))
      this.#find({ kind: 'signature', seq, reason: 'the anchor’s signature does not hold' });
    else if (head.hash !== event.hash) this.#find(this.#altered(seq, 'the anchor has another hash for it'));
  }

  #checkCheckpoint(event: ChainedEvent, last: { seq: number; hash: string }): void {
    const head = { ...event.payload, writer: event.writer } as SignedHead;
    this.#report.checkpoints += 1;
    if (!isSigned(head)) {
      this.#find({ kind: 'signature', seq: event.seq, reason: 'the checkpoint’s signature does not hold' });
    } else if (head.seq !== last.seq || head.hash !== last.hash) {
      this.#find(this.#altered(event.seq, 'the checkpoint was signed for another head'));
    } else if (!this.#inputs.trusted.has(head.publicKey)) this.#report.foreignCheckpoints += 1;
  }

  #altered(seq: number, reason: string): Finding {
    return { kind: 'altered', seq, reason };
  }

  #find(finding: Finding): void {
    if (this.#report.findings.length < MOST_FINDINGS) this.#report.findings.push(finding);
  }
}

function isSame(event: ChainedEvent, stored: StoredEvent): boolean {
  return (
    event.seq === stored.seq &&
    event.writer === stored.writer &&
    event.id === stored.id &&
    event.type === stored.type &&
    event.actor === stored.actor &&
    (event.tier ?? null) === stored.tier &&
    event.runId === stored.runId &&
    event.traceId === stored.traceId
  );
}
