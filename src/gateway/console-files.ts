import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** One file of the built console, ready to be sent. */
export type ConsoleFile = {
  type: string;
  body: Buffer;
  /** The body compressed, where that makes it smaller. */
  zipped: Buffer | null;
  etag: string;
  /** Whether its name changes with its content, so that it may be kept for good. */
  hashed: boolean;
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

const compress = promisify(gzip);

/**
 * Reads the built console into memory, compressed once. A build that replaces the folder meanwhile is not seen, so that
 * the page and its scripts are always of one build.
 *
 * @returns its files by path, as `assets/index-DgGaat2l.css`; null when the folder holds no index.html
 */
export async function readConsoleFiles(folder: string): Promise<ReadonlyMap<string, ConsoleFile> | null> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const known = names.filter((name) => TYPES[extname(name)] !== undefined);
  if (!known.includes('index.html')) return null;
  const files = known.map(async (name) => [name.split(sep).join('/'), await readOne(folder, name)] as const);
  return new Map(await Promise.all(files));
}

async function readOne(folder: string, name: string): Promise<ConsoleFile> {
  const body = await readFile(join(folder, name));
  const zipped = await compress(body);
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    body,
    zipped: zipped.length < body.length ? zipped : null,
    // Weak: the same for both encodings, whose bytes differ.
    etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    hashed: /^assets[/\\].+-[\w-]{8}\.\w+$/.test(name),
  };
}
