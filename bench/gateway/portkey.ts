import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const PORTKEY = '@portkey-ai/gateway@1.15.2';

const INSTALL_MS = 180_000;

/** Installs Portkey's gateway, Node's own build of it, into a temporary folder; its install scripts do not run. */
export async function installPortkey(): Promise<{ script: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tiercel-bench-portkey-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
    await promisify(execFile)(
      'npm',
      ['install', PORTKEY, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      { cwd: folder, timeout: INSTALL_MS },
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { script: join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js'), remove };
}
