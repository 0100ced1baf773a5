import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { TiercelError } from '../errors.ts';
import { addChat } from './commands/chat.ts';
import { addConfig } from './commands/config.ts';
import { addDoctor } from './commands/doctor.ts';
import { addKeys } from './commands/keys.ts';
import { addLedger } from './commands/ledger.ts';
import { addReceipts } from './commands/receipts.ts';
import { addServe } from './commands/serve.ts';
import { note, paintFor } from './output.ts';

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong usage or settings.

Examples:
  $ tiercel serve
  $ tiercel chat "Plan a launch for a bike repair shop"
  $ tiercel doctor`;

const WRONG_SETTINGS: readonly string[] = [
  'config_invalid',
  'config_unreadable',
  'keys_required',
  'invalid_request',
];

/** Runs the command line. Sets `process.exitCode` and returns when the command is done. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = report(error);
  }
}

function createProgram(): Command {
  const program = new Command('tiercel')
    .description('Runtime and gateway for AI agents over live, local and simulated models.')
    .version(packageVersion(), '-V, --version')
    .helpCommand(false)
    .showHelpAfterError('(--help shows how it is used)')
    .addHelpText('after', EXIT_CODES)
    .exitOverride();
  for (const add of [addServe, addDoctor, addChat, addKeys, addReceipts, addLedger, addConfig]) add(program);
  return program;
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Tells what went wrong, in one line unless it is a defect of ours, and gives the exit code. */
function report(error: unknown): number {
  // Commander has printed its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const paint = paintFor(process.stderr);
  if (error instanceof TiercelError) {
    note(`${paint('red', 'error')} ${error.message} ${paint('dim', `(${error.code})`)}`);
    return WRONG_SETTINGS.includes(error.code) ? 2 : 1;
  }
  note(`${paint('red', 'error')} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return 1;
}
