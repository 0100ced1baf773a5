import type { ChainReport, Finding } from '../../trace/chain-check.ts';
import type { VerifyReport } from '../../trace/verify.ts';
import type { Paint } from '../output.ts';

/** What a verification found: a line for all, then each chain with its findings. */
export function toVerificationText({ intact, events, chains, anchor }: VerifyReport, paint: Paint): string {
  const verdict = intact ? paint('green', 'intact') : paint('red', 'not intact');
  const against = anchor ? `${anchor.heads} anchored heads` : 'no anchor';
  const lines = [`${verdict}  ${events} events, ${countOf(chains.length, 'chain')}, ${against}`];
  for (const line of anchor?.badLines ?? []) lines.push(`  anchor: line ${line} is no signed head`);
  for (const chain of chains)
    lines.push(`  ${toChainLine(chain)}`, ...chain.findings.map((one) => `    ${toFindingText(one, paint)}`));
  return lines.join('\n');
}

function toChainLine({
  writer,
  first,
  last,
  archivedThrough,
  checkpoints,
  foreignCheckpoints,
}: ChainReport): string {
  const archived = archivedThrough > 0 ? `, up to ${archivedThrough} archived` : '';
  const foreign = foreignCheckpoints > 0 ? `, ${foreignCheckpoints} signed by a key that was not named` : '';
  return `chain ${writer}: ${first} to ${last}${archived}, ${countOf(checkpoints, 'checkpoint')}${foreign}`;
}

function toFindingText(finding: Finding, paint: Paint): string {
  switch (finding.kind) {
    case 'altered':
      return `${paint('red', 'altered')} at ${finding.seq}: ${finding.reason}`;
    case 'gap':
      return `${paint('red', 'gap')} from ${finding.after} to ${finding.next}`;
    case 'truncated':
      return `${paint('red', 'truncated')}: it ends at ${finding.last}, and the ${finding.witness} says ${finding.expected}`;
    case 'signature':
      return `${paint('red', 'signature')} at ${finding.seq}: ${finding.reason}`;
    case 'torn':
      return `${paint('yellow', 'torn')} after ${finding.after}: the last record is cut short, as a crash leaves it`;
  }
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
