import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { TraceEvent } from '../src/api/types.ts';
import { chainOf, ledgerOf, listEvents, listReceipts, verifyWorld } from './fixtures/ledger.ts';
import { SETTINGS } from './fixtures/settings.ts';
import { fellBack, simulated } from './fixtures/stories.ts';
import { addAnyRun, addRun, createWorld, overviewOf, type World } from './fixtures/world.ts';

export type FixtureOptions = {
  port?: number;
  /** The built console; without it only the API is served. */
  folder?: string;
  /** Runs in the past; 0 is a fresh install. */
  size?: number;
  /** New runs per second. */
  rate?: number;
};

export type Fixture = {
  url: string;
  world: World;
  /** Sends events to whoever follows. */
  tell(events: readonly TraceEvent[]): void;
  close(): Promise<void>;
};

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Serves the console with made-up traffic under the policy that the gateway sets, to look at and to test. */
export async function startFixtures({
  port = 0,
  folder,
  size = 400,
  rate = 0,
}: FixtureOptions): Promise<Fixture> {
  const world = createWorld(size);
  const streams = new Set<ServerResponse>();
  const tell = (events: readonly TraceEvent[]) => {
    for (const event of events) for (const stream of streams) stream.write(toSse(event));
  };
  const server = createServer((request, response) => {
    void answer({ world, streams, tell, folder }, request, response);
  });
  const timer = rate > 0 ? setInterval(() => tell(addAnyRun(world).events), 1000 / rate) : undefined;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    world,
    tell,
    close: () => stop(server, timer),
  };
}

function stop(server: Server, timer: NodeJS.Timeout | undefined): Promise<void> {
  clearInterval(timer);
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function toSse(event: TraceEvent): string {
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
}

type Parts = {
  world: World;
  streams: Set<ServerResponse>;
  tell: Fixture['tell'];
  folder: string | undefined;
};

async function answer(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fixture');
  if (pathname === '/api/events/stream') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': open\n\n');
    parts.streams.add(response);
    response.on('close', () => parts.streams.delete(response));
  } else if (pathname.startsWith('/api/') || pathname.startsWith('/v1/')) {
    const found = ask(parts, pathname, searchParams);
    const error = { message: 'There is no run with this id.', code: 'not_found', param: 'id' };
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { error }));
  } else await sendFile(parts.folder, pathname, response);
}

function ask({ world, tell }: Parts, path: string, query: URLSearchParams): unknown {
  if (Object.hasOwn(SETTINGS, path)) return SETTINGS[path];
  if (path === '/api/ledger') return ledgerOf(world);
  if (path === '/api/ledger/verify') {
    const report = verifyWorld(world);
    world.lastVerified = { at: new Date().toISOString(), report };
    return report;
  }
  if (path === '/api/events') return listEvents(world, query);
  if (path === '/api/receipts') return { receipts: listReceipts(world, query) };
  const [, event] = /^\/api\/events\/([^/]+)\/chain$/.exec(path) ?? [];
  if (event) return chainOf(world, event);
  if (path === '/api/overview') return overviewOf(world);
  if (path === '/api/runs') return listRuns(world, query);
  const [, kind, id] = /^\/api\/(runs|receipts)\/([^/]+)$/.exec(path) ?? [];
  if (kind === 'runs') return world.runs.find(({ run }) => run.id === id) ?? null;
  if (kind === 'receipts')
    return world.runs.flatMap(({ receipts }) => receipts).find((one) => one.id === id) ?? null;
  if (path === '/api/demo/fallback') {
    const made = addRun(world, fellBack, Date.now() - 2_000);
    tell(made.events);
    return { runId: made.run.id };
  }
  if (path !== '/v1/chat/completions') return null;
  const made = addRun(world, simulated, Date.now());
  tell(made.events);
  const [receipt] = made.receipts;
  return { id: 'chatcmpl-1', choices: JSON.parse(receipt?.contents?.answer ?? '[]'), tiercel: receipt };
}

function listRuns(world: World, query: URLSearchParams): unknown {
  const limit = Number(query.get('limit') ?? 50);
  const [tier, outcome, role, q] = ['tier', 'outcome', 'role', 'q'].map((name) => query.get(name));
  const all = world.runs
    .map(({ run }) => run)
    .filter(
      (run) =>
        (!tier || run.served?.tier === tier) &&
        (!outcome || run.outcome === outcome) &&
        (!role || run.role === role) &&
        (!q || JSON.stringify(run).toLowerCase().includes(q.toLowerCase())),
    );
  const cursor = query.get('cursor');
  const from = cursor ? all.findIndex(({ id }) => id === cursor) + 1 : 0;
  const data = all.slice(from, from + limit);
  return { data, next: from + limit < all.length ? (data.at(-1)?.id ?? null) : null };
}

async function sendFile(folder: string | undefined, path: string, response: ServerResponse): Promise<void> {
  const name = extname(path) === '' ? '/index.html' : path;
  const body = folder ? await readFile(join(folder, name)).catch(() => null) : null;
  response.writeHead(body ? 200 : 404, {
    'content-type': TYPES[extname(name)] ?? 'text/plain',
    'content-security-policy': POLICY,
  });
  response.end(body ?? 'Not built. Run: npm run build:console');
}
