import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How programs on this machine find the running server. The token makes who can read the file its local user. */
export type ServerFile = { pid: number; url: string; token: string; startedAt: string };

const NAME = 'server.json';

/** Whole or not at all, and readable by this user only. */
export async function writeServerFile(folder: string, content: ServerFile): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, NAME);
  const draft = `${path}.${content.pid}`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

/** Only the server that wrote it takes it away: with PostgreSQL several may use one folder, and the last one counts. */
export async function removeServerFile(folder: string, token: string): Promise<void> {
  const path = join(folder, NAME);
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.includes(token)) await rm(path, { force: true });
}
