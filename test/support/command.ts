import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const command = join(root, 'bin/tiercel.js');

export type Env = Readonly<Record<string, string>>;
export type Outcome = { code: number | null; signal: string | null; stdout: string; stderr: string };

/** Builds dist/ when it is older than the sources: the command runs what is built. */
export function ensureBuilt(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-stale'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('dist/ could not be built.');
}

/** A folder of its own to run in, with these files; `remove` deletes it. */
export function makeFolder(files: Readonly<Record<string, string>> = {}): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'tiercel-e2e-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts the command with an environment of its own. stdout and stderr are pipes, so it takes itself to be scripted. */
function start(
  cwd: string,
  args: readonly string[],
  env: Env,
): { child: ChildProcess; outcome: Promise<Outcome> } {
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (part: string) => {
      texts[name] += part;
    });
  }
  const outcome = once(child, 'close').then(([code, signal]) => ({ code, signal, ...texts }));
  return { child, outcome };
}

/** Runs `tiercel …` to its end. */
export function runTiercel(
  cwd: string,
  args: readonly string[],
  { env = {}, input = '' }: { env?: Env; input?: string } = {},
): Promise<Outcome> {
  const { child, outcome } = start(cwd, args, env);
  child.stdin?.end(input);
  return outcome;
}

export type ServingCommand = {
  url: string;
  pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended. */
  outcome: Promise<Outcome>;
  /** SIGTERM, then the outcome. */
  stop(): Promise<Outcome>;
};

/** Runs `tiercel serve` on a free port until it has said in `server.json` where it listens. */
export async function serve(
  cwd: string,
  args: readonly string[] = [],
  env: Env = {},
): Promise<ServingCommand> {
  const { child, outcome } = start(cwd, ['serve', '--port', '0', ...args], env);
  const record = join(cwd, '.tiercel/server.json');
  let ended: Outcome | null = null;
  outcome.then((value) => {
    ended = value;
  });
  while (!existsSync(record) || JSON.parse(readFileSync(record, 'utf8')).pid !== child.pid) {
    if (ended) throw new Error(`The server did not start: ${(ended as Outcome).stderr}`);
    await sleep(20);
  }
  return {
    url: JSON.parse(readFileSync(record, 'utf8')).url,
    pid: child.pid ?? 0,
    kill: (signal) => child.kill(signal),
    outcome,
    stop() {
      child.kill('SIGTERM');
      return outcome;
    },
  };
}
