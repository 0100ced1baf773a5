import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon, { type Instance } from 'autocannon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { CHAT, hello, post, send } from './gateway-request.ts';

let upstream: FaultyUpstream;
beforeAll(async () => {
  upstream = await startFaultyUpstream();
});
afterAll(() => upstream.close());

function open(model: string, drainMs: number): Promise<OpenGateway> {
  return openGateway({
    mode: 'live',
    routing: 'cloud_only',
    server: { drainMs },
    deployments: [{ id: 'main', tier: 'live', baseUrl: upstream.baseUrl, auth: { type: 'none' }, model }],
    defaults: { live: ['main'] },
  });
}

function get(url: string, agent: Agent): Promise<{ status: number; connection: string; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent }, (incoming) => {
      let body = '';
      incoming.on('data', (part) => {
        body += part;
      });
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode ?? 0, connection: incoming.headers.connection ?? '', body }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}

describe('stopping', () => {
  it('lets calls and streams under way finish, and takes no new ones', async () => {
    const gateway = await open('drip-50ms', 5000);
    const stream = post(gateway.url, CHAT, hello('auto', { stream: true }));
    const whole = post(gateway.url, CHAT, hello('auto'));
    await delay(300);
    const closing = gateway.gateway.close();
    expect((await stream).text).toMatch(/data: \[DONE\]\n\n$/);
    expect((await whole).status).toBe(200);
    await closing;
    await expect(send(gateway.url, { path: '/healthz' })).rejects.toThrow('ECONNREFUSED');
    await gateway.close();
  });

  it('answers requests on connections that are still open with 503 and closes them', async () => {
    const gateway = await open('drip-50ms', 5000);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await get(`${gateway.url}/readyz`, agent)).status).toBe(200);
    const closing = gateway.gateway.close();
    const refused = await get(`${gateway.url}/readyz`, agent);
    expect(refused).toMatchObject({ status: 503, connection: 'close' });
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: 'stopping' } });
    await closing;
    agent.destroy();
    await gateway.close();
  });

  it('cuts off what is still under way at the end of the time', async () => {
    const gateway = await open('hang', 500);
    const call = post(gateway.url, CHAT, hello('auto'));
    call.catch(() => {});
    await delay(300);
    const began = performance.now();
    await gateway.gateway.close();
    expect(performance.now() - began).toBeLessThan(1500);
    await expect(call).rejects.toThrow(/hang up|ECONNRESET/);
    await expect.poll(() => upstream.requests.at(-1)?.aborted).toBe(true);
    expect(await gateway.runtime.receipts.list()).toMatchObject([{ outcome: 'cancelled' }]);
    await gateway.close();
  });

  it('drops no request of a load that it accepted', async () => {
    const gateway = await open('ok', 5000);
    const statuses: number[] = [];
    let load: Instance | undefined;
    const ended = new Promise((resolve) => {
      load = autocannon(
        {
          url: `${gateway.url}${CHAT}`,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(hello('auto')),
          connections: 16,
          duration: 10,
        },
        resolve,
      );
      load.on('response', (_client, status) => statuses.push(status));
    });
    await delay(1500);
    await gateway.gateway.close();
    const answered = statuses.filter((status) => status === 200).length;
    (load as Instance | undefined)?.stop?.();
    await ended;
    const served = await gateway.runtime.database.pool.query('select count(*)::int as count from receipts');
    await gateway.close();
    expect(answered).toBeGreaterThan(50);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(served.rows[0].count).toBe(answered);
  });
});
