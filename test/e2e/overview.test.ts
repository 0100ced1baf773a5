import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { overviewSchema } from '../../src/gateway/setting-schemas.ts';
import type { TiercelConfig } from '../../src/runtime/tiercel.ts';
import { createPostgresDatabase, describePostgres } from '../support/database.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { CHAT, hello, post, send } from './gateway-request.ts';

let cloud: FaultyUpstream;
let home: FaultyUpstream;
let gateway: OpenGateway;

beforeEach(async () => {
  [cloud, home] = await Promise.all([startFaultyUpstream(), startFaultyUpstream()]);
  gateway = await openGateway(config());
});
afterEach(async () => {
  await gateway.close();
  await Promise.all([cloud.close(), home.close()]);
});

function config(): TiercelConfig {
  const auth = { type: 'none' } as const;
  return {
    mode: 'live',
    routing: 'cloud_first',
    limits: { retriesPerTarget: 0 },
    deployments: [
      {
        id: 'cloud',
        tier: 'live',
        baseUrl: cloud.baseUrl,
        auth,
        model: 'ok',
        price: { inputPerM: 1e6, outputPerM: 0 },
      },
      { id: 'broken', tier: 'live', baseUrl: cloud.baseUrl, auth, model: 'status-503' },
      { id: 'ollama', tier: 'local', baseUrl: home.baseUrl, auth, model: 'ok' },
    ],
    defaults: { live: ['cloud'], local: ['ollama'] },
    roles: { narrator: { live: ['broken'], local: ['ollama'] } },
  };
}

const overview = async (query = '', headers: Record<string, string> = {}) => {
  const { json } = await send(gateway.url, { path: `/api/overview${query}`, headers });
  return overviewSchema.strict().parse(json);
};
const statesOf = async () =>
  Object.fromEntries((await overview()).deployments.map(({ id, state }) => [id, state]));
const settled = async (last: number) =>
  expect.poll(async () => (await overview()).totals.requests, { timeout: 5000 }).toBe(last);

describe('the overview', () => {
  it('says what runs and what serves, and finds by itself who is there', async () => {
    const first = await overview();
    expect(first).toMatchObject({
      mode: 'live',
      routing: 'cloud_first',
      floor: 'roles',
      database: 'embedded',
      label: 'hybrid',
      plan: { candidates: [{ deployment: 'cloud' }, { deployment: 'ollama' }], excluded: [] },
      totals: { requests: 0, p50Ms: null, cost: null },
    });
    expect(first.buckets).toHaveLength(15);
    await expect.poll(statesOf).toMatchObject({ cloud: 'connected', ollama: 'connected' });
    expect(cloud.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('counts requests, fallbacks, tokens and cost of the last minutes', async () => {
    await post(gateway.url, CHAT, hello('cloud'));
    await post(gateway.url, CHAT, hello('role:narrator'));
    await post(gateway.url, CHAT, hello('broken'));
    await settled(3);
    const { totals, buckets } = await overview('?minutes=2');
    expect(totals).toMatchObject({
      requests: 3,
      fallbacks: 1,
      failed: 1,
      p50Ms: expect.any(Number),
      cost: { currency: 'USD' },
    });
    expect(buckets).toHaveLength(2);
    const sum = (field: 'live' | 'local' | 'failed' | 'inputTokens') =>
      buckets.reduce((total, bucket) => total + bucket[field], 0);
    expect([sum('live'), sum('local'), sum('failed')]).toEqual([1, 1, 1]);
    expect(sum('inputTokens')).toBe(totals.inputTokens);
    expect(totals.inputTokens).toBeGreaterThan(0);
    expect(totals.cost?.amount).toBeCloseTo(buckets.reduce((total, { cost }) => total + cost, 0));
  });

  it('shows one without an admin key the own calls only', async () => {
    const { key } = await gateway.runtime.keys.create({ name: 'bob', principal: 'bob', admin: false });
    const bob = { authorization: `Bearer ${key}` };
    await post(gateway.url, CHAT, hello('cloud'));
    await post(gateway.url, CHAT, hello('cloud'), bob);
    await settled(2);
    expect((await overview('', bob)).totals.requests).toBe(1);
  });

  it('calls attention to what is broken', async () => {
    for (let at = 0; at < 3; at++) await post(gateway.url, CHAT, hello('broken'));
    const { attention, deployments } = await overview();
    expect(deployments.find(({ id }) => id === 'broken')).toMatchObject({
      state: 'breaker_open',
      until: expect.any(String),
    });
    expect(attention).toContainEqual({
      kind: 'breaker_open',
      text: expect.stringMatching(/^broken: breaker open until .*HTTP 503/),
      href: '/settings#deployments',
    });
  });

  it.each(['?minutes=0', '?minutes=1441', '?minutes=x', '?hours=1'])('refuses %s', async (query) => {
    expect((await send(gateway.url, { path: `/api/overview${query}` })).status).toBe(400);
  });
});

describe('under local_only', () => {
  it('nothing is sent out by looking, by probing, or by trying a new deployment', async () => {
    await gateway.runtime.changes.apply(new Map([['routing', 'local_only']]), 'ada');
    await expect.poll(statesOf).toMatchObject({ cloud: 'standby', ollama: 'connected' });
    expect(cloud.connections()).toBe(0);
    // Loopback is inside: the targets that may not be reached are beyond it.
    const denials: unknown[] = [];
    gateway.runtime.trace.subscribe(({ type }) => denials.push(type));
    const away = { tier: 'live', baseUrl: 'https://192.0.2.1/v1', auth: { type: 'none' }, model: 'm' };
    const tried = await post(gateway.url, '/api/deployments/probe', away);
    expect(tried.json).toMatchObject({ ok: false, code: 'egress_denied' });
    await gateway.runtime.changes.apply(
      new Map<string, unknown>([
        ['deployments.away', away],
        ['defaults.live', ['away']],
      ]),
      'ada',
    );
    denials.length = 0;
    expect((await statesOf())['away']).toBe('standby');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await statesOf())['away']).toBe('standby');
    expect(denials).not.toContain('EGRESS_DENIED');
    const probed = await post(gateway.url, '/api/deployments/away/probe', {});
    expect(probed.json).toMatchObject({ ok: false, code: 'egress_denied' });
    expect(denials).toContain('EGRESS_DENIED');
  });
});

describePostgres('two processes on one database', (server) => {
  it('follow each other within two seconds, deployments and all, and refuse what would not fit', async () => {
    const databaseUrl = (await createPostgresDatabase(server())).reveal();
    const [one, two] = [
      await openGateway({ ...config(), databaseUrl }),
      await openGateway({ ...config(), databaseUrl }),
    ];
    try {
      const body = {
        id: 'shared',
        tier: 'local',
        baseUrl: home.baseUrl,
        auth: { type: 'none' },
        model: 'ok',
      };
      expect((await post(one.url, '/api/deployments', body)).status).toBe(201);
      await one.runtime.changes.apply(new Map([['routing', 'local_only']]), 'ada');
      const inForce = () => {
        const { routing, deployments } = two.runtime.settings.current();
        return [routing, deployments.some(({ id }) => id === 'shared')];
      };
      await expect.poll(inForce, { timeout: 2000, interval: 20 }).toEqual(['local_only', true]);
      expect((await post(two.url, CHAT, hello('shared'))).headers['x-tiercel-tier']).toBe('local');

      // Taken out by one and, before it can know, named in a chain by the other.
      await one.runtime.changes.apply(new Map([['deployments.shared', null]]), 'ada');
      const late = two.runtime.changes.apply(new Map([['defaults.local', ['shared']]]), 'bob');
      await expect(late).rejects.toMatchObject({ code: 'config_invalid' });
      await expect.poll(() => inForce()[1], { timeout: 2000, interval: 20 }).toBe(false);
      expect((await one.runtime.history.current()).has('defaults.local')).toBe(false);
    } finally {
      await one.close();
      await two.close();
    }
  });
});
