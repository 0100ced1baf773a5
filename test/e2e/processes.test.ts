import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { ensureBuilt, makeFolder, serve } from '../support/command.ts';
import { createPostgresDatabase, describePostgres } from '../support/database.ts';

const SIMULATION = 'mode: simulation\n';

let upstream: FaultyUpstream;
let folder: ReturnType<typeof makeFolder>;

beforeAll(async () => {
  ensureBuilt();
  upstream = await startFaultyUpstream({});
}, 120_000);
afterAll(() => upstream.close());
beforeEach(() => {
  folder = makeFolder({ 'tiercel.yaml': live('slow-100ms') });
});
afterEach(() => folder.remove());

function live(model: string): string {
  return `mode: live
deployments: [{ id: up, tier: live, baseUrl: "${upstream.baseUrl}", model: "${model}" }]
defaults: { live: [up] }
`;
}

function ask(url: string, more: object = {}): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'Hello' }], ...more }),
  });
}

function receiptOf(response: Response): string {
  return response.headers.get('x-tiercel-receipt') ?? '';
}

function send(url: string, path: string, method: string, body?: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
}

describe('a server under load', () => {
  it('drops no accepted request on SIGTERM and finishes its streams', async () => {
    const server = await serve(folder.path);
    const outcomes: string[] = [];
    let stopping = false;
    const clients = Array.from({ length: 16 }, async () => {
      while (!stopping) {
        try {
          const response = await ask(server.url);
          const body = (await response.json()) as { error?: { code: string }; choices?: unknown[] };
          outcomes.push(body.error?.code ?? (body.choices ? 'answered' : 'empty'));
          if (response.status === 503) return;
        } catch (error) {
          const cause = (error as { cause?: { code?: string } }).cause?.code ?? String(error);
          outcomes.push(cause);
          if (cause === 'ECONNREFUSED') return;
        }
      }
    });
    const stream = await ask(server.url, { model: 'up', stream: true });
    await sleep(700);
    const stopped = server.stop();
    expect(await stream.text()).toMatch(/data: \[DONE\]\n\n$/);
    await Promise.all(clients);
    stopping = true;
    expect(await stopped).toMatchObject({ code: 0 });
    expect(outcomes.filter((one) => one === 'answered').length).toBeGreaterThan(30);
    // Refused before it was accepted, or told so: nothing in between.
    expect(outcomes.filter((one) => !['answered', 'stopping', 'ECONNREFUSED'].includes(one))).toEqual([]);
  });

  it('cuts off what outlasts the drain limit, with the receipt to tell', async () => {
    folder.remove();
    folder = makeFolder({ 'tiercel.yaml': `${live('drip-50ms/400')}server: { drainMs: 500 }\n` });
    const server = await serve(folder.path);
    const response = await ask(server.url, { stream: true });
    const id = receiptOf(response);
    const began = performance.now();
    const stopped = server.stop();
    const text = await response.text().catch(() => 'cut');
    expect(text).not.toContain('[DONE]');
    expect(await stopped).toMatchObject({ code: 0 });
    expect(performance.now() - began).toBeLessThan(5000);
    const again = await serve(folder.path);
    const receipt = await (await send(again.url, `/api/receipts/${id}`, 'GET')).json();
    expect(receipt).toMatchObject({ outcome: 'cancelled' });
    await again.stop();
  });

  it('leaves a database that the next start opens when it is killed', async () => {
    folder.remove();
    folder = makeFolder({ 'tiercel.yaml': SIMULATION });
    const ids: { id: string; at: number }[] = [];
    for (let round = 0; round < 3; round++) {
      const server = await serve(folder.path);
      const clients = Array.from({ length: 8 }, async () => {
        for (;;) {
          const response = await ask(server.url).catch(() => null);
          if (!response) return;
          ids.push({ id: receiptOf(response), at: performance.now() });
          await response.text().catch(() => '');
          // A load that the database keeps up with: beyond it receipts queue, and a queue is lost with its process.
          await sleep(20);
        }
      });
      await sleep(1000);
      const killedAt = performance.now();
      server.kill('SIGKILL');
      await Promise.all(clients);
      await server.outcome;
      const again = await serve(folder.path);
      expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
      // Receipts are gathered for some 20 ms; what is older than a busy machine's delay is there.
      const old = ids.filter(({ at }) => at < killedAt - 500).slice(-20);
      expect(old.length).toBeGreaterThan(0);
      for (const { id } of old) {
        expect((await send(again.url, `/api/receipts/${id}`, 'GET')).status).toBe(200);
      }
      await again.stop();
    }
  }, 60_000);
});

describePostgres('two processes on one PostgreSQL', (server) => {
  it('serve at once, see each other’s receipts, keys and settings', async () => {
    const env = { DATABASE_URL: (await createPostgresDatabase(server())).reveal() };
    const other = makeFolder({ 'tiercel.yaml': live('slow-100ms') });
    const [one, two] = await Promise.all([serve(folder.path, [], env), serve(other.path, [], env)]);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => ask(i % 2 ? one.url : two.url)));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
    await sleep(200);
    for (const [i, answer] of answers.entries()) {
      const elsewhere = i % 2 ? two.url : one.url;
      expect((await send(elsewhere, `/api/receipts/${receiptOf(answer)}`, 'GET')).status).toBe(200);
    }

    const made = await send(one.url, '/api/keys', 'POST', { name: 'shared', principal: 'alice' });
    const { key } = (await made.json()) as { key: string };
    const models = () => fetch(`${two.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    await expect.poll(async () => (await models()).status, { timeout: 2000 }).toBe(200);
    await send(one.url, '/api/keys/shared', 'DELETE');
    await expect.poll(async () => (await models()).status, { timeout: 2500 }).toBe(401);

    const changed = await send(one.url, '/api/settings', 'PUT', { changes: { mode: 'simulation' } });
    expect(changed.status).toBe(200);
    expect((await ask(one.url)).headers.get('x-tiercel-tier')).toBe('simulation');
    await expect
      .poll(async () => (await ask(two.url)).headers.get('x-tiercel-tier'), { timeout: 2500 })
      .toBe('simulation');
    await Promise.all([one.stop(), two.stop()]);
    other.remove();
  }, 60_000);
});
