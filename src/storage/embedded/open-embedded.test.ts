import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { createReceiptStore } from '../receipt-store.ts';

const child = fileURLToPath(new URL('../../../test/support/storage-child.ts', import.meta.url));

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tiercel-embedded-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

function open(): Promise<Database> {
  return openDatabase({ dataDir, databaseUrl: null });
}

function startChild(): { process: ChildProcess; lines: AsyncIterator<string> } {
  const started = spawn(process.execPath, ['--import', 'tsx', child, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { process: started, lines: createInterface({ input: started.stdout })[Symbol.asyncIterator]() };
}

async function nextLine({ lines }: { lines: AsyncIterator<string> }): Promise<string> {
  return String((await lines.next()).value);
}

it('opens what it closed, frees the lock, and starts without initdb', async () => {
  const first = await open();
  await first.pool.query('create table kept as select 1 as n');
  await expect(open()).rejects.toMatchObject({ code: 'data_folder_locked' });
  await first.close();
  expect(await readdir(dataDir)).toEqual(['db']);
  const second = await open();
  expect((await second.pool.query('select n from kept')).rows).toEqual([{ n: 1 }]);
  await second.close();
});

it('refuses a folder that another process has, and opens it when that one was killed, with all it had stored', async () => {
  const holder = startChild();
  expect(await nextLine(holder)).toBe('open');
  await expect(open()).rejects.toThrow(`process ${holder.process.pid}`);
  let stored = '';
  for (let n = 0; n < 20; n++) stored = await nextLine(holder);
  holder.process.kill('SIGKILL');
  await once(holder.process, 'exit');

  const database = await open();
  expect(await createReceiptStore(database).get(stored)).toMatchObject({ id: stored, principal: 'child' });
  const { rows } = await database.pool.query('select count(*)::int as n from receipts');
  expect(rows[0].n).toBeGreaterThanOrEqual(2000);
  await database.close();
}, 60_000);

it('lets one of several processes have a folder whose holder was killed', async () => {
  const killed = startChild();
  expect(await nextLine(killed)).toBe('open');
  killed.process.kill('SIGKILL');
  await once(killed.process, 'exit');
  const takers = Array.from({ length: 4 }, startChild);
  const answers = await Promise.all(takers.map(nextLine));
  expect(answers.sort()).toEqual(['data_folder_locked', 'data_folder_locked', 'data_folder_locked', 'open']);
  for (const taker of takers) taker.process.kill('SIGKILL');
  await Promise.all(
    takers.map((taker) => taker.process.exitCode ?? taker.process.signalCode ?? once(taker.process, 'exit')),
  );
}, 60_000);

it('makes a new database where the first start was killed half-way', async () => {
  await mkdir(join(dataDir, 'db.unfinished', 'base'), { recursive: true });
  const database = await open();
  await database.ping();
  await database.close();
  expect(existsSync(join(dataDir, 'db.unfinished'))).toBe(false);
});

it('says that a damaged database does not open, and frees the lock', async () => {
  await (await open()).close();
  await writeFile(join(dataDir, 'db', 'global', 'pg_control'), 'nonsense');
  await expect(open()).rejects.toMatchObject({
    code: 'database_corrupt',
    message: expect.stringContaining(dataDir),
  });
  expect(await readdir(dataDir)).toEqual(['db']);
});

it('keeps the write-ahead log short, since nobody else writes checkpoints', async () => {
  const database = await open();
  await database.pool.query('create table bulk (x text)');
  const value = Array.from({ length: 1000 }, () => Math.random().toString(36))
    .join('')
    .repeat(100);
  for (let n = 0; n < 120; n++) await database.pool.query('insert into bulk values ($1)', [`${n}${value}`]);
  const log = join(dataDir, 'db', 'pg_wal');
  const files = (await readdir(log, { withFileTypes: true })).filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(log, file.name))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100 * 1024 * 1024);
  await database.close();
}, 60_000);

it('does not hold up the event loop during a long statement', async () => {
  const database = await open();
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const started = performance.now();
  await database.pool.query('select count(*) from generate_series(1, 3000000)');
  const took = performance.now() - started;
  clearInterval(timer);
  expect(longest).toBeLessThan(took / 2);
  await database.close();
});
