import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { CHAT, hello, type RawRequest, send } from './gateway-request.ts';

let upstream: FaultyUpstream;
let gateway: OpenGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
  gateway = await openGateway({
    mode: 'live',
    routing: 'cloud_only',
    deployments: [
      { id: 'main', tier: 'live', baseUrl: upstream.baseUrl, auth: { type: 'none' }, model: 'ok' },
    ],
    defaults: { live: ['main'] },
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => upstream.reset());

const json = { 'content-type': 'application/json' };
const chat = (body: unknown, headers: Record<string, string> = {}): RawRequest => ({
  method: 'POST',
  path: CHAT,
  headers: { ...json, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const messages = (...given: unknown[]) => chat({ model: 'auto', messages: given });

type Row = [name: string, request: RawRequest, status: number, code: string, param: string | null];

const TABLE: Row[] = [
  [
    'text/plain',
    { ...chat(hello('auto')), headers: { 'content-type': 'text/plain' } },
    415,
    'unsupported_content_type',
    'content-type',
  ],
  [
    'no content type',
    { ...chat(hello('auto')), headers: {} },
    415,
    'unsupported_content_type',
    'content-type',
  ],
  [
    'a form of another site',
    { ...chat('a=b'), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415,
    'unsupported_content_type',
    'content-type',
  ],
  ['JSON that is not', chat('{"model": "auto", '), 400, 'invalid_json', null],
  [
    'bytes that are not text',
    { ...chat(''), body: Buffer.from([0xff, 0xfe, 0x00]) },
    400,
    'invalid_json',
    null,
  ],
  ['an array', chat([]), 400, 'invalid_request', null],
  ['no body', chat(''), 400, 'invalid_request', null],
  ['no model', chat({ messages: [{ role: 'user', content: 'x' }] }), 400, 'invalid_request', 'model'],
  ['a model that is a number', chat({ ...hello('auto'), model: 7 }), 400, 'invalid_request', 'model'],
  ['no messages', chat({ model: 'auto' }), 400, 'invalid_request', 'messages'],
  ['0 messages', messages(), 400, 'invalid_request', 'messages'],
  ['a message of text', messages('hi'), 400, 'invalid_request', 'messages[0]'],
  ['an unknown role', messages({ role: 'wizard', content: 'x' }), 400, 'invalid_request', 'messages[0].role'],
  [
    'a temperature of text',
    chat(hello('auto', { temperature: 'hot' })),
    400,
    'invalid_request',
    'temperature',
  ],
  ['max_tokens below 1', chat(hello('auto', { max_tokens: 0 })), 400, 'invalid_request', 'max_tokens'],
  ['stream that is text', chat(hello('auto', { stream: 'yes' })), 400, 'invalid_request', 'stream'],
  ['tools that are no list', chat(hello('auto', { tools: {} })), 400, 'invalid_request', 'tools'],
  ['an unknown model', chat(hello('gpt-nothing')), 404, 'model_not_found', 'model'],
  ['an unknown role’s model', chat(hello('role:nobody')), 404, 'model_not_found', 'model'],
  ['a model that would split a header', chat(hello('a\r\nx-evil: 1')), 404, 'model_not_found', 'model'],
  [
    'an unknown commit',
    chat(hello('auto'), { 'x-tiercel-commit': 'never' }),
    400,
    'invalid_header',
    'x-tiercel-commit',
  ],
  [
    'an unknown include',
    chat(hello('auto'), { 'x-tiercel-include': 'secrets' }),
    400,
    'invalid_header',
    'x-tiercel-include',
  ],
  ['a foreign Host', chat(hello('auto'), { host: 'evil.example' }), 403, 'host_not_allowed', 'host'],
  ['our host, another port', chat(hello('auto'), { host: '127.0.0.1:1' }), 403, 'host_not_allowed', 'host'],
  [
    'a foreign Origin',
    chat(hello('auto'), { origin: 'https://evil.example' }),
    403,
    'origin_not_allowed',
    'origin',
  ],
  ['a null Origin', chat(hello('auto'), { origin: 'null' }), 403, 'origin_not_allowed', 'origin'],
  [
    'a foreign Origin that reads',
    { path: '/api/receipts', headers: { origin: 'https://evil.example' } },
    403,
    'origin_not_allowed',
    'origin',
  ],
  ['an unknown route', { path: '/v1/completions' }, 404, 'not_found', null],
  ['a path that cannot be decoded', { path: '/v1/models/%E0%A4%A' }, 400, 'invalid_request', null],
  ['the wrong method', { method: 'DELETE', path: CHAT }, 405, 'method_not_allowed', null],
  [
    'embeddings of nothing',
    { ...chat({ model: 'auto', input: [] }), path: '/v1/embeddings' },
    400,
    'invalid_request',
    'input',
  ],
  ['a query with a typing error', { path: '/api/receipts?limt=2' }, 400, 'invalid_request', 'limt'],
  ['a limit that is too large', { path: '/api/receipts?limit=9999' }, 400, 'invalid_request', 'limit'],
];

describe('bad input', () => {
  it.each(TABLE)('answers %s without asking the upstream', async (_name, request, status, code, param) => {
    const answer = await send(gateway.url, request);
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({
      error: { message: expect.any(String), type: expect.any(String), code, param },
    });
    expect(answer.headers['x-request-id']).toEqual(expect.any(String));
    expect(upstream.connections()).toBe(0);
  });

  it('names the methods that a route has', async () => {
    const { headers } = await send(gateway.url, { method: 'PATCH', path: '/api/settings' });
    expect(headers.allow).toBe('GET, HEAD, PUT');
  });

  it('takes application/json with a charset', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await send(gateway.url, { ...chat(hello('auto')), headers })).status).toBe(200);
  });

  it('refuses 50 MB by their announced length, before they have come', async () => {
    const head = `POST ${CHAT} HTTP/1.1\r\nhost: ${new URL(gateway.url).host}\r\ncontent-type: application/json\r\n`;
    const text = await exchange(`${head}content-length: ${50 * 1024 * 1024}\r\n\r\n{`);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toContain('"code":"body_too_large"');
  });

  it('lets a client that sends 50 MB read its answer', async () => {
    const body = Buffer.alloc(50 * 1024 * 1024, 0x20);
    const answer = await fetch(`${gateway.url}${CHAT}`, { method: 'POST', headers: json, body });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ error: { code: 'body_too_large' } });
    expect(upstream.connections()).toBe(0);
  });

  it('refuses 50 MB that come in pieces of untold length', async () => {
    const piece = new Uint8Array(1024 * 1024).fill(0x20);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (++sent > 50) controller.close();
        else controller.enqueue(piece);
      },
    });
    const answer = await fetch(`${gateway.url}${CHAT}`, {
      method: 'POST',
      headers: json,
      body,
      duplex: 'half',
    });
    expect(answer.status).toBe(413);
    expect(upstream.connections()).toBe(0);
  });

  it('keeps members named __proto__ out of what it sends on', async () => {
    const body =
      '{"model":"auto","__proto__":{"polluted":1},"messages":[{"role":"user","content":"x","\\u005f_proto__":{"a":1}}]}';
    expect((await send(gateway.url, chat(body))).status).toBe(200);
    expect(upstream.requests[0]?.bodyText).not.toMatch(/proto/);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('answers what is not HTTP with 400 in the same shape', async () => {
    const text = await exchange('NONSENSE\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('"code":"invalid_request"');
  });

  it('answers 502 with the receipt when the only candidate cannot be reached', async () => {
    const gone = await openGateway({
      mode: 'live',
      routing: 'cloud_only',
      limits: { retriesPerTarget: 0 },
      deployments: [
        { id: 'gone', tier: 'live', baseUrl: 'http://127.0.0.1:9/v1', auth: { type: 'none' }, model: 'x' },
      ],
      defaults: { live: ['gone'] },
    });
    const answer = await send(gone.url, chat(hello('auto')));
    await gone.close();
    expect(answer.status).toBe(502);
    const id = answer.headers['x-tiercel-receipt'];
    expect(answer.json).toMatchObject({ error: { code: 'upstream_unreachable', receipt_id: id } });
  });
});

/** What the gateway answers to bytes on a connection of its own, until it closes it. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (part) => {
      received += part;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(received));
  });
}
