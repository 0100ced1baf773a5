import { fileURLToPath } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TiercelError } from '../../errors.ts';
import { type ConsoleFile, readConsoleFiles } from '../console-files.ts';
import type { Route } from '../route.ts';

/** Where `npm run build` puts the console; the same from src/ and from dist/. */
const BUILT_CONSOLE = fileURLToPath(new URL('../../../dist/console/', import.meta.url));

/** The console's own addresses; each is answered with the app, which shows the page. */
const PAGES = [
  '/',
  '/runs',
  '/runs/:id',
  '/replay',
  '/agents',
  '/retrieval',
  '/memory',
  '/decisions',
  '/approvals',
  '/policies',
  '/ledger',
  '/settings',
];

/** Only this server's own files run and load, only it is talked to, and no page of another site holds the console in a frame. */
const HEADERS = {
  'content-security-policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'accept-encoding',
};

const NOT_BUILT = `Tiercel is running; its console is not built.

Build it with

  npm run build

and load this page again. The API works without it: GET /openapi.json describes it.
`;

/**
 * The console's files. They hold nothing of this install and are open to anyone; all that is shown comes from the API,
 * which asks for a key where one is needed.
 */
export function consoleRoutes(folder: string = BUILT_CONSOLE): Route[] {
  let reading: ReturnType<typeof readConsoleFiles> | null = null;
  async function read(): ReturnType<typeof readConsoleFiles> {
    reading ??= readConsoleFiles(folder);
    const files = await reading;
    // Looked for again at the next request: it may have been built by then.
    if (files === null) reading = null;
    return files;
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const page = (await read())?.get('index.html');
    if (page) send(page, request, reply);
    else reply.code(503).headers(HEADERS).type('text/plain; charset=utf-8').send(NOT_BUILT);
  }

  async function sendAsset(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { '*': name } = request.params as { '*': string };
    const asset = (await read())?.get(`assets/${name}`);
    if (!asset) throw new TiercelError('not_found', 'The console has no such file. Load the page again.');
    send(asset, request, reply);
  }

  const pages = PAGES.map((path) => toRoute(path, 'text/html', sendPage));
  return [...pages, toRoute('/assets/*', '*/*', sendAsset)];
}

function toRoute(path: string, type: string, handle: Route['handle']): Route {
  return {
    method: 'GET',
    path,
    access: 'open',
    operation: 'getConsole',
    summary: 'The console.',
    answers: [{ status: 200, description: 'A file of the console.', content: { type } }],
    errors: [],
    handle,
  };
}

function send(file: ConsoleFile, { headers }: FastifyRequest, reply: FastifyReply): void {
  const { type, body, zipped, etag, hashed } = file;
  reply.headers({
    ...HEADERS,
    etag,
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  if (holds(headers['if-none-match'] ?? '', etag)) {
    reply.code(304).send();
    return;
  }
  const encoded = zipped !== null && acceptsGzip(headers['accept-encoding']);
  if (encoded) reply.header('content-encoding', 'gzip');
  reply.type(type).send(encoded ? zipped : body);
}

function holds(given: string, etag: string): boolean {
  return given.split(',').some((one) => ['*', etag].includes(one.trim()));
}

function acceptsGzip(given: string | string[] | undefined): boolean {
  return /(^|[\s,])(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/i.test(String(given ?? ''));
}
