import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { CHAT, hello, post, send } from './gateway-request.ts';

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const codeOf = (json: unknown) => (json as { error?: { code?: string } }).error?.code;

type Keys = { user: string; other: string; admin: string; revoked: string };

async function makeKeys({ runtime }: OpenGateway): Promise<Keys> {
  const make = async (name: string, admin = false) =>
    (await runtime.keys.create({ name, principal: name, admin })).key;
  const keys = {
    user: await make('user'),
    other: await make('other'),
    admin: await make('admin', true),
    revoked: await make('revoked'),
  };
  await runtime.keys.revoke('revoked');
  return keys;
}

describe('on loopback, keys not required', () => {
  let gateway: OpenGateway;
  let keys: Keys;
  beforeAll(async () => {
    gateway = await openGateway({});
    keys = await makeKeys(gateway);
  });
  afterAll(() => gateway.close());

  it.each([
    ['no key', {}],
    ['a key of OpenAI’s form, which its clients insist on', bearer('sk-anything')],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
  ])('takes a caller with %s for the local user', async (_name, headers) => {
    const { status, headers: answered } = await post(gateway.url, CHAT, hello('auto'), headers);
    expect(status).toBe(200);
    const { json } = await send(gateway.url, { path: `/api/receipts/${answered['x-tiercel-receipt']}` });
    expect(json).toMatchObject({ principal: 'local' });
  });

  it.each([
    ['unknown', 'tcl_nobody'],
    ['revoked', null],
  ])('refuses a Tiercel key that is %s', async (_name, key) => {
    const answer = await post(gateway.url, CHAT, hello('auto'), bearer(key ?? keys.revoked));
    expect(answer.status).toBe(401);
    expect(codeOf(answer.json)).toBe('invalid_api_key');
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it.each([
    ['as a bearer', (key: string) => bearer(key)],
    ['as x-api-key', (key: string) => ({ 'x-api-key': key })],
    ['as x-api-key beside a client’s own', (key: string) => ({ ...bearer('sk-x'), 'x-api-key': key })],
  ])('knows the principal of a key sent %s', async (_name, headers) => {
    const { headers: answered } = await post(gateway.url, CHAT, hello('auto'), headers(keys.user));
    const { json } = await send(gateway.url, { path: `/api/receipts/${answered['x-tiercel-receipt']}` });
    expect(json).toMatchObject({ principal: 'user' });
  });

  it('shows a principal its own receipts and hides those of others', async () => {
    const { headers } = await post(gateway.url, CHAT, hello('auto'), bearer(keys.user));
    const path = `/api/receipts/${headers['x-tiercel-receipt']}`;
    const read = async (key: string) => (await send(gateway.url, { path, headers: bearer(key) })).status;
    expect(await read(keys.user)).toBe(200);
    expect(await read(keys.admin)).toBe(200);
    const hidden = await send(gateway.url, { path, headers: bearer(keys.other) });
    expect([hidden.status, codeOf(hidden.json)]).toEqual([404, 'receipt_not_found']);

    const list = await send(gateway.url, { path: '/api/receipts', headers: bearer(keys.user) });
    const { receipts } = list.json as { receipts: { principal: string }[] };
    expect(receipts.length).toBeGreaterThan(0);
    expect(receipts.every(({ principal }) => principal === 'user')).toBe(true);
    const asked = await send(gateway.url, {
      path: '/api/receipts?principal=local',
      headers: bearer(keys.user),
    });
    expect([asked.status, codeOf(asked.json)]).toEqual([403, 'forbidden']);
  });

  it.each([
    ['PUT', '/api/settings'],
    ['POST', '/api/settings/undo'],
    ['GET', '/api/settings'],
    ['POST', '/api/breakers/x/reset'],
    ['POST', '/api/deployments/x/probe'],
    ['POST', '/api/keys'],
    ['GET', '/api/keys'],
    ['DELETE', '/api/keys/user'],
  ])('lets only admins do %s %s', async (method, path) => {
    const headers = { ...bearer(keys.user), 'content-type': 'application/json' };
    const { status, json } = await send(gateway.url, {
      method,
      path,
      headers,
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
    });
    expect([status, codeOf(json)]).toEqual([403, 'forbidden']);
  });

  it('makes, lists and revokes keys', async () => {
    const made = await post(gateway.url, '/api/keys', { name: 'ci' }, bearer(keys.admin));
    expect(made.status).toBe(201);
    const { key } = made.json as { key: string };
    expect((await post(gateway.url, CHAT, hello('auto'), bearer(key))).status).toBe(200);
    const { text } = await send(gateway.url, { path: '/api/keys', headers: bearer(keys.admin) });
    expect(text).toContain('"name":"ci"');
    expect(text).not.toContain(key);
    const revoke = { method: 'DELETE', path: '/api/keys/ci' };
    expect((await send(gateway.url, revoke)).json).toEqual({ revoked: 'ci' });
    expect((await post(gateway.url, CHAT, hello('auto'), bearer(key))).status).toBe(401);
    expect(codeOf((await send(gateway.url, revoke)).json)).toBe('key_not_found');
  });

  it('leaves its address and an admin’s token to this user alone, and takes both away at the end', async () => {
    const own = await openGateway({ server: { auth: 'required' } });
    const path = join(own.folder, 'server.json');
    const file = JSON.parse(await readFile(path, 'utf8'));
    expect(file).toEqual({
      pid: process.pid,
      url: own.url,
      token: own.gateway.token,
      startedAt: expect.any(String),
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await send(own.url, { path: '/api/keys', headers: bearer(file.token) })).status).toBe(200);
    await own.gateway.close();
    await expect(stat(path)).rejects.toThrow('ENOENT');
    await own.close();
  });
});

describe('keys required', () => {
  let gateway: OpenGateway;
  let keys: Keys;
  beforeAll(async () => {
    gateway = await openGateway({ server: { auth: 'required' } });
    keys = await makeKeys(gateway);
  });
  afterAll(() => gateway.close());

  it.each([
    ['none', {}, 401],
    ['one that is not ours', bearer('sk-anything'), 401],
    ['an unknown one', bearer('tcl_nobody'), 401],
  ])('refuses a caller with a key of %s', async (_name, headers, expected) => {
    expect((await post(gateway.url, CHAT, hello('auto'), headers)).status).toBe(expected);
    expect((await send(gateway.url, { path: '/v1/models', headers })).status).toBe(expected);
  });

  it('serves who has a key', async () => {
    expect((await post(gateway.url, CHAT, hello('auto'), bearer(keys.user))).status).toBe(200);
  });

  it.each(['/healthz', '/readyz', '/metrics', '/openapi.json'])(
    'answers %s to anyone on this machine',
    async (path) => {
      expect((await send(gateway.url, { path })).status).toBe(200);
    },
  );
});

describe('beyond loopback', () => {
  it('refuses to start without an API key', async () => {
    await expect(openGateway({ server: { host: '0.0.0.0' } })).rejects.toMatchObject({
      code: 'keys_required',
      message: expect.stringContaining('tiercel keys create'),
    });
  });

  it('serves any Host to who has a key, and no page of another site', async () => {
    const first = await openGateway({});
    const { key } = await first.runtime.keys.create({ name: 'k', principal: 'k', admin: false });
    const { folder } = first;
    await first.gateway.close();
    await first.runtime.close();
    const gateway = await openGateway({ server: { host: '0.0.0.0' }, dataDir: folder });
    const at = async (headers: Record<string, string>, path = '/v1/models') =>
      (await send(gateway.url, { path, headers })).status;
    expect(await at({})).toBe(401);
    expect(await at({}, '/metrics')).toBe(401);
    expect(await at({}, '/healthz')).toBe(200);
    expect(await at({ ...bearer(key), host: 'ai.example.com' })).toBe(200);
    expect(await at({ ...bearer(key), host: 'ai.example.com', origin: 'https://ai.example.com' })).toBe(200);
    expect(await at({ ...bearer(key), host: 'ai.example.com', origin: 'https://evil.example' })).toBe(403);
    await gateway.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('says which port is taken and what to do', async () => {
    const first = await openGateway({});
    const port = Number(new URL(first.url).port);
    await expect(openGateway({ server: { port } })).rejects.toMatchObject({
      code: 'address_in_use',
      message: expect.stringMatching(new RegExp(`port ${port}.*--port`)),
    });
    await first.close();
  });
});
