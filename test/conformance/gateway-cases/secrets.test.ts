import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../../apps/faulty-upstream/server.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { type OpenGateway, openGateway } from '../../support/open-gateway.ts';

// Unlike any other text, and in the shapes that real ones have.
const KEY = 'sk-canary-key-7Q2XJ4ZP9V';
const QUERY = 'canaryquery8K3MN5';
const PROMPT = 'canary-prompt-violet-heron';
const ARGUMENT = 'canary-argument-amber-otter';

let upstream: FaultyUpstream;
let open: OpenGateway;
const events: string[] = [];

/** Bodies and headers of everything that was answered, by what was asked. */
const answered: { asked: string; status: number; text: string }[] = [];

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(open.url + path, init);
  const headers = JSON.stringify([...response.headers]);
  const text = await response.clone().text();
  answered.push({ asked: path, status: response.status, text: headers + text });
  return response;
}

function chat(model: string, stream: boolean): Promise<Response> {
  const body = {
    model,
    stream,
    messages: [
      { role: 'user', content: PROMPT },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'look', arguments: JSON.stringify({ at: ARGUMENT }) },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: ARGUMENT },
    ],
  };
  return send('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tiercel-include': 'receipt' },
    body: JSON.stringify(body),
  });
}

beforeAll(async () => {
  upstream = await startFaultyUpstream({});
  const base = { tier: 'live', auth: { type: 'api_key', env: 'PROVIDER_KEY' } } as const;
  const plain = `${upstream.baseUrl}?routing-hint=${QUERY}`;
  open = await openGateway(
    {
      mode: 'live',
      routing: 'cloud_only',
      content: 'digest',
      limits: { retriesPerTarget: 0 },
      deployments: [
        { ...base, id: 'missing', baseUrl: plain, model: 'model-not-found' },
        { ...base, id: 'quoting', baseUrl: plain, model: 'quotes-503' },
        { ...base, id: 'refusing', baseUrl: plain, model: 'unauthorized' },
        { ...base, id: 'cut', baseUrl: plain, model: 'cut-after-5' },
        { ...base, id: 'tls', baseUrl: plain.replace('http:', 'https:'), model: 'ok' },
        { ...base, id: 'fine', baseUrl: plain, model: 'ok' },
      ],
      defaults: { live: ['missing', 'quoting', 'refusing', 'tls', 'fine'] },
    },
    { env: { PROVIDER_KEY: KEY } },
  );
  open.runtime.trace.subscribe((event) => events.push(JSON.stringify(event)));
  for (const model of ['missing', 'quoting', 'refusing', 'cut', 'tls', 'fine', 'auto']) {
    for (const stream of [false, true]) await chat(model, stream);
  }
  const listed = await send('/api/receipts?limit=100');
  const { receipts } = (await listed.json()) as { receipts: { id: string }[] };
  for (const { id } of receipts) await send(`/api/receipts/${id}?contents=true`);
  for (const path of [
    '/metrics',
    '/api/settings',
    '/api/plan',
    '/v1/models',
    '/openapi.json',
    '/api/breakers',
    '/',
  ]) {
    await send(path);
  }
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  for (const id of ['missing', 'quoting', 'tls']) await send(`/api/deployments/${id}/probe`, init);
}, 60_000);

afterAll(async () => {
  await open.close();
  await upstream.close();
});

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { pool } = open.runtime.database;
  const tables = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const rows: string[] = [];
  for (const { name } of tables.rows) {
    const { rows: found } = await pool.query(`select row_to_json(t)::text as row from "${name}" t`);
    rows.push(...found.map(({ row }: { row: string }) => `${name} ${row}`));
  }
  return rows.join('\n');
}

async function filesOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')));
  return texts.join('\n');
}

describe('G15 secrets', () => {
  it('reached the target, so that there was something to leak', () => {
    const sent = JSON.stringify(upstream.requests);
    for (const canary of [KEY, QUERY, PROMPT, ARGUMENT]) expect(sent).toContain(canary);
    expect(answered.length).toBeGreaterThan(30);
    expect(answered.some(({ status }) => status === 502)).toBe(true);
    expect(events.length).toBeGreaterThan(20);
  });

  it('are in no answer, header, error, receipt, metric or page', () => {
    for (const { asked, text } of answered) {
      for (const canary of [KEY, QUERY]) expect(text, asked).not.toContain(canary);
    }
    for (const { asked, text, status } of answered.filter((one) => one.status !== 200)) {
      for (const canary of [PROMPT, ARGUMENT]) expect(text, `${asked} ${status}`).not.toContain(canary);
    }
    for (const { asked, text } of answered.filter(
      ({ asked }) => asked.startsWith('/api') || asked === '/metrics',
    )) {
      for (const canary of [PROMPT, ARGUMENT]) expect(text, asked).not.toContain(canary);
    }
  });

  it('are in no log line and no event', () => {
    const said = [...open.logged, ...events].join('\n');
    for (const canary of [KEY, QUERY, PROMPT, ARGUMENT]) expect(said).not.toContain(canary);
  });

  it('are in no table and no file of the data folder, with prompts kept as digests only', async () => {
    const stored = await dump();
    expect(stored).toContain('sha256:');
    const files = await filesOf(open.folder);
    expect(files).toContain('sha256:');
    for (const canary of [KEY, QUERY, PROMPT, ARGUMENT]) {
      expect(stored).not.toContain(canary);
      expect(files).not.toContain(canary);
    }
  });

  it('do not print themselves', () => {
    const secret = new Secret(KEY);
    expect([`${secret}`, JSON.stringify({ secret }), String(secret)].join()).not.toContain(KEY);
  });
});
