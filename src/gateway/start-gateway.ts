import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ServerSettings } from '../config/settings.ts';
import { TiercelError } from '../errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { createAccess } from './access.ts';
import { type Calls, createCalls } from './calls.ts';
import { createMetrics } from './metrics.ts';
import type { GatewayParts } from './parts.ts';
import { allRoutes } from './routes.ts';
import { addRoutes, createServer } from './server.ts';
import { removeServerFile, writeServerFile } from './server-file.ts';
import { createSessions } from './sessions.ts';
import { createSiteGuard, isLoopback, urlHost } from './site-guard.ts';

export type Gateway = {
  /** Where it listens, without a slash at the end. */
  url: string;
  /** What `server.json` holds; as a bearer key it is the local user's, an admin's. */
  token: string;
  /** A link that signs this machine's user in, once, within ten minutes; null beyond loopback. */
  signInUrl: string | null;
  /**
   * Takes no new requests, lets those under way finish within `server.drainMs`, then cuts them off. Resolves when none is
   * left; the runtime stays open.
   */
  close(): Promise<void>;
};

export type GatewayOptions = {
  /** What a relative `dataDir` starts from; the process's own folder unless given. */
  cwd?: string;
};

/**
 * Serves HTTP at `server.host` and `server.port`.
 *
 * @throws TiercelError `keys_required` beyond loopback without an API key; `address_in_use`
 */
export async function startGateway(runtime: Runtime, options: GatewayOptions = {}): Promise<Gateway> {
  const { server, dataDir } = runtime.settings.current();
  const loopback = isLoopback(server.host);
  const folder = resolve(options.cwd ?? process.cwd(), dataDir);
  if (!loopback && (await runtime.keys.count()) === 0) {
    throw new TiercelError(
      'keys_required',
      `server.host is ${server.host}, which others can reach, and there is no API key. Make one with ` +
        '`tiercel keys create --name <name>`, or set server.host to 127.0.0.1.',
      { param: 'server.host' },
    );
  }
  const token = `tcl_local_${randomBytes(32).toString('base64url')}`;
  const keyless = loopback && server.auth === 'auto';
  const sessions = createSessions(() => portOf(app));
  const accessHook = createAccess({ keys: runtime.keys, token, loopback, keyless, sessions });
  const calls = createCalls();
  const stopping = new AbortController();
  const app: FastifyInstance = createServer({
    log: runtime.log,
    maxBodyBytes: server.maxBodyBytes,
    guard: createSiteGuard(server.host, () => portOf(app)),
    accessHook,
    isStopping: () => stopping.signal.aborted,
  });
  const parts: GatewayParts = {
    runtime,
    calls,
    metrics: createMetrics(runtime),
    startedAt: Math.floor(Date.now() / 1000),
    url: () => urlOf(server.host, portOf(app)),
    keyless,
    sessions,
    folder,
    stopping: stopping.signal,
  };
  addRoutes(app, allRoutes(parts), accessHook);
  await listen(app, server);

  const url = parts.url();
  await writeServerFile(folder, { pid: process.pid, url, token, startedAt: new Date().toISOString() });
  let closed: Promise<void> | null = null;
  return {
    url,
    token,
    signInUrl: loopback ? `${url}${sessions.createLink()}` : null,
    close() {
      stopping.abort();
      calls.lastOnes();
      closed ??= stop(app, calls, server.drainMs).finally(() => removeServerFile(folder, token));
      return closed;
    },
  };
}

/** `localhost` may be two addresses; one is enough, and one server is easier to stop well. */
async function listen(app: FastifyInstance, { host, port }: ServerSettings): Promise<void> {
  try {
    await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port });
  } catch (cause) {
    await app.close();
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    throw new TiercelError(
      'address_in_use',
      `Another program listens on port ${port} of ${host}. End it, or choose another port with --port, ` +
        'TIERCEL_PORT or server.port; 0 takes a free one.',
      { param: 'server.port', cause },
    );
  }
}

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo | null)?.port ?? 0;
}

function urlOf(host: string, port: number): string {
  // Every address is listened on; a URL needs one of them.
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${urlHost(name)}:${port}`;
}

// Requests that were on their way when the stop began still arrive and are answered, each with `connection: close`; a
// connection closed under them would look to their senders like a crash.
const LAST_ORDERS_MS = 100;
const SWEEP_MS = 50;

async function stop(app: FastifyInstance, calls: Calls, drainMs: number): Promise<void> {
  const deadline = delay(drainMs, 'deadline', { ref: false });
  await delay(Math.min(LAST_ORDERS_MS, drainMs));
  const closing = app.close();
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  if ((await Promise.race([closing, deadline])) === 'deadline') app.server.closeAllConnections();
  await closing;
  clearInterval(sweep);
  await calls.ended();
}
