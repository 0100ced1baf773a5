import type { Verification } from '../../api/schema.ts';
import { formatCount } from '../../kit/format.ts';
import type { Standing } from './mark.tsx';

export type ChainReport = Verification['chains'][number];
export type Finding = ChainReport['findings'][number];

/** What was found, why it matters, and what to do about it. */
export type Told = { title: string; why: string; next: string; isFault: boolean };

const KEEP =
  'Export the ledger as it is now and keep the database files unchanged. Then compare with the last backup or archive to see what was there.';

/** A finding as a person needs it told. */
export function tellFinding(finding: Finding): Told {
  switch (finding.kind) {
    case 'altered':
      return {
        title: `Altered at no. ${formatCount(finding.seq)}: ${finding.reason}`,
        why: `What stands there is not what was written. Events before no. ${formatCount(finding.seq)} still hold; what the altered one says cannot be relied on.`,
        next: KEEP,
        isFault: true,
      };
    case 'gap':
      return {
        title: `Gap: ${missing(finding.after, finding.next)} missing between no. ${formatCount(finding.after)} and no. ${formatCount(finding.next)}`,
        why: 'Events are numbered without holes, so these were written and taken out later.',
        next: KEEP,
        isFault: true,
      };
    case 'truncated':
      return {
        title: `Truncated: it ends at no. ${formatCount(finding.last)}, but once stood at no. ${formatCount(finding.expected)}`,
        why:
          finding.witness === 'anchor'
            ? 'The anchor file, which is kept outside the database, has a signed head further on. The latest events were cut off, or an older copy of the database was put back.'
            : 'The database itself remembers a later head than its last event. The latest events were cut off.',
        next: `If a backup was put back on purpose, note it and go on: the chain does. Else: ${KEEP.charAt(0).toLowerCase()}${KEEP.slice(1)}`,
        isFault: true,
      };
    case 'signature':
      return {
        title: `A signature does not hold at no. ${formatCount(finding.seq)}: ${finding.reason}`,
        why: 'A checkpoint that was changed, or made without the key of this server, proves nothing about the events before it.',
        next: KEEP,
        isFault: true,
      };
    case 'torn':
      return {
        title: `Torn: the record after no. ${formatCount(finding.after)} is cut short`,
        why: 'A crash in the middle of writing leaves this. It is not tampering, and nothing that was acknowledged as strict is missing.',
        next: 'Nothing to do. The chain goes on from the last whole record.',
        isFault: false,
      };
  }
}

function missing(after: number, next: number): string {
  const count = next - after - 1;
  return `${formatCount(count)} ${count === 1 ? 'event is' : 'events are'}`;
}

/** Lines of the anchor that are no signed heads, and one that a crash cut short. */
export function tellAnchor(anchor: Verification['anchor']): Told[] {
  if (anchor === null) {
    return [
      {
        title: 'There is no anchor file yet',
        why: 'Without one, events cut off at the end cannot be told from events that never were.',
        next: 'It is written at the first checkpoint, within a minute. If it stays away, the log of the server says why.',
        isFault: false,
      },
    ];
  }
  const { badLines, torn } = anchor;
  const told: Told[] = [];
  if (badLines.length > 0) {
    told.push({
      title: `The anchor file has ${badLines.length === 1 ? 'a line that is' : 'lines that are'} no signed head: ${badLines.join(', ')}`,
      why: 'Somebody or something else has written there, so it may also lack lines that it had.',
      next: 'Compare the file with a copy kept elsewhere. Lines that are signed still count.',
      isFault: true,
    });
  }
  if (torn) {
    told.push({
      title: 'The last line of the anchor file is cut short',
      why: 'A crash in the middle of writing leaves this. The lines before it count.',
      next: 'Nothing to do. The next checkpoint adds a whole line.',
      isFault: false,
    });
  }
  return told;
}

export type Signature = { word: string; sign: Standing };

/**
 * How the signature of a checkpoint stands. Signatures are checked by the server when it verifies; until then all that can be
 * said is whose key is named.
 */
export function signatureOf(
  { writer, seq, payload }: { writer: string; seq: number; payload: Record<string, unknown> },
  ownKey: string,
  report: Verification | null,
): Signature {
  const chain = report?.chains.find((one) => one.writer === writer);
  const isBad = chain?.findings.some((finding) => finding.kind === 'signature' && finding.seq === seq);
  if (isBad) return { word: 'does not hold', sign: 'failed' };
  const isForeign = payload['publicKey'] !== ownKey;
  if (chain === undefined || seq > chain.last || seq < chain.first) {
    return isForeign
      ? { word: 'by another key, not verified', sign: 'degraded' }
      : { word: 'signed, not verified yet', sign: 'neutral' };
  }
  return isForeign ? { word: 'holds, by another key', sign: 'degraded' } : { word: 'holds', sign: 'holds' };
}
