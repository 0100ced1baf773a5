/**
 * The thread that holds the embedded database. It is plain JavaScript because a Worker of Node 20 cannot load
 * TypeScript, and the same file serves `src/` under test and `dist/` in the product.
 *
 * States: starting → ready → closed. While ready there is one session at most, the newest port; a flight that
 * comes late over an older port is dropped, because its client is gone and the session is no longer its own.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

// A standalone backend has no checkpointer: without ours the write-ahead log would grow until the database is closed,
// and so would the time that a start after SIGKILL takes.
const CHECKPOINT_EVERY_BYTES = 32 * 1024 * 1024;

const SETTINGS = {
  // The default of 128 MB is for servers; a small cache over the page cache of the operating system is as fast here.
  shared_buffers: '32MB',
  // No replica will ever read this log.
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  // Compiled expressions do not exist in WebAssembly; planning for them is lost time.
  jit: 'off',
};

/** @param {string} sql @returns {Uint8Array} A simple-query message. */
function toQueryMessage(sql) {
  const text = Buffer.from(`${sql}\0`);
  const message = Buffer.alloc(5 + text.length);
  message.write('Q');
  message.writeUInt32BE(4 + text.length, 1);
  text.copy(message, 5);
  return message;
}

const ROLLBACK = toQueryMessage('rollback');
const DISCARD = toQueryMessage('discard all');
const CHECKPOINT = toQueryMessage('checkpoint');

const database = await PGlite.create(workerData.folder, {
  startParams: [
    ...PGlite.defaultStartParams,
    ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ],
});

/** @type {import('node:worker_threads').MessagePort | null} */
let session = null;
let bytesSinceCheckpoint = 0;

/** @param {Uint8Array} flight @returns {Promise<Uint8Array<ArrayBuffer>>} All that the backend answers, up to ReadyForQuery. */
async function execute(flight) {
  /** @type {Uint8Array[]} */
  const parts = [];
  // The bytes handed over are a view into WebAssembly memory, valid during the callback only.
  await database.execProtocolRawStream(flight, {
    syncToFs: false,
    onRawData: (bytes) => parts.push(bytes.slice()),
  });
  const answer = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    answer.set(part, offset);
    offset += part.length;
  }
  return answer;
}

/** What a server does when a connection goes: nothing of the last client may be left for the next. */
async function resetSession() {
  await execute(ROLLBACK);
  await execute(DISCARD);
}

/** @param {import('node:worker_threads').MessagePort} port */
function openSession(port) {
  session = port;
  let started = false;
  port.on('message', async (flight) => {
    if (session !== port) return;
    if (!started) await resetSession();
    started = true;
    const answer = await execute(flight);
    port.postMessage(answer, [answer.buffer]);
    bytesSinceCheckpoint += flight.length;
    if (bytesSinceCheckpoint > CHECKPOINT_EVERY_BYTES && !database.isInTransaction()) {
      bytesSinceCheckpoint = 0;
      await execute(CHECKPOINT);
    }
  });
  port.on('close', async () => {
    if (session !== port) return;
    session = null;
    await resetSession();
  });
}

parentPort.on('message', async (message) => {
  if (message.type === 'connect') openSession(message.port);
  if (message.type === 'close') {
    session = null;
    await execute(ROLLBACK);
    await database.close();
    parentPort.close();
  }
});
parentPort.postMessage({ type: 'ready' });
