import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import type { RunDetail, RunSummary } from '../../src/runtime/runs/run.ts';
import { withRun } from '../../src/trace/context.ts';
import type { ChainedEvent } from '../../src/trace/event.ts';
import { verifyExport } from '../../src/trace/verify.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { CHAT, hello, post, send } from './gateway-request.ts';

const codeOf = (json: unknown) => (json as { error?: { code?: string } }).error?.code;
const request = { messages: [{ role: 'user' as const, content: 'Hello' }] };

let upstream: FaultyUpstream;
let gateway: OpenGateway;
let user: string;
beforeAll(async () => {
  upstream = await startFaultyUpstream();
  const deployment = (id: string, model: string) =>
    ({ id, tier: 'local', baseUrl: upstream.baseUrl, auth: { type: 'none' }, model }) as const;
  gateway = await openGateway({
    mode: 'local',
    limits: { retriesPerTarget: 0 },
    deployments: [deployment('first', 'status-503'), deployment('second', 'ok'), deployment('hang', 'hang')],
    defaults: { local: ['first', 'second'] },
    breaker: { failures: 1000 },
  });
  user = (await gateway.runtime.keys.create({ name: 'user', principal: 'user', admin: false })).key;
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const get = (path: string, headers: Record<string, string> = {}) => send(gateway.url, { path, headers });
const asUser = () => ({ authorization: `Bearer ${user}` });

async function call(model = 'auto', headers: Record<string, string> = {}): Promise<string> {
  const answer = await post(gateway.url, CHAT, hello(model), headers);
  return String(answer.headers['x-tiercel-receipt'] ?? codeOf(answer.json));
}

type Page<Item> = { data: Item[]; next: string | null };
const pageOf = async <Item>(path: string) => (await get(path)).json as Page<Item>;

describe('GET /api/runs', () => {
  it('lists runs newest first, by pages that new runs do not move', async () => {
    const ids = [await call(), await call('second'), await call('simulation')];
    const first = await pageOf<RunSummary>('/api/runs?limit=2');
    expect(first.data.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    await call();
    const second = await pageOf<RunSummary>(`/api/runs?limit=1&cursor=${first.next}`);
    expect(second.data[0]).toMatchObject({
      id: ids[0],
      requested: 'auto',
      principal: 'local',
      outcome: 'ok',
      served: { deployment: 'second' },
      fallbackReason: 'upstream_unavailable',
      receiptIds: [ids[0]],
      usage: { inputTokens: expect.any(Number) },
    });
  });

  it('filters by tier, outcome, text and receipt', async () => {
    const failed = await call('first');
    const simulated = await call('simulation');
    const idsOf = async (query: string) =>
      (await pageOf<RunSummary>(`/api/runs?${query}`)).data.map(({ id }) => id);
    expect(await idsOf('tier=simulation')).toContain(simulated);
    expect(await idsOf('tier=simulation')).not.toContain(failed);
    expect(await idsOf('outcome=error')).toContain(failed);
    expect(await idsOf('outcome=error')).not.toContain(simulated);
    expect(await idsOf('q=SIMULATION')).toContain(simulated);
    expect(await idsOf(`q=${failed}&limit=1`)).toEqual([failed]);
    expect((await get('/api/runs?limit=0')).status).toBe(400);
  });

  it('shows a principal its own runs only', async () => {
    const own = await call('second', asUser());
    const others = await call('second');
    const { data } = (await get('/api/runs', asUser())).json as Page<RunSummary>;
    expect(data.map(({ principal }) => principal)).toEqual(data.map(() => 'user'));
    expect(data[0]?.id).toBe(own);
    expect((await get('/api/runs?principal=local', asUser())).status).toBe(403);
    expect((await get(`/api/runs/${own}`, asUser())).status).toBe(200);
    const hidden = await get(`/api/runs/${others}`, asUser());
    expect([hidden.status, codeOf(hidden.json)]).toEqual([404, 'run_not_found']);
  });
});

describe('GET /api/runs/:id', () => {
  it('gives receipts with contents, events, and spans that the events name', async () => {
    const id = await call();
    const { run, receipts, events, spans } = (await get(`/api/runs/${id}`)).json as RunDetail;
    expect(run.id).toBe(id);
    expect(receipts[0]?.contents?.request).toContain('Hello');
    expect(events.map(({ type }) => type)).toEqual([
      'PLAN_RESOLVED',
      'INFERENCE_ATTEMPT',
      'INFERENCE_FELL_BACK',
      'INFERENCE_ATTEMPT',
      'INFERENCE_SERVED',
    ]);
    expect(spans.map(({ kind, name, outcome }) => [kind, name, outcome])).toEqual([
      ['run', 'auto', 'ok'],
      ['plan', 'plan', 'ok'],
      ['attempt', 'first', 'failed'],
      ['attempt', 'second', 'served'],
    ]);
    const known = new Set(spans.map((span) => span.id));
    expect(events.every(({ spanId }) => known.has(spanId))).toBe(true);
    for (const span of spans) {
      expect(span.startMs).toBeGreaterThanOrEqual(0);
      expect(span.endMs).toBeGreaterThanOrEqual(span.startMs);
    }
    expect(spans[3]?.marks?.map(({ name }) => name)).toContain('header');
  });

  it('shows a run under way, and its calls below it when it has ended', async () => {
    const { trace, router } = gateway.runtime;
    let runId = '';
    const stop = trace.subscribe((event) => {
      if (event.type === 'RUN_STARTED') runId = event.runId;
    });
    const controller = new AbortController();
    const work = withRun(trace, { actor: 'local', name: 'two calls' }, async () => {
      await router.complete({ model: 'auto', request });
      await router.complete({ model: 'hang', request, signal: controller.signal }).catch(() => {});
    });
    while (!upstream.requests.some(({ model }) => model === 'hang')) await sleep(10);
    stop();
    const open = (await get(`/api/runs/${runId}`)).json as RunDetail;
    expect(open.run).toMatchObject({ outcome: 'running', endedAt: null });
    expect(open.spans[0]).toMatchObject({ kind: 'run', endMs: null });
    const listed = await pageOf<RunSummary>('/api/runs?outcome=running');
    expect(listed.data.map(({ id }) => id)).toEqual([runId]);

    controller.abort();
    await work;
    const done = (await get(`/api/runs/${runId}`)).json as RunDetail;
    expect(done.run).toMatchObject({ outcome: 'ok', receiptIds: [expect.any(String), expect.any(String)] });
    expect(done.spans.map(({ kind }) => kind)).toEqual([
      'run',
      'plan',
      'attempt',
      'attempt',
      'plan',
      'attempt',
    ]);
    const found = await pageOf<RunSummary>(`/api/runs?q=${done.run.receiptIds[1]}`);
    expect(found.data.map(({ id }) => id)).toEqual([runId]);
  });

  it('answers 404 for what is no run', async () => {
    for (const id of ['nothing', '01939f2e-5c1a-7000-8000-3f1d2c4b5a69']) {
      expect(codeOf((await get(`/api/runs/${id}`)).json)).toBe('run_not_found');
    }
  });
});

describe('GET /api/events', () => {
  it('pages through all events once, though new ones come', async () => {
    await call();
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const page: Page<ChainedEvent> = await pageOf(`/api/events?limit=7${next ? `&cursor=${next}` : ''}`);
      seen.push(...page.data.map(({ id }) => id));
      next = page.next;
      if (seen.length < 20) await call('simulation');
    } while (next);
    expect(new Set(seen).size).toBe(seen.length);
    expect([...seen].sort().reverse()).toEqual(seen);
  });

  it('filters by several types, by text and by run', async () => {
    const id = await call();
    const typed = await pageOf<ChainedEvent>(`/api/events?runId=${id}&type=PLAN_RESOLVED,INFERENCE_SERVED`);
    expect(typed.data.map(({ type }) => type)).toEqual(['INFERENCE_SERVED', 'PLAN_RESOLVED']);
    const searched = await pageOf<ChainedEvent>('/api/events?q=FELL_back&limit=1');
    expect(searched.data[0]?.type).toBe('INFERENCE_FELL_BACK');
    expect((await get('/api/events?after=yesterday')).status).toBe(400);
  });

  it('shows the chain of causes from root to leaves', async () => {
    const id = await call();
    const { data } = await pageOf<ChainedEvent>(`/api/events?runId=${id}&type=INFERENCE_FELL_BACK`);
    const { path, effects } = (await get(`/api/events/${data[0]?.id}/chain`)).json as {
      path: ChainedEvent[];
      effects: ChainedEvent[];
    };
    expect(path.map(({ type }) => type)).toEqual([
      'PLAN_RESOLVED',
      'INFERENCE_ATTEMPT',
      'INFERENCE_FELL_BACK',
    ]);
    expect(effects.map(({ type }) => type)).toEqual(['INFERENCE_ATTEMPT', 'INFERENCE_SERVED']);
    expect(codeOf((await get('/api/events/none/chain')).json)).toBe('event_not_found');
  });

  it('is for admins', async () => {
    for (const path of ['/api/events', '/api/events/stream', '/api/events/export', '/api/ledger']) {
      expect((await get(path, asUser())).status).toBe(403);
    }
  });
});

/** Reads a stream until it has so many events, then leaves. */
async function listen(
  path: string,
  count: number,
  { headers = {}, opened }: { headers?: Record<string, string>; opened?: () => Promise<unknown> } = {},
): Promise<ChainedEvent[]> {
  const controller = new AbortController();
  const response = await fetch(`${gateway.url}${path}`, { headers, signal: controller.signal });
  const found: ChainedEvent[] = [];
  let text = '';
  let told = false;
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString('utf8');
    if (!told && text.includes(': open')) {
      told = true;
      await opened?.();
    }
    for (const [, id, data] of text.matchAll(/id: (.+)\ndata: (.+)\n\n/g)) {
      const event = JSON.parse(data ?? '') as ChainedEvent;
      expect(event.id).toBe(id);
      if (!found.some((one) => one.id === event.id)) found.push(event);
    }
    if (found.length >= count) break;
  }
  controller.abort();
  return found;
}

describe('GET /api/events/stream', () => {
  it('sends events as they are stored, filtered, and goes on after Last-Event-ID', async () => {
    let id = '';
    const path = '/api/events/stream?type=PLAN_RESOLVED,INFERENCE_SERVED';
    const [first] = await listen(path, 1, {
      async opened() {
        id = await call();
      },
    });
    expect(first).toMatchObject({ type: 'PLAN_RESOLVED', runId: id });
    const missed = await call('simulation');
    const rest = await listen(path, 3, { headers: { 'last-event-id': String(first?.id) } });
    expect(rest.map(({ type, runId }) => [type, runId])).toEqual([
      ['INFERENCE_SERVED', id],
      ['PLAN_RESOLVED', missed],
      ['INFERENCE_SERVED', missed],
    ]);
    expect((await get('/api/events/stream', { 'last-event-id': 'x' })).status).toBe(400);
  });
});

describe('the ledger', () => {
  it('is exported as lines that verify without the database', async () => {
    await call();
    const { text, headers } = await get('/api/events/export');
    expect(headers['content-type']).toBe('application/x-ndjson');
    const path = join(gateway.folder, 'export.jsonl');
    await writeFile(path, text);
    const report = await verifyExport(path);
    expect(report.intact).toBe(true);
    expect(report.events).toBe(text.trim().split('\n').length);
    expect((await readFile(path, 'utf8')).endsWith('\n')).toBe(true);
  });

  it('tells where it stands, verifies, and names the first altered event', async () => {
    const verify = async () =>
      (await post(gateway.url, '/api/ledger/verify', {})).json as {
        intact: boolean;
        chains: { findings: { kind: string; seq: number }[] }[];
      };
    await gateway.runtime.ledger.checkpoint();
    expect(await verify()).toMatchObject({ intact: true });
    const state = (await get('/api/ledger')).json as {
      count: number;
      writer: string;
      chains: { writer: string; head: { seq: number } }[];
      checkpoints: ChainedEvent[];
      publicKey: string;
      lastVerified: { report: { intact: boolean } };
    };
    expect(state.chains[0]).toMatchObject({ writer: state.writer, head: { seq: state.count } });
    expect(state.checkpoints[0]?.type).toBe('LEDGER_CHECKPOINT');
    expect(state.publicKey).toBe(gateway.runtime.ledger.publicKey);
    expect(state.lastVerified.report.intact).toBe(true);

    const { pool } = gateway.runtime.database;
    await pool.query("update events set body = replace(body, 'local', 'lokal') where seq = 3");
    const broken = await verify();
    expect(broken.intact).toBe(false);
    expect(broken.chains[0]?.findings[0]).toMatchObject({ kind: 'altered', seq: 3 });
  });
});

describe('a stop', () => {
  it('ends streams that would go on for ever', async () => {
    const other = await openGateway({});
    const response = await fetch(`${other.url}/api/events/stream`);
    const began = performance.now();
    const text = response.text();
    await other.close();
    expect(await text).toContain(': open');
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
