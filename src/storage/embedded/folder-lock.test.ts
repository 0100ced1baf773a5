import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockFolder } from './folder-lock.ts';
import { processStart } from './process-identity.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiercel-lock-'));
  path = join(folder, 'lock');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const deadPid = spawnSync(process.execPath, ['-e', '']).pid;

function writeHolder(holder: Record<string, unknown>): Promise<void> {
  return writeFile(path, JSON.stringify({ host: hostname(), processStart: null, token: 'old', ...holder }));
}

it('refuses a second taker, also of the same process, and names process and folder', async () => {
  const lock = await lockFolder(folder, path);
  await expect(lockFolder(folder, path)).rejects.toMatchObject({
    code: 'data_folder_locked',
    details: { extra: { pid: process.pid, folder } },
    message: expect.stringContaining(folder),
  });
  await lock.release();
  await (await lockFolder(folder, path)).release();
  expect(await readdir(folder)).toEqual([]);
});

it('takes over the lock of a dead process', async () => {
  await writeHolder({ pid: deadPid, processStart: 'then' });
  const lock = await lockFolder(folder, path);
  expect(await readdir(folder)).toEqual(['lock']);
  await lock.release();
});

it('takes over the lock of a process whose number was given to another since', async () => {
  await writeHolder({ pid: process.pid, processStart: 'long ago' });
  await (await lockFolder(folder, path)).release();
});

it('honours a running process whose start is not known, and one on another machine', async () => {
  await writeHolder({ pid: process.pid });
  await expect(lockFolder(folder, path)).rejects.toMatchObject({ code: 'data_folder_locked' });
  await writeHolder({ pid: deadPid, host: 'elsewhere' });
  await expect(lockFolder(folder, path)).rejects.toThrow(`process ${deadPid} on elsewhere`);
});

it('lets one of many takers of a dead lock win, every time', async () => {
  for (let round = 0; round < 50; round++) {
    await writeHolder({ pid: deadPid, processStart: 'then', token: `dead-${round}` });
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder, path)));
    const won = results.filter((result) => result.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'data_folder_locked' });
    }
    await won[0]?.value.release();
  }
  expect(await readdir(folder)).toEqual([]);
});

it('goes on where a taker died in the middle of taking over', async () => {
  await writeHolder({ pid: deadPid, processStart: 'then', token: 'first' });
  const died = { pid: deadPid, processStart: 'then', host: hostname(), token: 'second' };
  await writeFile(`${path}.first`, JSON.stringify(died));
  const lock = await lockFolder(folder, path);
  expect(await readdir(folder)).toEqual(['lock']);
  await lock.release();
});

it('leaves a lock alone that is no longer its own', async () => {
  const lock = await lockFolder(folder, path);
  await writeHolder({ pid: process.pid, token: 'of another' });
  await lock.release();
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ token: 'of another' });
});

it('says when a process started, the same each time, and nothing of one that is gone', () => {
  expect(processStart(process.pid)).toBe(processStart(process.pid));
  expect(processStart(process.pid)).toMatch(/\w/);
  expect(processStart(deadPid)).toBeNull();
});
