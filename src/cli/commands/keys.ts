import type { Command } from 'commander';
import { withStores } from '../backend/session.ts';
import { toTable } from '../format/table.ts';
import { toLocalTime } from '../format/units.ts';
import { type LocationOptions, withLocation } from '../location.ts';
import { note, paintFor, print, printJson } from '../output.ts';

type CreateOptions = LocationOptions & { name: string; principal?: string; admin?: boolean; json?: boolean };

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke API keys').helpCommand(false);
  withLocation(keys.command('create'))
    .description('make an API key; it is shown once, on stdout')
    .requiredOption('--name <name>', 'what it is called in lists')
    .option('--principal <principal>', 'whom its calls are accounted to; the name unless given')
    .option('--admin', 'may change settings and keys, and see everyone’s receipts')
    .option('--json', 'print id and key as JSON')
    .addHelpText('after', '\nExample:\n  $ export OPENAI_API_KEY=$(tiercel keys create --name laptop)')
    .action(create);
  withLocation(keys.command('list'))
    .description('list the API keys, newest first')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ tiercel keys list')
    .action(list);
  withLocation(keys.command('revoke <id-or-name>'))
    .description('revoke an API key; in force at once')
    .addHelpText('after', '\nExample:\n  $ tiercel keys revoke laptop')
    .action(revoke);
}

function create({ name, principal = name, admin = false, json, ...location }: CreateOptions): Promise<void> {
  return withStores(location, async ({ keys }) => {
    const { id, key } = await keys.create({ name, principal, admin });
    note(
      `Key ${name} of principal ${principal}${admin ? ', admin' : ''}. It is shown this once and stored hashed.`,
    );
    if (json) printJson({ id, key, name, principal, admin });
    else print(key);
  });
}

function list({ json, ...location }: LocationOptions & { json?: boolean }): Promise<void> {
  return withStores(location, async ({ keys }) => {
    const entries = await keys.list();
    if (json) {
      printJson(entries);
      return;
    }
    if (entries.length === 0) note('There are no API keys. Make one with: tiercel keys create --name <name>');
    const rows = entries.map(({ id, name, principal, admin, prefix, createdAt, revokedAt }) => [
      name,
      principal,
      admin ? 'admin' : '',
      `${prefix}…`,
      toLocalTime(createdAt),
      revokedAt ? `revoked ${toLocalTime(revokedAt)}` : 'active',
      id,
    ]);
    if (rows.length > 0) print(toTable(rows, paintFor(process.stdout)));
  });
}

function revoke(idOrName: string, location: LocationOptions): Promise<void> {
  return withStores(location, async ({ keys }) => {
    await keys.revoke(idOrName);
    note(`Key ${idOrName} is revoked.`);
  });
}
