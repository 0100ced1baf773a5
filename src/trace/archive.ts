import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { TiercelError } from '../errors.ts';
import { crashpoint } from '../lib/crashpoint.ts';
import type { ChainHead, EventStore } from '../storage/event.ts';
import { ChainCheck } from './chain-check.ts';
import type { ChainedEvent } from './event.ts';
import { pagesOf } from './verify.ts';

/** A closed segment on file: the events of one chain, up to and with a checkpoint. */
export type Archive = { path: string; writer: string; first: number; last: number };

/**
 * Moves what happened before `before` out of the database: of each chain, all up to the last checkpoint before that moment goes to
 * `<folder>/ledger-<writer>-<first>-<last>.jsonl`, and is dropped once that file is on disk. What does not verify stays.
 *
 * @throws TiercelError `internal_error` when a segment does not verify; nothing of it was dropped
 */
export async function archiveSegments(store: EventStore, before: Date, folder: string): Promise<Archive[]> {
  const archives: Archive[] = [];
  for (const chain of await store.chains()) {
    const end = await lastCheckpoint(store, chain.writer, chain.archived.seq, before);
    if (end === null) continue;
    const first = chain.archived.seq + 1;
    const path = join(folder, `ledger-${chain.writer}-${first}-${end.seq}.jsonl`);
    await writeSegment(store, chain.writer, chain.archived, end, path);
    crashpoint('after-archive-file');
    await store.dropThrough(chain.writer, end);
    archives.push({ path, writer: chain.writer, first, last: end.seq });
  }
  return archives;
}

async function lastCheckpoint(
  store: EventStore,
  writer: string,
  after: number,
  before: Date,
): Promise<ChainHead | null> {
  const limit = before.toISOString();
  let found: ChainHead | null = null;
  for await (const rows of pagesOf(store, writer, after)) {
    for (const { type, body, seq } of rows) {
      const event: ChainedEvent | null = type === 'LEDGER_CHECKPOINT' ? JSON.parse(body) : null;
      if (event === null) continue;
      if (event.ts >= limit) return found;
      found = { seq, hash: event.hash };
    }
  }
  return found;
}

async function writeSegment(
  store: EventStore,
  writer: string,
  seam: ChainHead,
  end: ChainHead,
  path: string,
): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const file = await open(unfinished, 'w', 0o600);
  const check = new ChainCheck({ writer, trusted: new Set(), seam });
  try {
    for await (const rows of pagesOf(store, writer, seam.seq, end.seq)) {
      for (const row of rows) check.add(row.body, row);
      await file.write(rows.map(({ body }) => `${body}\n`).join(''));
    }
    await file.sync();
  } finally {
    await file.close();
  }
  const [finding] = check.end(end).findings;
  if (finding !== undefined) {
    const text = `The segment up to event ${end.seq} of chain ${writer} does not verify (${finding.kind}), so it is not archived.`;
    throw new TiercelError('internal_error', text);
  }
  await rename(unfinished, path);
}
