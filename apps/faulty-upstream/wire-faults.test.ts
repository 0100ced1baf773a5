import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { UNICODE_TEXT } from './answers.ts';
import { callUpstream, choicesOf, contentOf, eventsOf } from './call-upstream.ts';
import { okPieces } from './chunks.ts';
import { type FaultyUpstream, startFaultyUpstream } from './server.ts';

const OK_TEXT = okPieces().join('');
const STREAM = { stream: true };
let upstream: FaultyUpstream;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
});
afterAll(() => upstream.close());

/** The text of a stream whose lines may end in any way. */
function normalise(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

test('hang is silent until the client gives up', async () => {
  const call = request(`${upstream.baseUrl}/chat/completions`, { method: 'POST', agent: false });
  call.end('{"model":"hang"}');
  const outcome = await Promise.race([once(call, 'response').then(() => 'answered'), sleep(300, 'silent')]);
  expect(outcome).toBe('silent');
  call.on('error', () => {});
  call.destroy();
  await vi.waitFor(() => expect(upstream.requests.at(-1)?.aborted).toBe(true));
});

test('reset resets the connection instead of answering', async () => {
  await expect(callUpstream(upstream, 'reset')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(upstream.requests.at(-1)?.aborted).toBe(false);
});

test('slow-150ms answers well, and late', async () => {
  const before = performance.now();
  const { text } = await callUpstream(upstream, 'slow-150ms');
  expect(performance.now() - before).toBeGreaterThan(145);
  expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { content: OK_TEXT } }] });
});

test('slow-headers trickles the header, then answers well', async () => {
  const socket = connect(Number(new URL(upstream.url).port), '127.0.0.1');
  socket.write(
    'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 28\r\n\r\n{"model":"slow-headers/600"}',
  );
  const pieces: string[] = [];
  socket.on('data', (piece) => pieces.push(piece.toString()));
  await once(socket, 'close');
  expect(pieces[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(pieces[0]).not.toContain('\r\n\r\n');
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.join('').split('\r\n\r\n')[1]).toContain(OK_TEXT);
  const streamed = await callUpstream(upstream, 'slow-headers/200', STREAM);
  expect(contentOf(streamed.text)).toBe(OK_TEXT);
});

test.each([
  [true, 'text/event-stream; charset=utf-8'],
  [false, 'application/json'],
])('late-first-token sends its header at once and text later (stream: %s)', async (stream, type) => {
  const call = request(`${upstream.baseUrl}/chat/completions`, { method: 'POST', agent: false });
  const before = performance.now();
  call.end(JSON.stringify({ model: 'late-first-token/300', stream }));
  const [response] = await once(call, 'response');
  expect(performance.now() - before).toBeLessThan(250);
  expect(response.headers['content-type']).toBe(type);
  let text = '';
  for await (const piece of response) {
    text += piece;
    if (text.includes('upstream')) expect(performance.now() - before).toBeGreaterThan(295);
  }
  expect(stream ? contentOf(text) : JSON.parse(text).choices[0].message.content).toBe(OK_TEXT);
});

test('drip pauses before each piece', async () => {
  const before = performance.now();
  const { text } = await callUpstream(upstream, 'drip-20ms/10', STREAM);
  expect(performance.now() - before).toBeGreaterThan(190);
  expect(contentOf(text)).toBe(okPieces(10).join(''));
});

test('cut-after-40 delivers the role and exactly 40 pieces, then dies', async () => {
  const { text, ending } = await callUpstream(upstream, 'cut-after-40', STREAM);
  expect(ending).toBe('cut');
  expect(choicesOf(text)).toHaveLength(41);
  expect(contentOf(text)).toBe(okPieces(40).join(''));
  expect(text).not.toContain('"finish_reason":"');
});

test('cut-after cuts a JSON body in its middle', async () => {
  const { text, ending } = await callUpstream(upstream, 'cut-after-40');
  expect(ending).toBe('cut');
  expect(() => JSON.parse(text)).toThrow();
});

test('cut-mid-line dies inside a data line', async () => {
  const { text, ending } = await callUpstream(upstream, 'cut-mid-line', STREAM);
  const events = text.split('\n\n');
  expect(ending).toBe('cut');
  expect(events.at(-1)).toMatch(/^data: \{/);
  expect(contentOf(events.slice(0, -1).join('\n\n'))).toBe(okPieces(5).join(''));
});

test.each([true, false])('stall-after-20 begins and falls silent (stream: %s)', async (stream) => {
  const call = request(`${upstream.baseUrl}/chat/completions`, { method: 'POST', agent: false });
  call.end(JSON.stringify({ model: 'stall-after-20', stream }));
  const [response] = await once(call, 'response');
  let text = '';
  response.on('data', (piece: Buffer) => {
    text += piece;
  });
  response.on('error', () => {});
  const outcome = await Promise.race([once(response, 'end').then(() => 'ended'), sleep(300, 'silent')]);
  expect(outcome).toBe('silent');
  if (stream) expect(contentOf(text)).toBe(okPieces(20).join(''));
  else expect(text.length).toBeGreaterThan(0);
  call.destroy();
});

test('role-then-error sends a role, then an error event, under HTTP 200', async () => {
  const { status, text } = await callUpstream(upstream, 'role-then-error', STREAM);
  expect(status).toBe(200);
  expect(eventsOf(text)).toMatchObject([
    { choices: [{ delta: { role: 'assistant', content: '' } }] },
    { error: { code: 'insufficient_quota' } },
  ]);
});

test('error-after-5 sends the error after five pieces', async () => {
  const { text } = await callUpstream(upstream, 'error-after-5', STREAM);
  const events = eventsOf(text);
  expect(events).toHaveLength(7);
  expect(events.at(-1)).toHaveProperty('error');
});

test('pings mixes in comments and blocks of only id or retry', async () => {
  const { text } = await callUpstream(upstream, 'pings', STREAM);
  for (const block of [': ping\n\n', '\n\nid: 7\n\n', '\n\nretry: 3000\n\n']) expect(text).toContain(block);
  expect(contentOf(text)).toBe(OK_TEXT);
});

test.each([
  ['crlf', /[^\r]\n|\r[^\n]/],
  ['cr', /\n/],
])('%s uses that line end alone', async (model, forbidden) => {
  const { text } = await callUpstream(upstream, model, STREAM);
  expect(text).not.toMatch(forbidden);
  expect(contentOf(normalise(text))).toBe(OK_TEXT);
});

test('crlf-split parts each CR from its LF', async () => {
  const { text, writes } = await callUpstream(upstream, 'crlf-split', STREAM);
  expect(writes.some((write) => write.includes('\r\n'))).toBe(false);
  expect(text).toMatch(/\r\n\r\n$/);
  expect(contentOf(normalise(text))).toBe(OK_TEXT);
});

test('multi-line-data spreads each JSON over three data lines', async () => {
  const { text } = await callUpstream(upstream, 'multi-line-data', STREAM);
  expect(text).toMatch(/^data: \{\ndata:"id".*\ndata: \}\n\n/);
  const joined = text
    .replaceAll(/\ndata: ?/g, '\n')
    .replaceAll('\n\n[DONE]', '\n\n')
    .split('\n\n');
  const [first = ''] = joined;
  expect(JSON.parse(first.replace(/^data: /, ''))).toHaveProperty('choices');
});

test('byte-by-byte writes one byte at a time and loses none', async () => {
  const { text, writes } = await callUpstream(upstream, 'byte-by-byte', STREAM);
  expect(new Set(writes.map((write) => write.length))).toEqual(new Set([1]));
  expect(contentOf(text)).toBe(UNICODE_TEXT);
});

test('no-done has a finish reason and a clean end, no [DONE]', async () => {
  const { text, ending } = await callUpstream(upstream, 'no-done', STREAM);
  expect(ending).toBe('clean');
  expect(choicesOf(text).at(-1)?.finish_reason).toBe('stop');
  expect(text).not.toContain('[DONE]');
});

test('no-finish has neither', async () => {
  const { text, ending } = await callUpstream(upstream, 'no-finish', STREAM);
  expect(ending).toBe('clean');
  expect(contentOf(text)).toBe(OK_TEXT);
  expect(text).not.toMatch(/\[DONE\]|"finish_reason":"/);
});

test('malformed-event breaks one event and no other', async () => {
  const { text } = await callUpstream(upstream, 'malformed-event', STREAM);
  const broken = text.split('\n\n').filter((event) => event.endsWith('"los'));
  expect(broken).toHaveLength(1);
  expect(contentOf(text.replace(`${broken[0]}\n\n`, ''))).toBe(OK_TEXT);
});

test('truncated-json ends cleanly with half a document', async () => {
  const { status, text, ending } = await callUpstream(upstream, 'truncated-json');
  expect([status, ending]).toEqual([200, 'clean']);
  expect(() => JSON.parse(text)).toThrow();
});

test('empty-stream ends after the header', async () => {
  const { status, text, ending } = await callUpstream(upstream, 'empty-stream', STREAM);
  expect([status, text, ending]).toEqual([200, '', 'clean']);
});

test('json-for-stream ignores that a stream was asked for', async () => {
  const { headers, text } = await callUpstream(upstream, 'json-for-stream', STREAM);
  expect(headers['content-type']).toBe('application/json');
  expect(JSON.parse(text)).toHaveProperty('choices');
});
