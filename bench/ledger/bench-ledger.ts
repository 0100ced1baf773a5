/**
 * The ledger's cost, on this machine, in one go: `npm run bench:ledger`. Appends through `trace.emit` to an embedded database; inserts
 * the same rows in the same batches without a chain, which is the limit; verifies from the database and from an export.
 * Rounds alternate, so that what else the machine does falls on all alike; the best round of each counts. Exits with 1 when a
 * bound is missed.
 */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId } from '../../src/lib/ids.ts';
import type { Database } from '../../src/storage/database.ts';
import { createEventStore } from '../../src/storage/event-store.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { type Ledger, openLedger } from '../../src/trace/ledger.ts';
import { type VerifyReport, verifyExport } from '../../src/trace/verify.ts';

const EVENTS = 40_000;
const ROUNDS = 4;
const BATCH = 500;

type Rates = { append: number; unchained: number; stored: number; exported: number };

async function measure(database: Database, folder: string): Promise<Rates> {
  await database.pool.query('truncate events, event_writers');
  const ledger = await openLedger({ database, dataDir: folder, anchor: join(folder, `${createId()}.jsonl`) });
  const append = await perSecond(() => appendEvents(ledger));
  const stored = await perSecond(() => expectIntact(ledger.verify()));
  const path = join(folder, 'export.jsonl');
  await writeExport(ledger, path);
  const exported = await perSecond(() => expectIntact(verifyExport(path)));
  const { writer } = ledger;
  await ledger.close();
  return { append, stored, exported, unchained: await insertUnchained(database, writer) };
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (EVENTS / (performance.now() - began)) * 1000;
}

async function appendEvents(ledger: Ledger): Promise<void> {
  // One batch is made while the one before it is stored.
  let stored = Promise.resolve();
  for (let n = 0; n < EVENTS; n++) {
    ledger.trace.emit('INFERENCE_ATTEMPT', {
      actor: 'local',
      tier: 'live',
      message: 'foundry-main served after 12.345 ms',
      payload: { deployment: 'foundry-main', outcome: 'served', durationMs: 12.345 + n },
    });
    if (n % BATCH === 0) {
      await stored;
      stored = ledger.flush();
    }
  }
  await ledger.flush();
}

async function expectIntact(verified: Promise<VerifyReport>): Promise<void> {
  const { intact, events } = await verified;
  if (!intact || events < EVENTS) throw new Error(`${events} events, ${intact ? 'intact' : 'not intact'}`);
}

async function writeExport(ledger: Ledger, path: string): Promise<void> {
  const file = await open(path, 'w');
  for await (const lines of ledger.export()) await file.write(lines);
  await file.close();
}

/** The same rows as were appended, by the same statement, with no hash to be computed. */
async function insertUnchained(database: Database, writer: string): Promise<number> {
  const store = createEventStore(database);
  const rows = await store.readChain(writer, 0, EVENTS);
  await database.pool.query('truncate events, event_writers');
  const lease = await store.lease();
  return perSecond(async () => {
    for (let n = 0; n < rows.length; n += BATCH) {
      const batch = rows.slice(n, n + BATCH);
      await lease.append(batch, { seq: n + batch.length, hash: '' });
    }
  });
}

function report(rounds: readonly Rates[]): boolean {
  const best = (name: keyof Rates) => Math.max(...rounds.map((rates) => rates[name]));
  const lines: [string, number, number][] = [
    ['append, events/s (embedded, hash included)', best('append'), 20_000],
    ['append, of the same rows without a chain', best('append') / best('unchained'), 0.5],
    ['verify from the database, events/s', best('stored'), 40_000],
    ['verify from an export, events/s', best('exported'), 100_000],
  ];
  for (const [name, value, bound] of lines) {
    const shown = (number: number) =>
      number < 10 ? number.toFixed(2) : Math.round(number).toLocaleString('en');
    console.log(
      `${value >= bound ? 'ok    ' : 'MISSED'} ${name.padEnd(46)} ${shown(value).padStart(9)}  (at least ${shown(bound)})`,
    );
  }
  return lines.every(([, value, bound]) => value >= bound);
}

const folder = await mkdtemp(join(tmpdir(), 'tiercel-bench-ledger-'));
const database = await openDatabase({ dataDir: folder, databaseUrl: null });
try {
  const rounds: Rates[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(database, folder));
  process.exitCode = report(rounds) ? 0 : 1;
} finally {
  await database.close();
  await rm(folder, { recursive: true, force: true });
}
