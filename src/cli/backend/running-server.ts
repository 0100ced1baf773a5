import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type LoadInputs, loadSettings } from '../../config/load.ts';
import { createServerClient, type ServerClient } from './server-client.ts';

type ServerRecord = { pid: number; url: string; token: string };

/**
 * The running server of the data folder that the settings name: its `server.json` is there, its process lives and it
 * answers `/healthz`. Null when there is none.
 *
 * @throws TiercelError `config_invalid`, `config_unreadable`
 */
export async function findServer(inputs: LoadInputs): Promise<ServerClient | null> {
  const folder = resolve(inputs.cwd, loadSettings(inputs).settings.dataDir);
  const record = await readRecord(join(folder, 'server.json'));
  if (record === null || !isAlive(record.pid)) return null;
  const client = createServerClient(record);
  if (await client.isHealthy()) return client;
  await client.close();
  return null;
}

async function readRecord(path: string): Promise<ServerRecord | null> {
  try {
    const { pid, url, token } = JSON.parse(await readFile(path, 'utf8')) as Partial<ServerRecord>;
    return pid === undefined || url === undefined || token === undefined ? null : { pid, url, token };
  } catch {
    // None, or one that a kill left half written: then there is no server to talk to.
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
