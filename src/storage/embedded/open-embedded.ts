import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import pg from 'pg';
import { TiercelError } from '../../errors.ts';
import type { Connections, StorageObserver } from '../database.ts';
import { EmbeddedStream } from './embedded-stream.ts';
import { lockFolder } from './folder-lock.ts';
import { unpackTemplate } from './unpack-template.ts';

/**
 * Opens the database in `<dataDir>/db`, made from a template when it is not there, in a thread of its own, so that a long
 * statement does not hold up the event loop.
 *
 * @throws TiercelError `data_folder_locked` when another process has the folder, `database_corrupt` when it does not open.
 */
export async function openEmbedded(dataDir: string, observer: StorageObserver): Promise<Connections> {
  const root = resolve(dataDir);
  const folder = join(root, 'db');
  await mkdir(root, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(root, join(root, 'lock'));
  try {
    if (!existsSync(folder)) await unpackTemplate(folder);
    const worker = await startWorker(folder, observer);
    const pool = new pg.Pool({
      max: 1,
      user: 'postgres',
      stream: () => new EmbeddedStream(() => connect(worker)),
    });
    pool.on('error', (error) => observer.connectionLost?.(error));
    return {
      pool,
      async close() {
        await pool.end();
        await stopWorker(worker);
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startWorker(folder: string, observer: StorageObserver): Promise<Worker> {
  const entry = new URL('./embedded-worker.mjs', import.meta.url);
  const worker = new Worker(entry, { workerData: { folder }, execArgv: [], stdout: true, stderr: true });
  try {
    const ended = once(worker, 'exit').then(([code]) => Promise.reject(new Error(`ended with code ${code}`)));
    await Promise.race([once(worker, 'message'), ended]);
  } catch (error) {
    throw new TiercelError(
      'database_corrupt',
      `The embedded database in ${folder} does not open. Move the folder away to start with an empty one, and keep it: it may be mended.`,
      { cause: error },
    );
  }
  worker.on('error', (error) => observer.connectionLost?.(error));
  return worker;
}

function connect(worker: Worker): MessagePort {
  if (worker.threadId === -1) throw new Error('The embedded database has ended.');
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ type: 'connect', port: port2 }, [port2]);
  return port1;
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.threadId === -1) return;
  const ended = once(worker, 'exit');
  worker.postMessage({ type: 'close' });
  await ended;
}
