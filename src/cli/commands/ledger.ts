import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { TiercelError } from '../../errors.ts';
import { type VerifyReport, verifyExport } from '../../trace/verify.ts';
import { withStores } from '../backend/session.ts';
import { toVerificationText } from '../format/verification.ts';
import { type LocationOptions, withLocation } from '../location.ts';
import { note, paintFor, print, printJson } from '../output.ts';

type Range = { from?: number; to?: number; anchor?: string };
type VerifyOptions = LocationOptions & Range & { publicKey?: string; json?: boolean };
type ArchiveOptions = LocationOptions & { before: Date; json?: boolean };

const DAY_MS = 86_400_000;

export function addLedger(program: Command): void {
  const ledger = program
    .command('ledger')
    .description('verify, export and archive the ledger')
    .helpCommand(false);
  withLocation(ledger.command('verify [file]'))
    .description('verify the stored events, or those of an export')
    .option('--from <number>', 'from this event of each chain', toNumber)
    .option('--to <number>', 'to this event of each chain', toNumber)
    .option(
      '--anchor <file>',
      'the anchor, instead of the configured one; for an export there is none unless named',
    )
    .option(
      '--public-key <key>',
      'the key that signs the checkpoints of an export, as `ledger key` prints it',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', VERIFY_HELP)
    .action(verify);
  withLocation(ledger.command('export'))
    .description('write all events as JSON lines')
    .option('--out <file>', 'to this file instead of stdout')
    .addHelpText('after', '\nExample:\n  $ tiercel ledger export --out ledger.jsonl')
    .action(exportAll);
  withLocation(ledger.command('key'))
    .description('print the public key that checkpoints are signed with')
    .addHelpText('after', '\nExample:\n  $ tiercel ledger key')
    .action(printKey);
  withLocation(ledger.command('archive'))
    .description('move closed segments from the database to files in the data folder')
    .requiredOption('--before <when>', 'what happened before: a date, or days as 90d', toMoment)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ tiercel ledger archive --before 90d')
    .action(archive);
}

const VERIFY_HELP = `
Exit codes: 0 intact, 1 altered, incomplete or cut short, 2 wrong usage or unreadable.

Examples:
  $ tiercel ledger verify
  $ tiercel ledger verify ledger.jsonl --anchor .tiercel/ledger-anchor.jsonl`;

async function verify(file: string | undefined, options: VerifyOptions): Promise<void> {
  const { from, to, anchor, publicKey, json = false, ...location } = options;
  const range: Range = {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(anchor === undefined ? {} : { anchor }),
  };
  for (const path of [file, anchor]) if (path !== undefined) await checkReadable(path);
  if (file !== undefined) {
    report(await verifyExport(file, { ...range, ...(publicKey ? { publicKeys: [publicKey] } : {}) }), json);
    return;
  }
  await withStores(location, async ({ ledger }) => report(await ledger.verify(range), json));
}

function report(found: VerifyReport, json: boolean): void {
  if (json) printJson(found);
  else print(toVerificationText(found, paintFor(process.stdout)));
  if (!found.intact) process.exitCode = 1;
}

async function checkReadable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
    if ((await stat(path)).isFile()) return;
  } catch (cause) {
    throw new TiercelError('invalid_request', `${path} cannot be read.`, { cause });
  }
  throw new TiercelError('invalid_request', `${path} is not a file.`);
}

function exportAll({ out, ...location }: LocationOptions & { out?: string }): Promise<void> {
  return withStores(location, async ({ ledger }) => {
    const target = out === undefined ? process.stdout : createWriteStream(out, { mode: 0o600 });
    if (out !== undefined) await once(target, 'open');
    for await (const part of ledger.export()) if (!target.write(part)) await once(target, 'drain');
    if (target === process.stdout) return;
    target.end();
    await once(target, 'close');
    note(`The ledger is in ${out}. Verify it with: tiercel ledger verify ${out}`);
  });
}

function printKey(location: LocationOptions): Promise<void> {
  return withStores(location, async ({ ledger }) => print(await ledger.publicKey()));
}

function archive({ before, json, ...location }: ArchiveOptions): Promise<void> {
  return withStores(location, async ({ ledger }) => {
    const archives = await ledger.archive(before);
    if (json) printJson(archives);
    else if (archives.length === 0) note('No segment ended before that moment.');
    else for (const { path } of archives) print(path);
  });
}

function toNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError('Use a whole number from 1.');
}

function toMoment(text: string): Date {
  const days = /^(\d+)d$/.exec(text)?.[1];
  const moment = days === undefined ? new Date(text) : new Date(Date.now() - Number(days) * DAY_MS);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError('Use a date, as 2026-11-30, or days, as 90d.');
}
