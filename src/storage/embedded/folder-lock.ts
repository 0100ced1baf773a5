import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { TiercelError } from '../../errors.ts';
import { isRunning, processStart } from './process-identity.ts';

/** Who holds a lock. `processStart` tells a process from a later one that was given the same number. */
type Holder = { pid: number; processStart: string | null; host: string; token: string };

export type FolderLock = { release(): Promise<void> };

/**
 * Takes the lock file at `path`, which must be done before anything of the folder is opened: two engines in one folder
 * destroy it. The file is linked into place whole, so a reader never sees half of it and one taker wins.
 *
 * A lock whose holder is dead is taken over. Two processes may find it dead at once, so a taker first takes a lock on that
 * very holder's succession (`<path>.<token>`, by this same function), looks again, and only then puts its own file in place:
 * one who comes late sees a new token and starts over. A taker that dies half-way leaves a stale succession, which is
 * taken over in the same way.
 *
 * @throws TiercelError `data_folder_locked`, naming the process and the folder.
 */
export async function lockFolder(folder: string, path: string): Promise<FolderLock> {
  const token = randomUUID();
  const holder = { pid: process.pid, processStart: processStart(process.pid), host: hostname(), token };
  const own = `${path}.new-${token}`;
  await writeFile(own, JSON.stringify(holder));
  try {
    while (!(await tryLink(own, path))) {
      const current = await readHolder(path);
      if (current === null) continue;
      // A process of another machine cannot be seen from here and counts as running.
      if (current.host !== hostname() || isRunning(current.pid, current.processStart))
        throw lockedError(folder, path, current);
      const succession = await lockFolder(folder, `${path}.${current.token}`);
      try {
        if ((await readHolder(path))?.token !== current.token) continue;
        await rename(own, path);
        break;
      } finally {
        await succession.release();
      }
    }
  } finally {
    await rm(own, { force: true });
  }
  return {
    async release() {
      if ((await readHolder(path))?.token === token) await rm(path, { force: true });
    },
  };
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function lockedError(folder: string, path: string, holder: Holder): TiercelError {
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
  const who = holder.pid === process.pid && where === '' ? 'this process' : `process ${holder.pid}${where}`;
  const advice =
    where === ''
      ? 'Stop it, or give this one another folder with `dataDir` or TIERCEL_DATA_DIR.'
      : `If that process is surely gone, delete ${path}.`;
  return new TiercelError('data_folder_locked', `The data folder ${folder} is in use by ${who}. ${advice}`, {
    extra: { pid: holder.pid, folder },
  });
}
