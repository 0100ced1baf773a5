import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { settingsSchema } from '../../src/gateway/schemas.ts';
import { deploymentSchema, roleMapSchema, settingsPreviewSchema } from '../../src/gateway/setting-schemas.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { CHAT, hello, post, type RawAnswer, send } from './gateway-request.ts';

const CANARY = 'sk-canary-4711';

let upstream: FaultyUpstream;
let gateway: OpenGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
  const deployment = (id: string, tier: 'live' | 'local') =>
    ({ id, tier, baseUrl: upstream.baseUrl, auth: { type: 'none' }, model: 'ok' }) as const;
  gateway = await openGateway(
    {
      mode: 'live',
      routing: 'cloud_first',
      limits: { retriesPerTarget: 0 },
      deployments: [deployment('cloud', 'live'), deployment('ollama', 'local')],
      defaults: { live: ['cloud'], local: ['ollama'] },
      roles: { narrator: { live: [], local: ['ollama'] } },
    },
    { env: { CONSOLE_KEY: CANARY } },
  );
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => upstream.reset());
afterEach(async () => {
  const stored = await gateway.runtime.history.current();
  const back = new Map([...stored.keys()].map((path) => [path, null]));
  if (back.size > 0) await gateway.runtime.changes.apply(back, 'cleaner');
});

const get = (path: string) => send(gateway.url, { path });
const sendJson = (method: string, path: string, body: unknown) =>
  send(gateway.url, {
    method,
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const change = (changes: object, more: object = {}) => sendJson('PUT', '/api/settings', { changes, ...more });
const create = (body: object) => post(gateway.url, '/api/deployments', body);
const remove = (id: string) => send(gateway.url, { method: 'DELETE', path: `/api/deployments/${id}` });
/** For the tables of tests, which are made before the upstream runs. */
const ELSEWHERE = { tier: 'local', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' };
const definition = (more: object = {}) => ({
  tier: 'local',
  baseUrl: upstream.baseUrl,
  auth: { type: 'none' },
  model: 'ok',
  ...more,
});
const errorOf = ({ status, json }: RawAnswer) => {
  const { error } = json as { error?: { code: string; param: string | null; message: string } };
  return { status, ...error };
};
const servedBy = async (model = 'auto') => {
  const { headers } = await post(gateway.url, CHAT, hello(model));
  const { json } = await get(`/api/receipts/${headers['x-tiercel-receipt']}`);
  return (json as { served: { deployment: string } | null }).served?.deployment;
};
const listed = async (id: string) => {
  const { deployments } = (await get('/api/deployments')).json as { deployments: { id: string }[] };
  const found = deployments.find((one) => one.id === id);
  return found && deploymentSchema.strict().parse(found);
};
const version = async () => settingsSchema.parse((await get('/api/settings')).json).version;

describe('a change of routing', () => {
  it('changes the plan of the next request', async () => {
    expect(await servedBy()).toBe('cloud');
    expect((await change({ routing: 'local_first' })).status).toBe(200);
    expect(await servedBy()).toBe('ollama');
    expect((await get('/api/plan?model=auto')).json).toMatchObject({
      candidates: [{ deployment: 'ollama' }, { deployment: 'cloud' }],
    });
  });

  it('is shown beforehand as it would be, and a preview stores nothing', async () => {
    const before = await version();
    const answer = await change({ routing: 'local_only' }, { dryRun: true });
    const { plans } = settingsPreviewSchema.strict().parse(answer.json);
    expect(plans.map(({ model, changed }) => [model, changed])).toEqual([
      ['auto', true],
      ['role:narrator', true],
    ]);
    expect(plans[0]).toMatchObject({
      before: { label: 'hybrid', candidates: [{ deployment: 'cloud' }, { deployment: 'ollama' }] },
      after: { label: 'local', excluded: [{ deployment: 'cloud', reason: 'routing_forbids' }] },
    });
    expect(await version()).toBe(before);
    expect(await servedBy()).toBe('cloud');
    expect(errorOf(await change({ routing: 'no' }, { dryRun: true }))).toMatchObject({
      code: 'invalid_request',
      param: 'routing',
    });
  });
});

describe('a deployment', () => {
  it('is added, serves the next call, is changed, and is removed', async () => {
    const created = await create({ id: 'new-1.5', ...definition({ contextWindow: 4096 }) });
    expect(created.status).toBe(201);
    expect(deploymentSchema.strict().parse(created.json)).toMatchObject({
      id: 'new-1.5',
      contextWindow: 4096,
      origin: { kind: 'console', detail: expect.stringMatching(/^local, \d{4}-/) },
      removable: true,
    });
    await change({ 'defaults.local': ['new-1.5'], routing: 'local_only' });
    expect(await servedBy()).toBe('new-1.5');
    expect((await listed('new-1.5'))?.chains).toEqual(['defaults.local']);

    await sendJson('PUT', '/api/deployments/new-1.5', definition({ model: 'status-503' }));
    expect(await servedBy()).toBeUndefined();
    expect(errorOf(await remove('new-1.5')).message).toContain('"new-1.5" is no deployment.');
    await change({ 'defaults.local': null });
    expect((await remove('new-1.5')).json).toEqual({ removed: 'new-1.5', restored: null });
    expect(errorOf(await remove('new-1.5'))).toMatchObject({ status: 404, code: 'deployment_not_found' });
  });

  it('of the file may be overridden and restored, and not removed', async () => {
    expect(errorOf(await remove('cloud'))).toMatchObject({
      status: 400,
      message: expect.stringContaining('defined by settings:'),
    });
    const changed = await sendJson('PUT', '/api/deployments/cloud', definition({ tier: 'live', model: 'x' }));
    expect(changed.json).toMatchObject({ model: 'x', removable: true, origin: { kind: 'console' } });
    expect((await remove('cloud')).json).toMatchObject({
      removed: 'cloud',
      restored: { model: 'ok', removable: false, origin: { kind: 'file' } },
    });
  });

  it('begins with a closed breaker when it is pointed elsewhere', async () => {
    await create({ id: 'bad', ...definition({ model: 'status-503' }) });
    for (let at = 0; at < 3; at++) await post(gateway.url, CHAT, hello('bad'));
    expect(await listed('bad')).toMatchObject({
      state: 'breaker_open',
      breaker: { state: 'open' },
      until: expect.any(String),
    });
    await sendJson('PUT', '/api/deployments/bad', definition());
    expect(await listed('bad')).toMatchObject({ state: 'unknown', breaker: { state: 'closed' } });
    expect(await servedBy('bad')).toBe('bad');
  });

  it('takes its key by name only: none is taken, shown or stored', async () => {
    const literal = await create({ id: 'k', ...definition({ auth: { type: 'api_key', key: CANARY } }) });
    expect(errorOf(literal)).toMatchObject({ status: 400, param: 'deployments.k' });
    expect(literal.text).toContain('neither taken over HTTP nor stored');
    const auth = { type: 'api_key', env: 'CONSOLE_KEY' };
    expect((await create({ id: 'k', ...definition({ auth }) })).json).toMatchObject({
      auth: { type: 'api_key', source: 'CONSOLE_KEY', present: true, header: 'authorization' },
    });
    expect(await servedBy('k')).toBe('k');
    expect(upstream.requests.at(-1)?.headers.authorization).toBe(`Bearer ${CANARY}`);
    const { rows } = await gateway.runtime.database.pool.query('select value::text from setting_changes');
    const shown = await Promise.all(
      ['/api/settings', '/api/deployments', '/api/settings/history'].map((path) => get(path)),
    );
    const sinks = [
      JSON.stringify(rows),
      gateway.logged.join(),
      literal.text,
      ...shown.map(({ text }) => text),
    ];
    for (const sink of sinks) expect(sink).not.toContain(CANARY);
  });

  it('shows no query of its URL, and keeps it when it is sent back as shown', async () => {
    await create({ id: 'q', ...definition({ baseUrl: `${upstream.baseUrl}?api-version=9` }) });
    const shown = (await listed('q'))?.baseUrl;
    expect(shown).toBe(`${upstream.baseUrl}?api-version=[secret]`);
    await sendJson('PUT', '/api/deployments/q', definition({ baseUrl: shown, contextWindow: 5 }));
    expect(await servedBy('q')).toBe('q');
    expect(upstream.requests.at(-1)?.path).toContain('api-version=9');
    expect((await get('/api/settings/history')).text).not.toContain('api-version=9');
  });

  it.each([
    [{ id: 'cloud', ...ELSEWHERE }, 'id', 'already'],
    [{ id: 'auto', ...ELSEWHERE }, 'deployments.auto', 'reserved'],
    [{ id: 'x', ...ELSEWHERE, modle: 1 }, 'deployments.x', 'Did you mean "model"?'],
    [{ id: 'x', ...ELSEWHERE, baseUrl: 'https://8.8.8.8' }, 'deployments.x', 'is a public address'],
    [ELSEWHERE, 'id', 'id'],
  ])('that is wrong is refused, and what was stays: %j', async (body, param, message) => {
    const before = await version();
    const answer = await create(body);
    expect(errorOf(answer)).toMatchObject({ status: 400, code: 'invalid_request', param });
    expect(answer.text).toContain(JSON.stringify(message).slice(1, -1));
    expect(await version()).toBe(before);
    expect(await servedBy()).toBe('cloud');
  });

  it('can be tried before it is added', async () => {
    const before = await version();
    const body = definition({ tier: 'live', model: 'nowhere' });
    expect((await post(gateway.url, '/api/deployments/probe', body)).json).toMatchObject({
      ok: true,
      servesModel: false,
      models: expect.arrayContaining(['ok']),
    });
    const closed = { ...body, baseUrl: 'http://127.0.0.1:1/v1' };
    expect((await post(gateway.url, '/api/deployments/probe', closed)).json).toMatchObject({
      ok: false,
      code: 'upstream_unreachable',
    });
    expect(errorOf(await post(gateway.url, '/api/deployments/probe', { tier: 'live' })).status).toBe(400);
    expect(await version()).toBe(before);
    expect(gateway.runtime.settings.current().deployments).toHaveLength(2);
  });
});

describe('undo', () => {
  it.each<[string, object, () => Promise<unknown>]>([
    ['routing', { routing: 'local_only' }, async () => gateway.runtime.settings.current().routing],
    ['a limit', { 'limits.totalMs': 9 }, async () => gateway.runtime.settings.current().limits.totalMs],
    ['a chain', { 'roles.narrator.live': ['cloud'] }, async () => (await get('/api/roles')).json],
    ['an added deployment', { 'deployments.a': ELSEWHERE }, () => listed('a')],
    [
      'an overridden deployment',
      { 'deployments.ollama': ELSEWHERE },
      async () => gateway.runtime.settings.current().deployments,
    ],
  ])('takes back %s', async (_name, changes, look) => {
    const before = await look();
    await change(changes);
    expect(await look()).not.toEqual(before);
    expect((await post(gateway.url, '/api/settings/undo', {})).status).toBe(200);
    expect(await look()).toEqual(before);
  });

  it('takes back a removal, by its version', async () => {
    await create({ id: 'a', ...definition({ contextWindow: 7 }) });
    await remove('a');
    await post(gateway.url, '/api/settings/undo', { version: await version() });
    expect(await listed('a')).toMatchObject({ contextWindow: 7 });
  });

  it('is refused where it would leave a chain without its deployment, and stores nothing', async () => {
    await create({ id: 'a', ...definition() });
    const added = await version();
    await change({ 'defaults.local': ['a'] });
    const before = await version();
    const answer = await post(gateway.url, '/api/settings/undo', { version: added });
    expect(errorOf(answer)).toMatchObject({ status: 400, param: 'version' });
    expect(answer.text).toContain('is no deployment');
    expect(await version()).toBe(before);
    expect(await listed('a')).toBeDefined();
    expect((await change({ floor: 'never' })).status).toBe(200);
  });
});

describe('the history', () => {
  it('says what was changed, from what, by whom and when', async () => {
    const key = await gateway.runtime.keys.create({ name: 'ada-key', principal: 'ada', admin: true });
    await change({ floor: 'never' });
    await send(gateway.url, {
      method: 'PUT',
      path: '/api/settings',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key.key}` },
      body: JSON.stringify({ changes: { floor: 'always' } }),
    });
    const { changes } = (await get('/api/settings/history?limit=2')).json as { changes: object[] };
    expect(changes).toMatchObject([
      { path: 'floor', value: 'always', previous: 'never', author: 'ada', at: expect.any(String) },
      { path: 'floor', value: 'never', previous: null, author: 'local' },
    ]);
  });
});

describe('the role map', () => {
  it('names chains, models and where each comes from', async () => {
    await change({ 'roles.narrator.live': ['cloud'] });
    const { defaults, roles } = roleMapSchema.strict().parse((await get('/api/roles')).json);
    expect(defaults.live).toMatchObject({ chain: [{ deployment: 'cloud', model: 'ok' }] });
    expect(roles[0]).toMatchObject({
      name: 'narrator',
      label: 'hybrid',
      live: { origin: { kind: 'console' } },
    });
    await change({ 'roles.narrator.live': null });
    const after = roleMapSchema.parse((await get('/api/roles')).json);
    expect(after.roles[0]?.live.origin).toEqual({ kind: 'inherited', detail: 'defaults.live' });
  });
});
