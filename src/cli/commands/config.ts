import { type Command, InvalidArgumentError } from 'commander';
import { parseSettingChange, RUNTIME_PATHS } from '../../config/change.ts';
import { withBackend, withStores } from '../backend/session.ts';
import { toSettingsTable } from '../format/settings.ts';
import { type LocationOptions, withLocation } from '../location.ts';
import { note, paintFor, print, printJson } from '../output.ts';

export function addConfig(program: Command): void {
  const config = program
    .command('config')
    .description('show the settings in force, and change those that need no restart')
    .helpCommand(false);
  withLocation(config.command('show'))
    .description('every setting with its value and where it came from')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ tiercel config show | grep limits')
    .action(show);
  withLocation(config.command('set <path> <value>'))
    .description('change a setting from the next call on')
    .addHelpText('after', SET_HELP)
    .action(set);
  withLocation(config.command('unset <path>'))
    .description('take a change back; also one that keeps the server from starting')
    .addHelpText('after', '\nExample:\n  $ tiercel config unset routing')
    .action(unset);
  withLocation(
    config.command('undo').argument('[version]', 'which change; the latest unless given', toVersion),
  )
    .description('give a setting back the value from before a change')
    .addHelpText('after', '\nExample:\n  $ tiercel config undo')
    .action(undo);
}

const SET_HELP = `
What can be changed while the server runs:
  ${RUNTIME_PATHS.join('\n  ')}

Examples:
  $ tiercel config set routing local_only
  $ tiercel config set roles.narrator.local "[ollama, llama-cpp]"`;

function show({ json, ...location }: LocationOptions & { json?: boolean }): Promise<void> {
  return withBackend(location, async (backend) => {
    const { rows, warnings } = await backend.settings();
    if (json) printJson(rows);
    else print(toSettingsTable(rows, paintFor(process.stdout)));
    const paint = paintFor(process.stderr);
    for (const warning of warnings) note(`${paint('yellow', 'warning')} ${warning}`);
  });
}

async function set(path: string, value: string, location: LocationOptions): Promise<void> {
  // What is wrong in itself is told before a database is opened for it.
  parseSettingChange(path, value);
  await withBackend(location, async (backend) => {
    await backend.set(path, value);
    const { rows, warnings } = await backend.settings();
    const row = rows.find((one) => one.path === path);
    const paint = paintFor(process.stderr);
    if (row) note(toSettingsTable([row], paint));
    for (const warning of warnings) note(`${paint('yellow', 'warning')} ${warning}`);
  });
}

function unset(path: string, location: LocationOptions): Promise<void> {
  return withStores(location, async ({ changes }) => {
    await changes.unset(path);
    note(`${path} is no longer changed at run time.`);
  });
}

function undo(version: number | undefined, location: LocationOptions): Promise<void> {
  return withStores(location, async ({ changes }) => {
    const undone = await changes.undo(version);
    note(`Change ${undone} is undone.`);
  });
}

function toVersion(text: string): number {
  const version = Number(text);
  if (Number.isInteger(version) && version >= 1) return version;
  throw new InvalidArgumentError('Use the number of a change.');
}
