import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createEgress } from './egress.ts';
import type { Egress, Exchange, Opened } from './model.ts';

const closers: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

type Raw = { port: number; sockets: Set<Socket> };

/** A TCP server that answers each request head with what `answer` does. */
async function serveRaw(answer: (socket: Socket) => void): Promise<Raw> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      if (bytes.includes('\r\n\r\n')) answer(socket);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

function start(resolve?: () => Promise<Array<{ address: string; family: number }>>): Egress {
  const rules = { localOnly: false, allow: [], allowPrivate: [], declared: [] };
  const egress = createEgress({ rules: () => rules, ...(resolve ? { resolve } : {}) });
  closers.push(() => egress.close());
  return egress;
}

function exchange(url: string, more: Partial<Exchange> = {}): Exchange {
  return {
    method: 'POST',
    url,
    headers: {},
    body: '{}',
    purpose: 'test',
    scope: 'local',
    limits: { connectMs: 1000, headerMs: 1000 },
    deadlineAt: performance.now() + 10_000,
    ...more,
  };
}

const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

async function openBody(egress: Egress, port: number, more: Partial<Exchange> = {}): Promise<Opened> {
  const opened = await egress.open(exchange(`http://127.0.0.1:${port}/`, more));
  if (opened.kind === 'failed') throw new Error(opened.failure.message);
  return opened;
}

async function failure(egress: Egress, url: string, more: Partial<Exchange> = {}) {
  const startedAt = performance.now();
  const opened = await egress.open(exchange(url, more));
  if (opened.kind === 'opened') throw new Error('opened');
  return { ...opened.failure, tookMs: performance.now() - startedAt };
}

describe('opening fails', () => {
  it('with `connect` when the port is closed', async () => {
    const { port } = await serveRaw(() => {});
    await Promise.all(closers.splice(0).map((close) => close()));
    const egress = start();
    expect(await failure(egress, `http://127.0.0.1:${port}/`)).toMatchObject({
      reason: 'connect',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    await expect.poll(() => egress.stats().size).toBe(0);
  });

  it('with `dns` when the name does not resolve', async () => {
    const notFound = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    const egress = start(() => Promise.reject(notFound));
    expect(await failure(egress, 'http://nowhere.test/')).toMatchObject({
      reason: 'dns',
      message: expect.stringContaining('ENOTFOUND'),
    });
  });

  it('with `tls` when the port speaks plain text', async () => {
    const { port } = await serveRaw(() => {});
    const plain = createServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end('HTTP/1.1 400 Bad\r\n\r\n'),
    );
    await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done));
    closers.push(() => new Promise((done) => plain.close(done)));
    const egress = start();
    const url = `https://127.0.0.1:${(plain.address() as AddressInfo).port}/`;
    expect(await failure(egress, url)).toMatchObject({ reason: 'tls' });
    // Silence in the handshake is a matter of time.
    expect(
      await failure(egress, `https://127.0.0.1:${port}/`, { limits: { connectMs: 80, headerMs: 1000 } }),
    ).toMatchObject({ reason: 'connect_timeout' });
  });

  it('with `connect_timeout` on time, and the attempt ends', async () => {
    const egress = start(() => new Promise(() => {}));
    const failed = await failure(egress, 'http://slow.test/', { limits: { connectMs: 100, headerMs: 1000 } });
    expect(failed.reason).toBe('connect_timeout');
    expect(failed.tookMs).toBeGreaterThan(90);
    expect(failed.tookMs).toBeLessThan(600);
    await expect.poll(() => egress.stats().size).toBe(0);
  });

  it('with `deadline` when that comes before the connect limit', async () => {
    const egress = start(() => new Promise(() => {}));
    const failed = await failure(egress, 'http://slow.test/', { deadlineAt: performance.now() + 80 });
    expect(failed.reason).toBe('deadline');
    expect(failed.tookMs).toBeLessThan(600);
    await expect.poll(() => egress.stats().size).toBe(0);
  });

  it('with `header_timeout` when the server is silent, and the socket goes', async () => {
    const server = await serveRaw(() => {});
    const egress = start();
    const failed = await failure(egress, `http://127.0.0.1:${server.port}/`, {
      limits: { connectMs: 1000, headerMs: 120 },
    });
    expect(failed.reason).toBe('header_timeout');
    expect(failed.tookMs).toBeGreaterThan(110);
    expect(failed.tookMs).toBeLessThan(700);
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it('with `deadline` when that comes before the header limit', async () => {
    const server = await serveRaw(() => {});
    const failed = await failure(start(), `http://127.0.0.1:${server.port}/`, {
      deadlineAt: performance.now() + 100,
    });
    expect(failed.reason).toBe('deadline');
  });

  it('with `reset` when the server hangs up instead of answering', async () => {
    const server = await serveRaw((socket) => socket.resetAndDestroy());
    expect(await failure(start(), `http://127.0.0.1:${server.port}/`)).toMatchObject({ reason: 'reset' });
  });

  it('with `reset` when the answer is not HTTP', async () => {
    const server = await serveRaw((socket) => socket.write('SSH-2.0-OpenSSH\r\n'));
    expect(await failure(start(), `http://127.0.0.1:${server.port}/`)).toMatchObject({ reason: 'reset' });
  });

  it('without quoting a header that cannot be written', async () => {
    const server = await serveRaw(() => {});
    const failed = await failure(start(), `http://127.0.0.1:${server.port}/`, {
      headers: { authorization: 'Bearer canary\r\nx: y' },
    });
    expect(failed).toMatchObject({ reason: 'connect', message: expect.not.stringContaining('canary') });
    expect(server.sockets.size).toBe(0);
  });

  it('with `aborted` at once when the signal is aborted before or during', async () => {
    const server = await serveRaw(() => {});
    const egress = start();
    const url = `http://127.0.0.1:${server.port}/`;
    expect(await failure(egress, url, { signal: AbortSignal.abort() })).toMatchObject({ reason: 'aborted' });
    const controller = new AbortController();
    const pending = failure(egress, url, { signal: controller.signal });
    await expect.poll(() => server.sockets.size).toBe(1);
    controller.abort();
    expect(await pending).toMatchObject({ reason: 'aborted' });
    await expect.poll(() => server.sockets.size, { timeout: 1000 }).toBe(0);
  });
});

describe('a body', () => {
  it('joins what arrived since the last read', async () => {
    const server = await serveRaw((socket) => {
      socket.write(HEAD + chunk('a') + chunk('b') + chunk('c'));
      setTimeout(() => socket.write(`${chunk('d') + chunk('e')}0\r\n\r\n`), 50);
    });
    const { body } = await openBody(start(), server.port);
    expect(await body.read(1000)).toEqual({ kind: 'data', bytes: Buffer.from('abc') });
    expect(await body.read(1000)).toEqual({ kind: 'data', bytes: Buffer.from('de') });
    expect(await body.read(1000)).toEqual({ kind: 'end' });
    expect(await body.read(1000)).toEqual({ kind: 'end' });
  });

  it('gives what came before a reset, then the reset', async () => {
    const server = await serveRaw((socket) => socket.write(HEAD + chunk('part'), () => socket.destroySoon()));
    const { body } = await openBody(start(), server.port);
    expect(await body.read(1000)).toMatchObject({ kind: 'data' });
    expect(await body.read(1000)).toMatchObject({ kind: 'failed', reason: 'reset' });
    expect(await body.text(1000, 100)).toMatchObject({ kind: 'failed', reason: 'reset' });
  });

  it('fails with `idle_timeout` counted from each read, and frees the socket', async () => {
    const server = await serveRaw((socket) => {
      socket.write(HEAD);
      for (const at of [60, 120, 180]) setTimeout(() => socket.write(chunk('.')), at);
    });
    const { body } = await openBody(start(), server.port);
    for (let round = 0; round < 3; round += 1) expect(await body.read(150)).toMatchObject({ kind: 'data' });
    expect(await body.read(150)).toMatchObject({ kind: 'failed', reason: 'idle_timeout' });
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it('fails with `deadline` though bytes keep coming', async () => {
    const server = await serveRaw((socket) => {
      socket.write(HEAD);
      const timer = setInterval(() => socket.write(chunk('.')), 10);
      socket.once('close', () => clearInterval(timer));
    });
    const { body } = await openBody(start(), server.port, { deadlineAt: performance.now() + 200 });
    expect(await body.text(1000, 1e6)).toMatchObject({ kind: 'failed', reason: 'deadline' });
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it('is refused over the cap', async () => {
    const server = await serveRaw((socket) => socket.write(`${HEAD + chunk('x'.repeat(1000))}0\r\n\r\n`));
    const { body } = await openBody(start(), server.port);
    expect(await body.text(1000, 999)).toMatchObject({ kind: 'failed', reason: 'too_large' });
  });

  it('holds a fast producer to a bounded queue', async () => {
    const total = 64 * 1024 * 1024;
    let written = 0;
    const server = await serveRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${total}\r\n\r\n`);
      const block = Buffer.alloc(64 * 1024);
      const pump = () => {
        while (written < total) {
          written += block.length;
          if (!socket.write(block)) return socket.once('drain', pump);
        }
        return socket;
      };
      pump();
    });
    const { body } = await openBody(start(), server.port);
    await sleep(300);
    // What the kernel's two socket buffers take, some megabytes, has left the producer too.
    expect(written).toBeLessThan(total / 2);
    const first = await body.read(1000);
    expect(first.kind === 'data' && first.bytes.length).toBeLessThan(512 * 1024);
    let received = first.kind === 'data' ? first.bytes.length : 0;
    for (let read = await body.read(1000); read.kind === 'data'; read = await body.read(1000)) {
      received += read.bytes.length;
    }
    expect(received).toBe(total);
  });

  it('ends at `cancel`, which may come twice or after the end', async () => {
    const server = await serveRaw((socket) => socket.write(HEAD + chunk('a')));
    const { body } = await openBody(start(), server.port);
    body.cancel();
    body.cancel();
    expect(await body.read(1000)).toMatchObject({ kind: 'failed', reason: 'aborted' });
    await expect.poll(() => server.sockets.size, { timeout: 1000 }).toBe(0);
  });

  it('keeps a whole body that was not read yet when it is cancelled late', async () => {
    const server = await serveRaw((socket) => socket.write(`${HEAD + chunk('whole')}0\r\n\r\n`));
    const { body } = await openBody(start(), server.port);
    await sleep(30);
    body.cancel();
    expect(await body.text(1000, 100)).toEqual({ kind: 'text', text: 'whole' });
    expect(server.sockets.size).toBe(1);
  });

  it('wakes a waiting reader with `aborted` and closes the upstream when the signal is aborted', async () => {
    const server = await serveRaw((socket) => socket.write(HEAD));
    const controller = new AbortController();
    const { body } = await openBody(start(), server.port, { signal: controller.signal });
    const read = body.read(5000);
    controller.abort();
    expect(await read).toMatchObject({ kind: 'failed', reason: 'aborted' });
    await expect.poll(() => server.sockets.size, { timeout: 1000 }).toBe(0);
  });

  it('leaves no socket after 200 exchanges that were aborted at any moment', async () => {
    const server = await serveRaw((socket) => {
      socket.write(HEAD);
      const timer = setInterval(() => socket.write(chunk('.')), 3);
      socket.once('close', () => clearInterval(timer));
    });
    const egress = start();
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), index % 40);
        const more = { signal: controller.signal };
        const opened = await egress.open(exchange(`http://127.0.0.1:${server.port}/`, more));
        if (opened.kind === 'failed') return expect(opened.failure.reason).toBe('aborted');
        return expect(await opened.body.text(1000, 1e6)).toMatchObject({ reason: 'aborted' });
      }),
    );
    await expect.poll(() => server.sockets.size, { timeout: 1000 }).toBe(0);
    await expect.poll(() => egress.stats().size, { timeout: 1000 }).toBe(0);
  });

  it('takes its listener off the signal and its timers with it', async () => {
    const server = await serveRaw((socket) => socket.write(`${HEAD + chunk('a')}0\r\n\r\n`));
    const egress = start();
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...given);
    };
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    for (let round = 0; round < 20; round += 1) {
      const { body } = await openBody(egress, server.port, { signal });
      await body.text(1000, 100);
    }
    expect(listeners).toBe(0);
    expect(timers()).toBeLessThan(before + 5);
  });
});
