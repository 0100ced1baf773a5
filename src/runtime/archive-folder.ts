import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../trace/archive.ts';

/** Archives into `ledger-archive` of the data folder, which is made when it is not there. */
export async function archiveInto(
  dataFolder: string,
  archive: (folder: string) => Promise<Archive[]>,
): Promise<Archive[]> {
  const folder = join(dataFolder, 'ledger-archive');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return archive(folder);
}
