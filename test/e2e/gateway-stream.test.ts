import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { CHAT, hello, post, send } from './gateway-request.ts';

let upstream: FaultyUpstream;
let gateway: OpenGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
  const models = ['ok', 'cut-after-5', 'drip-50ms', 'hang', 'huge-answer', 'status-503'];
  gateway = await openGateway({
    mode: 'live',
    routing: 'cloud_first',
    limits: { retriesPerTarget: 0 },
    deployments: models.map((model) => ({
      id: model,
      tier: 'live',
      baseUrl: upstream.baseUrl,
      auth: { type: 'none' },
      model,
    })),
    defaults: { live: ['status-503', 'ok'] },
    roles: { steady: { live: ['cut-after-5', 'ok'] } },
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => upstream.reset());

type Event = { choices?: { delta: { content?: string } }[]; tiercel?: object; error?: object };

/** The events of a stream, which must be of `data:` lines and nothing else. */
function eventsOf(text: string): (Event | '[DONE]')[] {
  expect(text).toMatch(/^(data: .*\n\n)*$/);
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => block.slice('data: '.length))
    .map((data) => (data === '[DONE]' ? data : (JSON.parse(data) as Event)));
}

const stream = (model: string, headers: Record<string, string> = {}) =>
  post(gateway.url, CHAT, hello(model, { stream: true }), headers);

async function receiptOf(id: string | string[] | undefined) {
  return (await send(gateway.url, { path: `/api/receipts/${id}` })).json as Record<string, unknown>;
}

/** Sends a call and gives back the request, to be left in the middle. */
async function start(model: string, streamed: boolean): Promise<[ClientRequest, IncomingMessage | null]> {
  const outgoing = request(`${gateway.url}${CHAT}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    agent: false,
  });
  outgoing.on('error', () => {});
  outgoing.end(JSON.stringify(hello(model, { stream: streamed })));
  if (!streamed) return [outgoing, null];
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return [outgoing, incoming];
}

async function until(condition: () => boolean, limitMs: number): Promise<number> {
  const began = performance.now();
  while (!condition() && performance.now() - began < limitMs) await delay(10);
  return performance.now() - began;
}

describe('a stream', () => {
  it('is data events that end with [DONE]', async () => {
    const { status, headers, text } = await stream('ok');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-tiercel-tier': 'live',
      'x-tiercel-model': 'ok',
      'x-tiercel-fallback': 'none',
    });
    const events = eventsOf(text);
    expect(events.filter((event) => event === '[DONE]')).toHaveLength(1);
    expect(events.at(-1)).toBe('[DONE]');
  });

  it('names in its head why the first candidate does not serve', async () => {
    const { headers, text } = await stream('auto');
    expect(headers['x-tiercel-fallback']).toBe('upstream_unavailable');
    expect(eventsOf(text).at(-1)).toBe('[DONE]');
  });

  it('ends with one error event and no [DONE] when the target cuts it', async () => {
    const { status, headers, text } = await stream('cut-after-5');
    const events = eventsOf(text);
    const id = headers['x-tiercel-receipt'];
    expect(status).toBe(200);
    expect(events.filter((event) => event !== '[DONE]' && event.error)).toHaveLength(1);
    expect(events.at(-1)).toEqual({
      error: {
        message: expect.any(String),
        type: 'upstream_error',
        code: expect.any(String),
        param: null,
        receipt_id: id,
      },
    });
    expect(events).not.toContain('[DONE]');
    expect(await receiptOf(id)).toMatchObject({ outcome: 'truncated' });
  });

  it('is rescued from a cut when the call holds it until it is whole', async () => {
    const { headers, text } = await stream('role:steady', { 'x-tiercel-commit': 'complete' });
    expect(eventsOf(text).at(-1)).toBe('[DONE]');
    expect(headers['x-tiercel-fallback']).not.toBe('none');
  });

  it('fails as plain HTTP before anything was committed', async () => {
    const { status, headers, json } = await stream('status-503');
    expect(status).toBe(502);
    expect(headers['content-type']).toContain('application/json');
    expect(json).toMatchObject({ error: { code: 'upstream_unavailable', receipt_id: expect.any(String) } });
  });

  it('brings the receipt in a last chunk when it is asked for', async () => {
    const { headers, text } = await stream('ok', { 'x-tiercel-include': 'receipt' });
    const events = eventsOf(text);
    expect(events.at(-1)).toBe('[DONE]');
    expect(events.at(-2)).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [],
      tiercel: { id: headers['x-tiercel-receipt'], outcome: 'ok' },
    });
  });

  it('waits for a slow reader and loses nothing', async () => {
    const [, incoming] = await start('huge-answer', true);
    let size = 0;
    await delay(300);
    for await (const part of incoming ?? []) size += (part as Buffer).length;
    expect(size).toBeGreaterThan(8 * 1024 * 1024);
  });
});

describe('a caller that goes away', () => {
  it('ends the upstream’s stream within a second', async () => {
    const [outgoing, incoming] = await start('drip-50ms', true);
    await once(incoming as IncomingMessage, 'data');
    outgoing.destroy();
    expect(await until(() => upstream.requests[0]?.aborted === true, 3000)).toBeLessThan(1000);
    const id = incoming?.headers['x-tiercel-receipt'];
    expect(await receiptOf(id)).toMatchObject({
      outcome: 'cancelled',
      errorCode: 'client_closed',
      usage: { source: 'estimated' },
    });
  });

  it('ends a call that has no answer yet within a second', async () => {
    const [outgoing] = await start('hang', false);
    await until(() => upstream.requests.length === 1, 3000);
    outgoing.destroy();
    expect(await until(() => upstream.requests[0]?.aborted === true, 3000)).toBeLessThan(1000);
  });
});

describe('the headers of an answer', () => {
  it('bring the receipt into the body when it is asked for', async () => {
    const { headers, json } = await post(gateway.url, CHAT, hello('ok'), { 'x-tiercel-include': 'receipt' });
    expect(json).toMatchObject({ object: 'chat.completion', tiercel: { id: headers['x-tiercel-receipt'] } });
  });

  it('give back a sane request id and replace one that is not', async () => {
    const idOf = async (given: string) =>
      (await post(gateway.url, CHAT, hello('ok'), { 'x-request-id': given })).headers['x-request-id'];
    expect(await idOf('job-17.a')).toBe('job-17.a');
    expect(await idOf('two words')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('join the caller’s trace, and ignore one that is malformed', async () => {
    const traceOf = async (traceparent: string) => {
      const { headers } = await post(gateway.url, CHAT, hello('ok'), { traceparent });
      return (await receiptOf(headers['x-tiercel-receipt']))['traceId'];
    };
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    expect(await traceOf(`00-${trace}-00f067aa0ba902b7-01`)).toBe(trace);
    expect(await traceOf(`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`)).toMatch(/[1-9a-f]/);
    expect(await traceOf('nonsense')).toMatch(/^[0-9a-f]{32}$/);
  });
});
