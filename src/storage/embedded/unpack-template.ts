import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** As scripts/database-template.mjs writes it. */
type Manifest = { folders: string[]; files: [path: string, length: number][] };

/**
 * Puts a freshly initialised database into `folder`, which must not exist. It is written beside and renamed when whole,
 * so a process that dies on the way leaves no half database.
 */
export async function unpackTemplate(folder: string): Promise<void> {
  const packed = await readFile(new URL('./template.br', import.meta.url));
  const bytes = await promisify(brotliDecompress)(packed);
  const headEnd = bytes.indexOf('\n');
  const manifest = JSON.parse(bytes.toString('utf8', 0, headEnd)) as Manifest;
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  // PostgreSQL's own rule: a data folder is its owner's alone.
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  for (const path of manifest.folders) await mkdir(join(unfinished, path), { recursive: true, mode: 0o700 });
  let offset = headEnd + 1;
  const files = manifest.files.map(([path, length]) => {
    const content = bytes.subarray(offset, offset + length);
    offset += length;
    return { path, content };
  });
  await Promise.all(
    files.map(({ path, content }) => writeFile(join(unfinished, path), content, { mode: 0o600 })),
  );
  await rename(unfinished, folder);
}
