import { once } from 'node:events';
import { request } from 'node:http';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { callUpstream } from './call-upstream.ts';
import { listBehaviours, parseModel } from './grammar.ts';
import { type FaultyUpstream, startFaultyUpstream } from './server.ts';

let upstream: FaultyUpstream;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
});
afterEach(() => upstream.reset());
afterAll(() => upstream.close());

async function statuses(model: string, count: number): Promise<number[]> {
  const seen: number[] = [];
  for (let nth = 0; nth < count; nth += 1) seen.push((await callUpstream(upstream, model)).status);
  return seen;
}

test('a sequence plays one step a request and repeats the last', async () => {
  expect(await statuses('status-503+status-429-retry-1+ok', 4)).toEqual([503, 429, 200, 200]);
  upstream.reset();
  expect(await statuses('status-503+status-429-retry-1+ok', 1)).toEqual([503]);
});

test('a script gives any model name its steps', async () => {
  expect(await statuses('llama3.2:3b', 1)).toEqual([404]);
  upstream.script('llama3.2:3b', ['status-500', 'ok']);
  expect(await statuses('llama3.2:3b', 3)).toEqual([500, 200, 200]);
  expect(() => upstream.script('gpt-x', ['okay'])).toThrow("'okay'");
});

test('a delay comes before the behaviour', async () => {
  const before = performance.now();
  expect(await statuses('status-503@120ms', 1)).toEqual([503]);
  expect(performance.now() - before).toBeGreaterThan(115);
});

test('every listed name plays, with any number in it', () => {
  for (const { name } of listBehaviours()) expect(parseModel(name), name).toHaveLength(1);
  expect(parseModel('cut-after-7')?.[0]?.numbers).toEqual([7]);
  expect(parseModel('redirect/http://192.0.2.1/a@5ms')?.[0]).toMatchObject({
    argument: 'http://192.0.2.1/a',
    delayMs: 5,
  });
  for (const unknown of ['', 'gpt-x', 'ok+', 'ok@soon', 'cut-after-', 'status-503x']) {
    expect(parseModel(unknown), unknown).toBeNull();
  }
});

test('requests are recorded as they came and as they ended', async () => {
  await callUpstream(
    upstream,
    'ok',
    { user: 'ü' },
    { path: '/chat/completions?a=1', headers: { 'x-test': '1' } },
  );
  const [recorded] = upstream.requests;
  expect(recorded).toMatchObject({
    method: 'POST',
    path: '/v1/chat/completions?a=1',
    headers: { 'x-test': '1' },
    model: 'ok',
    body: { user: 'ü' },
    aborted: false,
  });
  expect(JSON.parse(recorded?.bodyText ?? '')).toEqual(recorded?.body);
  await vi.waitFor(() => expect(recorded).toMatchObject({ status: 200, endedAt: expect.any(Number) }));
});

test('a client that leaves in mid-stream is recorded as aborted', async () => {
  const call = request(`${upstream.baseUrl}/chat/completions`, { method: 'POST', agent: false });
  call.end('{"model":"drip-20ms/500","stream":true}');
  const [response] = await once(call, 'response');
  response.on('error', () => {});
  await once(response, 'data');
  expect(upstream.openSockets()).toBe(1);
  call.destroy();
  await vi.waitFor(() => expect(upstream.requests[0]?.aborted).toBe(true));
  expect(upstream.openSockets()).toBe(0);
  expect(upstream.connections()).toBe(1);
});

test('a connection that this side cuts is not recorded as aborted', async () => {
  await callUpstream(upstream, 'cut-after-3', { stream: true });
  await vi.waitFor(() => expect(upstream.requests[0]?.endedAt).not.toBeNull());
  expect(upstream.requests[0]?.aborted).toBe(false);
});

test('recording can be left off', async () => {
  const silent = await startFaultyUpstream({ record: false });
  expect((await callUpstream(silent, 'ok')).status).toBe(200);
  expect(silent.requests).toEqual([]);
  await silent.close();
});

test('embeddings depend on the text alone, in both encodings', async () => {
  const client = new OpenAI({ baseURL: upstream.baseUrl, apiKey: 'none', maxRetries: 0 });
  const asked = { model: 'ok', input: ['one', 'two', 'one'], dimensions: 4 };
  const packed = await client.embeddings.create(asked);
  const plain = await client.embeddings.create({ ...asked, encoding_format: 'float' });
  const [one, two, again] = plain.data.map(({ embedding }) => embedding);
  expect(one).toHaveLength(4);
  expect(one).toEqual(again);
  expect(one).not.toEqual(two);
  expect(Math.hypot(...(one ?? []))).toBeCloseTo(1);
  packed.data[1]?.embedding.forEach((value, at) => {
    expect(value).toBeCloseTo(two?.[at] ?? Number.NaN, 5);
  });
});

test('embeddings fail by model name as chat does', async () => {
  const { status } = await callUpstream(upstream, 'status-503', { input: 'x' }, { path: '/embeddings' });
  expect(status).toBe(503);
});

test('the models and the guide list every behaviour', async () => {
  const models = await (await fetch(`${upstream.baseUrl}/models`)).json();
  const guide = await (await fetch(upstream.url)).text();
  for (const { name, meaning } of listBehaviours()) {
    expect(models).toHaveProperty('data', expect.arrayContaining([expect.objectContaining({ id: name })]));
    expect(guide).toContain(meaning);
  }
  expect(guide).toContain(`baseUrl: "${upstream.baseUrl}"`);
});

test.each([
  ['{', 400],
  ['[]', 400],
  ['{}', 400],
  ['{"model":"gpt-x"}', 404],
])('the body %s answers %i', async (body, status) => {
  const answer = await fetch(`${upstream.baseUrl}/chat/completions`, { method: 'POST', body });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toHaveProperty('error.message');
});

test('close ends hanging requests and frees the port', async () => {
  const other = await startFaultyUpstream();
  const hanging = callUpstream(other, 'hang');
  hanging.catch(() => {});
  await vi.waitFor(() => expect(other.requests).toHaveLength(1));
  const { port } = new URL(other.url);
  await other.close();
  await expect(hanging).rejects.toThrow();
  const next = await startFaultyUpstream({ port: Number(port) });
  await expect(startFaultyUpstream({ port: Number(port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await next.close();
});
