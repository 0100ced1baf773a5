import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ResolvedAddress } from './connector.ts';
import { createEgress, type EgressOptions } from './egress.ts';
import type { DenyRule, Egress, EgressRules, Exchange } from './model.ts';
import { toTiercelError } from './refusal.ts';

const closers: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

type Listening = {
  port: number;
  origin: string;
  sockets: Set<Socket>;
  connections: () => number;
  seen: string[];
};

async function serve(listener: RequestListener, host = '127.0.0.1', at = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  const seen: string[] = [];
  let connections = 0;
  const server: Server = createServer((request, response) => {
    seen.push(request.url ?? '');
    listener(request, response);
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(at, host, done));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://${host}:${port}`, sockets, connections: () => connections, seen };
}

type Denial = { host: string; port: number; purpose: string; reason: DenyRule };

function start(rules: Partial<EgressRules>, options: Partial<EgressOptions> = {}) {
  const current: { -readonly [Name in keyof EgressRules]: EgressRules[Name] } = {
    localOnly: false,
    allow: [],
    allowPrivate: [],
    declared: [],
    ...rules,
  };
  const denials: Denial[] = [];
  const observer = { denied: (denial: Denial) => denials.push(denial) };
  const egress = createEgress({ rules: () => current, observer, ...options });
  closers.push(() => egress.close());
  return { egress, rules: current, denials };
}

function exchange(url: string, more: Partial<Exchange> = {}): Exchange {
  return {
    method: 'GET',
    url,
    headers: {},
    body: null,
    purpose: 'test',
    scope: 'declared',
    limits: { connectMs: 2000, headerMs: 2000 },
    deadlineAt: performance.now() + 10_000,
    ...more,
  };
}

/** The text of the response, or the reason and message of the failure. */
async function fetchText(egress: Egress, url: string, more: Partial<Exchange> = {}) {
  const opened = await egress.open(exchange(url, more));
  if (opened.kind === 'failed') return opened.failure;
  return { status: opened.status, headers: opened.headers, read: await opened.body.text(2000, 1e6) };
}

const hello: RequestListener = (_, response) => response.end('hello');
const helloRead = { kind: 'text', text: 'hello' };

describe('egress', () => {
  it('sends method, headers and body as given and reads the answer whole', async () => {
    const server = await serve((request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      request.pipe(
        response.writeHead(201, { 'X-Method': request.method, 'x-key': request.headers['x-key'] }),
      );
    });
    const { egress } = start({ declared: [server.origin] });
    const answer = await fetchText(egress, `${server.origin}/path?query=1`, {
      method: 'POST',
      headers: { 'x-key': 'value' },
      body: 'grüße',
    });
    expect(answer).toMatchObject({
      status: 201,
      headers: { 'x-method': 'POST', 'x-key': 'value', 'set-cookie': 'a=1, b=2' },
      read: { kind: 'text', text: 'grüße' },
    });
    expect(server.seen).toEqual(['/path?query=1']);
  });

  it('uses a connection again and counts it', async () => {
    const server = await serve(hello);
    const { egress } = start({ declared: [server.origin] });
    for (let round = 0; round < 5; round += 1) await fetchText(egress, `${server.origin}/`);
    expect(server.connections()).toBe(1);
    expect([...egress.stats()]).toEqual([[server.origin, 1]]);
  });

  it('hands a redirect back and follows nothing', async () => {
    const goal = await serve(hello);
    const server = await serve((_, response) => response.writeHead(302, { location: goal.origin }).end());
    const { egress } = start({ declared: [server.origin, goal.origin] });
    expect(await fetchText(egress, server.origin)).toMatchObject({
      status: 302,
      headers: { location: goal.origin },
    });
    expect(goal.connections()).toBe(0);
  });

  it('refuses before a connection is made, tells it once, and names host and rule only', async () => {
    const server = await serve(hello);
    const { egress, denials } = start({});
    const failure = await fetchText(
      egress,
      `http://user:pass@127.0.0.1:${server.port}/secret-path?key=canary`,
    );
    expect(failure).toMatchObject({ reason: 'denied' });
    const message = 'message' in failure ? failure.message : '';
    expect(message).toContain(`127.0.0.1:${server.port}`);
    expect(message).toContain('not_allowed');
    expect(message).not.toMatch(/secret|canary|user|pass/);
    expect(toTiercelError({ reason: 'denied', message }).code).toBe('egress_denied');
    expect(denials).toEqual([
      { host: '127.0.0.1', port: server.port, purpose: 'test', reason: 'not_allowed' },
    ]);
    expect(server.connections()).toBe(0);
  });

  it('refuses a name by its addresses, tells it once, and connects nowhere', async () => {
    const server = await serve(hello);
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const { egress, denials } = start({ allow: ['evil.test'] }, { resolve });
    const url = `http://evil.test:${server.port}/`;
    expect(await fetchText(egress, url)).toMatchObject({ reason: 'denied' });
    expect(denials).toEqual([
      { host: 'evil.test', port: server.port, purpose: 'test', reason: 'private_address' },
    ]);
    expect(server.connections()).toBe(0);
    await fetchText(egress, url);
    expect(denials).toHaveLength(2);
    await expect.poll(() => egress.stats().size).toBe(0);
  });

  it('connects only to those of mixed addresses that pass', async () => {
    const server = await serve(hello, '127.0.0.3');
    const asked: string[] = [];
    const resolve = async (hostname: string): Promise<ResolvedAddress[]> => {
      asked.push(hostname);
      return [
        { address: '127.0.0.2', family: 4 },
        { address: '127.0.0.3', family: 4 },
      ];
    };
    const decoy = await serve(hello, '127.0.0.2', server.port);
    const { egress } = start({ allow: ['mixed.test'], allowPrivate: ['127.0.0.3'] }, { resolve });
    expect(await fetchText(egress, `http://mixed.test:${server.port}/`)).toMatchObject({ read: helloRead });
    expect(asked).toEqual(['mixed.test']);
    expect(decoy.connections()).toBe(0);
  });

  it('judges a name again at every connection, so a rebound name is refused', async () => {
    const server = await serve(hello, '127.0.0.3');
    const answers = ['127.0.0.3', '127.0.0.1'];
    const resolve = async () => [{ address: answers.shift() ?? '', family: 4 }];
    const { egress, denials } = start({ allow: ['rebind.test'], allowPrivate: ['127.0.0.3'] }, { resolve });
    const url = `http://rebind.test:${server.port}/`;
    expect(await fetchText(egress, url)).toMatchObject({ read: helloRead });
    for (const socket of server.sockets) socket.destroy();
    await expect.poll(() => egress.stats().size).toBe(0);
    expect(await fetchText(egress, url)).toMatchObject({ reason: 'denied' });
    expect(denials).toHaveLength(1);
    expect(answers).toEqual([]);
  });

  it('sends nothing to an address of this machine beyond loopback while localOnly holds', async () => {
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4');
    if (!outside) throw new Error('This test needs a network interface besides loopback.');
    const server = await serve(hello, outside.address);
    const { egress, rules, denials } = start({ declared: [server.origin] });
    expect(await fetchText(egress, server.origin)).toMatchObject({ read: helloRead });
    rules.localOnly = true;
    const before = { connections: server.connections(), requests: server.seen.length };
    for (const scope of ['declared', 'local'] as const) {
      expect(await fetchText(egress, server.origin, { scope })).toMatchObject({ reason: 'denied' });
    }
    expect(denials.map(({ reason }) => reason)).toEqual(['local_only', 'local_only']);
    expect({ connections: server.connections(), requests: server.seen.length }).toEqual(before);
    // The connection that was open goes as well.
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it('opens a new connection when the rules change and for another scope', async () => {
    const server = await serve(hello);
    const { egress, rules } = start({ declared: [server.origin] });
    await fetchText(egress, server.origin);
    await fetchText(egress, server.origin, { scope: 'local' });
    expect(server.connections()).toBe(2);
    rules.localOnly = true;
    expect(await fetchText(egress, server.origin)).toMatchObject({ read: helloRead });
    expect(server.connections()).toBe(3);
  });

  it('judges exchanges that wait for a connection again when the rules change', async () => {
    const releases: Array<() => void> = [];
    const server = await serve((_, response) => releases.push(() => response.end('late')));
    const { egress, rules, denials } = start({ declared: [server.origin] }, { maxConnections: 1 });
    const first = fetchText(egress, server.origin);
    const second = fetchText(egress, server.origin);
    await expect.poll(() => releases.length).toBe(1);
    rules.declared = [];
    for (const release of releases) release();
    expect(await first).toMatchObject({ read: { text: 'late' } });
    expect(await second).toMatchObject({ reason: 'denied' });
    expect(denials).toHaveLength(1);
    expect(server.seen).toHaveLength(1);
  });

  it('serves those that wait in order, and lets one leave the queue', async () => {
    const server = await serve((_, response) => setTimeout(() => response.end('hello'), 30));
    const { egress } = start({ declared: [server.origin] }, { maxConnections: 1 });
    const gone = new AbortController();
    const tries = ['/1', '/2', '/3', '/4'].map((path) =>
      fetchText(egress, server.origin + path, path === '/2' ? { signal: gone.signal } : {}),
    );
    gone.abort();
    expect(await tries[1]).toMatchObject({ reason: 'aborted' });
    await Promise.all(tries);
    expect(server.seen).toEqual(['/1', '/3', '/4']);
    expect(server.connections()).toBe(1);
  });

  it('fails what is open with `aborted` when it closes, and takes no more', async () => {
    const server = await serve(() => {});
    const { egress } = start({ declared: [server.origin] });
    const pending = fetchText(egress, server.origin);
    await expect.poll(() => server.seen.length).toBe(1);
    await egress.close();
    expect(await pending).toMatchObject({ reason: 'aborted' });
    expect(await fetchText(egress, server.origin)).toMatchObject({ reason: 'aborted' });
    await expect.poll(() => server.sockets.size).toBe(0);
    await sleep(0);
    expect(egress.stats().size).toBe(0);
  });
});
