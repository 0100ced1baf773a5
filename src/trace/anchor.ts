import { open, readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { SignedHead } from './signing-key.ts';

const lineSchema = z.object({
  writer: z.string(),
  seq: z.int(),
  hash: z.string(),
  publicKey: z.string(),
  signature: z.string(),
});

export type AnchorFile = {
  heads: SignedHead[];
  /** Lines in the middle that are no anchor, by number from 1. */
  badLines: number[];
  /** The last line is cut short, as a crash leaves it. */
  torn: boolean;
};

/** Adds a head to the anchor: a file beside the database, which shows that a tail was cut off. On disk when it resolves. */
export async function appendAnchor(path: string, head: SignedHead): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    // What a crash left of a line must not run into ours.
    const start = size > 0 && last.toString() !== '\n' ? '\n' : '';
    await file.appendFile(`${start}${JSON.stringify(head)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Null when there is no such file. */
export async function readAnchor(path: string): Promise<AnchorFile | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const lines = text.split('\n');
  const anchor: AnchorFile = { heads: [], badLines: [], torn: lines.at(-1) !== '' };
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    const head = parseLine(line);
    if (head !== null) anchor.heads.push(head);
    else if (at < lines.length - 1) anchor.badLines.push(at + 1);
  }
  return anchor;
}

function parseLine(line: string): SignedHead | null {
  try {
    return lineSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
