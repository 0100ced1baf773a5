import { type Command, InvalidArgumentError } from 'commander';
import { TIERS } from '../../config/settings.ts';
import { TiercelError } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import type { ReceiptFilter } from '../../storage/receipt.ts';
import { withStores } from '../backend/session.ts';
import { toReceiptList, toReceiptText } from '../format/receipt.ts';
import { type LocationOptions, withLocation } from '../location.ts';
import { note, paintFor, print, printJson } from '../output.ts';

type ShowOptions = LocationOptions & { contents?: boolean; json?: boolean };
type ListOptions = LocationOptions & { json?: boolean } & ReceiptFilter;

export function addReceipts(program: Command): void {
  const receipts = program.command('receipts').description('read receipts').helpCommand(false);
  withLocation(receipts.command('show <id>'))
    .description('show what happened to a call')
    .option('--contents', 'with what was asked and answered, where it was kept')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ tiercel receipts show 01939f2e-5c1a-7000-8000-3f1d2c4b5a69')
    .action(show);
  withLocation(receipts.command('list'))
    .description('list receipts, newest first')
    .option('--limit <number>', 'how many, up to 500', toLimit, 20)
    .option('--before <id>', 'only those older than this one')
    .option('--principal <name>', 'only calls of this principal')
    .option('--role <name>', 'only calls of this role')
    .option('--tier <tier>', `only calls served by this tier: ${TIERS.join(', ')}`)
    .option('--outcome <outcome>', 'only ok, error, truncated or cancelled')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ tiercel receipts list --outcome error --limit 5')
    .action(list);
}

function show(id: string, { contents = false, json, ...location }: ShowOptions): Promise<void> {
  return withStores(location, async ({ receipts }) => {
    const receipt = isId(id) ? await receipts.get(id, { contents }) : null;
    if (receipt === null) throw new TiercelError('receipt_not_found', `There is no receipt ${id}.`);
    if (json) printJson(receipt);
    else print(toReceiptText(receipt, paintFor(process.stdout)));
  });
}

function list({ json, config, dataDir, ...filter }: ListOptions): Promise<void> {
  const location = { ...(config ? { config } : {}), ...(dataDir ? { dataDir } : {}) };
  return withStores(location, async ({ receipts }) => {
    const found = await receipts.list(filter);
    if (json) printJson(found);
    else if (found.length === 0) note('There are no such receipts.');
    else print(toReceiptList(found, paintFor(process.stdout)));
  });
}

function toLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 500) return limit;
  throw new InvalidArgumentError('Use a whole number from 1 to 500.');
}
