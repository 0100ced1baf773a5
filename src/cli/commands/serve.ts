import type { Command } from 'commander';
import { MODES, ROUTINGS } from '../../config/settings.ts';
import { type Gateway, startGateway } from '../../gateway/start-gateway.ts';
import type { Log } from '../../lib/log.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { openOwnRuntime } from '../backend/own-runtime.ts';
import { type LocationOptions, toLoadInputs, withLocation } from '../location.ts';
import { createLog } from '../log.ts';
import { note, paintFor } from '../output.ts';

type ServeOptions = LocationOptions & { host?: string; port?: string; mode?: string; routing?: string };

export function addServe(program: Command): void {
  withLocation(program.command('serve'))
    .description('start the gateway')
    .option('--host <address>', 'the address to listen on, instead of the setting server.host')
    .option('--port <number>', 'the port to listen on; 0 takes a free one')
    .option('--mode <mode>', MODES.join(' | '))
    .option('--routing <routing>', ROUTINGS.join(' | '))
    .addHelpText('after', HELP)
    .action(serve);
}

const HELP = `
Logs go to stderr; TIERCEL_LOG_LEVEL sets how much (debug, info, warn, error). SIGTERM and Ctrl-C let requests in
flight finish within server.drainMs; a second one ends at once.

Example:
  $ tiercel serve --port 4040 --mode local`;

async function serve(options: ServeOptions): Promise<void> {
  const log = createLog(process.env, process.stderr);
  const runtime = await openOwnRuntime({ ...toLoadInputs(options), log });
  let gateway: Gateway;
  try {
    gateway = await startGateway(runtime);
  } catch (error) {
    await runtime.close();
    throw error;
  }
  announce(gateway, runtime, log);
  const signal = await nextSignal();
  log.info({ signal }, 'stopping');
  try {
    await gateway.close();
  } finally {
    await runtime.close();
  }
}

function announce({ url, signInUrl }: Gateway, { router, settings, database }: Runtime, log: Log): void {
  const { warnings } = settings.resolved();
  const { label } = router.plan('auto');
  const where = database.kind === 'embedded' ? `embedded, in ${settings.current().dataDir}` : 'PostgreSQL';
  if (!process.stderr.isTTY) {
    log.info(
      { url, ...(signInUrl === null ? {} : { signIn: signInUrl }), label, database: database.kind },
      'listening',
    );
    for (const warning of warnings) log.warn({ warning }, 'check the settings');
    return;
  }
  const paint = paintFor(process.stderr);
  note(`${paint('bold', 'Tiercel')} listens on ${paint('cyan', url)}`);
  if (signInUrl !== null) {
    const needed =
      settings.current().server.auth === 'required'
        ? 'once, within 10 minutes'
        : 'not needed on this machine';
    note(`  sign in            ${paint('cyan', signInUrl)} ${paint('dim', `(${needed})`)}`);
  }
  note(`  auto is served by  ${label}`);
  note(`  database           ${where}`);
  for (const warning of warnings) note(`  ${paint('yellow', 'warning')}            ${warning}`);
}

/** Resolves at the first signal to stop. From then on a second one ends the process at once, as shells report it. */
function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      process.on(signal, () => {
        if (stopping) process.exit(code);
        stopping = true;
        resolve(signal);
      });
    }
  });
}
