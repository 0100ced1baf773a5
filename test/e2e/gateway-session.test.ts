import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { CHAT, hello, post, type RawAnswer, send } from './gateway-request.ts';

const codeOf = (json: unknown) => (json as { error?: { code?: string } }).error?.code;
const cookieOf = ({ headers }: RawAnswer) => String(headers['set-cookie']?.[0]).split(';')[0] ?? '';

let gateway: OpenGateway;
let user: string;
beforeAll(async () => {
  gateway = await openGateway({ server: { auth: 'required' } });
  user = (await gateway.runtime.keys.create({ name: 'user', principal: 'user', admin: false })).key;
});
afterAll(() => gateway.close());

const get = (path: string, headers: Record<string, string> = {}) => send(gateway.url, { path, headers });
const newLink = async () => {
  const headers = { authorization: `Bearer ${gateway.gateway.token}` };
  const { json } = await send(gateway.url, { method: 'POST', path: '/api/session/link', headers });
  const { pathname, search } = new URL((json as { url: string }).url);
  return pathname + search;
};
const signIn = async () => cookieOf(await get(await newLink()));

describe('the link printed at the start', () => {
  it('signs this machine’s user in, once', async () => {
    const { pathname, search } = new URL(String(gateway.gateway.signInUrl));
    const link = pathname + search;
    expect((await send(gateway.url, { method: 'HEAD', path: link })).status).toBe(401);
    const answer = await get(link);
    expect([answer.status, answer.headers.location]).toEqual([303, '/']);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/HttpOnly; SameSite=Strict$/);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    const cookie = cookieOf(answer);
    const { json } = await get('/api/session', { cookie });
    expect(json).toEqual({ principal: 'local', admin: true, keyless: false });
    expect((await get('/api/settings', { cookie })).status).toBe(200);

    const again = await get(link);
    expect([again.status, codeOf(again.json), again.headers['set-cookie']]).toEqual([
      401,
      'sign_in_expired',
      undefined,
    ]);
  });

  it('leaves nobody signed in without it', async () => {
    expect((await get('/api/session')).status).toBe(401);
    expect((await get('/api/settings')).status).toBe(401);
  });
});

describe('a session', () => {
  it('is opened by a key and holds what the key may, until the key is revoked', async () => {
    expect((await post(gateway.url, '/api/session', { key: 'tcl_unknown' })).status).toBe(401);
    const answer = await post(gateway.url, '/api/session', { key: user });
    expect(answer.json).toMatchObject({ principal: 'user', admin: false });
    const cookie = cookieOf(answer);
    expect((await post(gateway.url, CHAT, hello('simulation'), { cookie })).status).toBe(200);
    expect((await get('/api/events', { cookie })).status).toBe(403);
    await gateway.runtime.keys.revoke('user');
    expect((await get('/api/runs', { cookie })).status).toBe(401);
  });

  it('ends when one signs out', async () => {
    const cookie = await signIn();
    const answer = await send(gateway.url, { method: 'DELETE', path: '/api/session', headers: { cookie } });
    expect(answer.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    expect((await get('/api/settings', { cookie })).status).toBe(401);
  });

  it('is not that of a server on another port', async () => {
    const cookie = await signIn();
    const { port } = new URL(gateway.url);
    const moved = cookie.replace(port, String(Number(port) + 1));
    expect((await get('/api/settings', { cookie: moved })).status).toBe(401);
    expect((await get('/api/settings', { cookie })).status).toBe(200);
  });

  it('does nothing for a page of another site, by form or by script', async () => {
    const cookie = await signIn();
    const poster = (headers: Record<string, string>) =>
      send(gateway.url, { method: 'POST', path: '/api/session/link', headers: { cookie, ...headers } });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const headers of [form, { 'content-type': 'text/plain' }, {}]) {
      const refused = await poster(headers);
      expect([refused.status, codeOf(refused.json)]).toEqual([403, 'origin_not_allowed']);
    }
    const foreign = await poster({ origin: 'http://evil.example', 'x-tiercel-csrf': '1' });
    expect([foreign.status, codeOf(foreign.json)]).toEqual([403, 'origin_not_allowed']);
    expect((await poster({ origin: gateway.url, 'x-tiercel-csrf': '1' })).status).toBe(201);
  });
});

describe('on loopback without required keys', () => {
  it('needs no sign-in, and says so', async () => {
    const open = await openGateway({});
    const { json } = await send(open.url, { path: '/api/session' });
    expect(json).toEqual({ principal: 'local', admin: true, keyless: true });
    await open.close();
  });
});
