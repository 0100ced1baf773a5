import { silentLog } from '../../lib/log.ts';
import { type LocationOptions, toLoadInputs } from '../location.ts';
import type { Backend, Stores } from './backend.ts';
import { openOwnStores, toOwnBackend } from './own.ts';
import { openOwnRuntime } from './own-runtime.ts';
import { toRemoteBackend } from './remote.ts';
import { findServer } from './running-server.ts';

/** Does `work` on the running server when there is one, else on the database itself, which is closed after it. */
export async function withStores(
  options: LocationOptions,
  work: (stores: Stores) => Promise<void>,
): Promise<void> {
  const inputs = toLoadInputs(options);
  const server = await findServer(inputs);
  await closeAfter(server ? toRemoteBackend(server) : await openOwnStores(inputs), work);
}

/** As {@link withStores}, with all the rooms: needs settings that are valid together with what is stored. */
export async function withBackend(
  options: LocationOptions,
  work: (backend: Backend) => Promise<void>,
): Promise<void> {
  const inputs = toLoadInputs(options);
  const server = await findServer(inputs);
  await closeAfter(
    server ? toRemoteBackend(server) : toOwnBackend(await openOwnRuntime({ ...inputs, log: silentLog })),
    work,
  );
}

async function closeAfter<Opened extends Stores>(
  opened: Opened,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}
