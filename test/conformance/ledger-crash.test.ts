import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../src/lib/secret.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { openLedger } from '../../src/trace/ledger.ts';
import { createPostgresDatabase, describePostgres } from '../support/database.ts';
import { emitMany } from '../support/ledger.ts';

const script = fileURLToPath(new URL('../support/ledger-child.ts', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiercel-crash-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Child = { process: ChildProcess; lines: AsyncIterator<string>; ended: Promise<unknown>; start(): void };

function startChild(databaseUrl: string | null, crashpoint?: string): Child {
  const given = databaseUrl === null ? [folder] : [folder, databaseUrl];
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...given], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...(crashpoint ? { TIERCEL_CRASHPOINT: crashpoint } : {}) },
  });
  return {
    process: child,
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    ended: once(child, 'exit'),
    start: () => child.stdin?.write('go\n'),
  };
}

/** Reads acknowledgements until the child is gone; kills it after `acknowledged` of them unless it dies by itself. */
async function runToDeath(child: Child, acknowledged: number): Promise<string[]> {
  child.start();
  const ids: string[] = [];
  for (;;) {
    const { value, done } = await child.lines.next();
    if (done) break;
    ids.push(value);
    if (ids.length === acknowledged) child.process.kill('SIGKILL');
  }
  await child.ended;
  return ids;
}

async function openAgain(databaseUrl: string | null) {
  const url = databaseUrl === null ? null : new Secret(databaseUrl);
  const database = await openDatabase({ dataDir: folder, databaseUrl: url });
  const ledger = await openLedger({ database, dataDir: folder });
  return {
    database,
    ledger,
    async close() {
      await ledger.close();
      await database.close();
    },
  };
}

async function expectWhole(
  databaseUrl: string | null,
  writer: string,
  acknowledged: string[],
): Promise<void> {
  const { database, ledger, close } = await openAgain(databaseUrl);
  expect(ledger.writer).toBe(writer);
  const before = ledger.head.seq;
  emitMany(ledger, 10);
  const report = await ledger.verify();
  expect(report.chains.map(({ findings }) => findings)).toEqual([[]]);
  expect(report.events).toBe(before + 10);
  const { rows } = await database.pool.query<{ id: string }>('select id from events where id = any($1)', [
    acknowledged,
  ]);
  expect(rows).toHaveLength(acknowledged.length);
  await close();
}

const CRASHPOINTS = ['before-append', 'after-append', 'after-checkpoint'];

describe('L02 SIGKILL (embedded)', () => {
  it('in the middle of batches loses nothing acknowledged, and the chain goes on', async () => {
    const child = startChild(null);
    const [writer = ''] = String((await child.lines.next()).value).split(' ');
    await expectWhole(null, writer, await runToDeath(child, 60));
  }, 60_000);

  it.each(CRASHPOINTS)(
    'at %s leaves a chain that goes on',
    async (crashpoint) => {
      const child = startChild(null, crashpoint);
      const [writer = ''] = String((await child.lines.next()).value).split(' ');
      await expectWhole(null, writer, await runToDeath(child, 1000));
    },
    60_000,
  );
});

describePostgres('L01 and L02 of processes', (server) => {
  it('two processes write two chains, both intact, and their chains are taken up again after SIGKILL', async () => {
    const url = (await createPostgresDatabase(server())).reveal();
    const children = [startChild(url), startChild(url)];
    const first = await Promise.all(children.map(async (child) => String((await child.lines.next()).value)));
    const writers = first.map((line) => line.split(' ')[0]);
    expect(new Set(writers).size).toBe(2);
    const acknowledged = (await Promise.all(children.map((child) => runToDeath(child, 40)))).flat();
    const { database, ledger, close } = await openAgain(url);
    expect(writers).toContain(ledger.writer);
    emitMany(ledger, 10);
    const report = await ledger.verify();
    expect(report).toMatchObject({ intact: true });
    expect(report.chains).toHaveLength(2);
    const { rows } = await database.pool.query('select 1 from events where id = any($1)', [acknowledged]);
    expect(rows).toHaveLength(acknowledged.length);
    await close();
  }, 60_000);
});
