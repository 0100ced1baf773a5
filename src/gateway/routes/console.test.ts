import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addRoutes, createServer, type ServerParts } from '../server.ts';
import { consoleRoutes } from './console.ts';

const PAGE = `<!doctype html><title>Tiercel</title>${'<p>built</p>'.repeat(50)}`;
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(500))});`;

let folder: string;
let app: FastifyInstance;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiercel-console-'));
  const none = () => {};
  const parts: ServerParts = {
    log: { debug: none, info: none, warn: none, error: none },
    maxBodyBytes: 1000,
    guard: { check: none },
    accessHook: () => (_request, _reply, done) => done(),
    isStopping: () => false,
  };
  app = createServer(parts);
  addRoutes(app, consoleRoutes(folder), parts.accessHook);
});
afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function build(): Promise<void> {
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'assets/index-DtjtpJLP.js'), SCRIPT);
  await writeFile(join(folder, 'assets/plain.svg'), '<svg/>');
  await writeFile(join(folder, '.stamp'), 'never sent');
}

const get = (url: string, headers = {}) => app.inject({ url, headers });

describe('the built console', () => {
  beforeEach(build);

  it.each(['/', '/runs', '/runs/0193-a7c2', '/replay', '/policies', '/settings', '/settings?x=1'])(
    'is the answer at %s',
    async (path) => {
      const { statusCode, headers, body } = await get(path);
      expect([statusCode, body]).toEqual([200, PAGE]);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': expect.stringMatching(/^default-src 'self';.*frame-ancestors 'none'$/),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    },
  );

  it('keeps what is hashed for good, and the rest until it changes', async () => {
    const hashed = await get('/assets/index-DtjtpJLP.js');
    expect(hashed.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const plain = await get('/assets/plain.svg');
    expect(plain.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' });
  });

  it.each([
    ['gzip, br', 'gzip'],
    ['br;q=1, gzip;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0', undefined],
    ['br', undefined],
    ['', undefined],
  ])('for accept-encoding %j is sent as %s', async (accepted, encoding) => {
    const answer = await get('/assets/index-DtjtpJLP.js', { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['vary']).toBe('accept-encoding');
    const body = encoding ? gunzipSync(answer.rawPayload) : answer.rawPayload;
    expect(body.toString()).toBe(SCRIPT);
  });

  it('is not sent again to who has it', async () => {
    const { etag } = (await get('/')).headers;
    const again = await get('/', { 'if-none-match': `"other", ${etag}` });
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag]);
    expect((await get('/', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('answers HEAD with the headers alone', async () => {
    const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/settings' });
    expect([statusCode, body, headers['content-length']]).toEqual([200, '', String(PAGE.length)]);
  });

  it.each([
    '/assets/nothing.js',
    '/assets/../.stamp',
    '/assets/..%2f.stamp',
    '/assets/%2e%2e/index.html',
    '/.stamp',
    '/nothing',
  ])('has nothing at %s', async (path) => {
    const { statusCode, json } = await get(path);
    expect([statusCode, json().error.code]).toEqual([404, 'not_found']);
  });

  it('takes no other method', async () => {
    const { statusCode, headers } = await app.inject({ method: 'POST', url: '/settings' });
    expect([statusCode, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});

it('says how the console is built when it is not, and serves it once it is', async () => {
  const missing = await get('/settings');
  expect([missing.statusCode, missing.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8']);
  expect(missing.body).toContain('npm run build');
  await build();
  expect((await get('/settings')).body).toBe(PAGE);
});
