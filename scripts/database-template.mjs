/**
 * Makes src/storage/embedded/template.br, the freshly initialised database that a first start unpacks instead of
 * running initdb (seconds, and a second engine in memory). Run it again whenever the major version of PostgreSQL inside
 * @electric-sql/pglite changes: `node scripts/database-template.mjs`.
 *
 * Format, Brotli over all: a JSON line `{ folders: [path], files: [[path, length]] }`, then the files' bytes in that order.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';

const target = new URL('../src/storage/embedded/template.br', import.meta.url);
const folder = await mkdtemp(join(tmpdir(), 'tiercel-template-'));
try {
  const database = await PGlite.create(folder);
  await database.exec('vacuum freeze');
  await database.close();

  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = (/** @type {import('node:fs').Dirent[]} */ list) =>
    list.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const folders = paths(entries.filter((entry) => entry.isDirectory())).sort();
  // The three databases of a new cluster hold the same files under the same names: side by side they compress to one.
  const files = paths(entries.filter((entry) => entry.isFile())).sort((a, b) =>
    `${basename(a)}/${a}` < `${basename(b)}/${b}` ? -1 : 1,
  );
  const contents = await Promise.all(files.map((path) => readFile(join(folder, path))));
  const manifest = { folders, files: files.map((path, index) => [path, contents[index]?.length]) };
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(manifest)}\n`), ...contents]);
  const packed = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  await writeFile(target, packed);
  console.error(
    `${target.pathname}: ${packed.length} bytes for ${files.length} files of ${bytes.length} bytes`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
