import { describe, expect, it } from 'vitest';
import { resolveSettings } from '../config/resolve.ts';
import type { Deployment, Settings } from '../config/settings.ts';
import { type Breakers, createBreakers } from '../inference/breaker.ts';
import type { Probe } from '../inference/probe.ts';
import type { Attempt, Receipt } from '../inference/receipt.ts';
import { createDeploymentStates, type DeploymentStates } from './deployment-states.ts';

const YAML = `
mode: live
routing: local_first
deployments:
  - { id: cloud, tier: live, baseUrl: "https://example.com/v1", model: m }
  - { id: keyless, tier: live, baseUrl: "https://example.com/v1", model: m, auth: { type: api_key, env: NO_KEY } }
  - { id: here, tier: local, baseUrl: "http://127.0.0.1:1/v1", model: m }
  - { id: alone, tier: local, baseUrl: "http://127.0.0.1:2/v1", model: m }
defaults: { live: [cloud, keyless], local: [here] }
`;

function settingsOf(changes: Record<string, unknown> = {}): Settings {
  const runtime = new Map(
    Object.entries(changes).map(([path, value]) => [path, { value, author: 'a', at: new Date(0) }]),
  );
  const file = { name: 'f', text: YAML };
  return resolveSettings({ file, env: {}, runtime, readKeyFile: () => undefined }).settings;
}

type Bench = {
  states: DeploymentStates;
  breakers: Breakers;
  /** Ids in the order in which they were probed. */
  probed: string[];
  answers: Map<string, Promise<Probe>>;
  settings: Settings;
  time: number;
  stateOf(id: string): Record<string, unknown>;
  settled(): Promise<void>;
};

function createBench(): Bench {
  const bench: Partial<Bench> = { settings: settingsOf(), time: 1_000_000, probed: [], answers: new Map() };
  const made = bench as Bench;
  made.breakers = createBreakers(
    () => made.settings.breaker,
    () => {},
    () => made.time,
  );
  made.states = createDeploymentStates({
    settings: () => made.settings,
    breakers: made.breakers,
    now: () => made.time,
    probe({ id }) {
      made.probed.push(id);
      return made.answers.get(id) ?? Promise.resolve(well(id));
    },
  });
  made.stateOf = (id) => ({ ...made.states.look().find((one) => one.id === id) });
  made.settled = () => new Promise((resolve) => setImmediate(resolve));
  return made;
}

function well(deployment: string): Probe {
  return { ok: true, deployment, latencyMs: 7, models: ['m'], servesModel: true };
}

function receiptOf(...attempts: Partial<Attempt>[]): Receipt {
  return { attempts: attempts.map((attempt) => ({ model: 'm', ...attempt })) } as Receipt;
}

const byId = ({ deployments }: Settings, id: string): Deployment => {
  const found = deployments.find((one) => one.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};

describe('looking', () => {
  it('never waits: it answers what is known, and asks those of the plans in the background', async () => {
    const bench = createBench();
    expect(bench.states.look().map(({ id, state }) => [id, state])).toEqual([
      ['cloud', 'unknown'],
      ['keyless', 'not_configured'],
      ['here', 'unknown'],
      ['alone', 'unknown'],
    ]);
    expect(bench.probed).toEqual(['cloud', 'here']);
    await bench.settled();
    expect(bench.stateOf('here')).toMatchObject({ state: 'connected', latencyMs: 7 });
  });

  it('asks again when the last word is 15 s old, and nobody twice at a time', async () => {
    const bench = createBench();
    bench.answers.set('cloud', new Promise(() => {}));
    bench.states.look();
    bench.states.look();
    expect(bench.probed).toEqual(['cloud', 'here']);
    await bench.settled();
    bench.time += 14_999;
    bench.states.look();
    expect(bench.probed).toHaveLength(2);
    bench.time += 1;
    bench.states.look();
    expect(bench.probed).toEqual(['cloud', 'here', 'here']);
  });

  it.each([
    ['routing', 'local_only', 'cloud', ['here']],
    ['routing', 'cloud_only', 'here', ['cloud']],
    ['mode', 'local', 'cloud', ['here']],
    ['mode', 'simulation', 'here', []],
  ])('under %s %s leaves %s in standby and does not ask it', (path, value, id, asked) => {
    const bench = createBench();
    bench.settings = settingsOf({ [path]: value });
    expect(bench.stateOf(id)).toMatchObject({ state: 'standby', detail: expect.stringContaining(value) });
    expect(bench.probed).toEqual(asked);
  });

  it('says why a deployment cannot be reached, and until when its breaker is open', async () => {
    const bench = createBench();
    const failed = { ok: false, deployment: 'here', latencyMs: 1, code: 'c', message: 'refused' } as const;
    bench.answers.set('here', Promise.resolve(failed));
    bench.states.look();
    await bench.settled();
    expect(bench.stateOf('here')).toMatchObject({ state: 'unreachable', detail: 'refused' });
    for (let at = 0; at < 3; at++) bench.breakers.acquire('here')?.report({ kind: 'failing' });
    expect(bench.stateOf('here')).toMatchObject({
      state: 'breaker_open',
      until: new Date(bench.time + 30_000).toISOString(),
      detail: 'refused',
    });
  });

  it('tells that a target does not list the model', async () => {
    const bench = createBench();
    bench.answers.set('here', Promise.resolve({ ...well('here'), servesModel: false } as Probe));
    bench.states.look();
    await bench.settled();
    expect(bench.stateOf('here')).toMatchObject({
      state: 'connected',
      detail: expect.stringContaining(' m.'),
    });
  });
});

describe('calls', () => {
  it('count as the last word, so that a busy deployment is not probed', () => {
    const bench = createBench();
    bench.states.observe(
      receiptOf(
        { deployment: 'cloud', outcome: 'failed', errorCode: 'upstream_unavailable', httpStatus: 503 },
        { deployment: 'here', outcome: 'served', headerMs: 12 },
      ),
    );
    expect(bench.stateOf('here')).toMatchObject({ state: 'connected', latencyMs: 12 });
    expect(bench.stateOf('cloud')).toMatchObject({
      state: 'unreachable',
      detail: expect.stringContaining('HTTP 503'),
    });
    expect(bench.probed).toEqual([]);
  });

  it('say that a target is there when it blames the caller, and nothing when the caller left', () => {
    const bench = createBench();
    bench.states.observe(
      receiptOf(
        { deployment: 'here', outcome: 'failed', errorCode: 'content_filtered' },
        { deployment: 'alone', outcome: 'cancelled', errorCode: 'client_closed' },
      ),
    );
    expect(bench.stateOf('here')).toMatchObject({ state: 'connected' });
    expect(bench.stateOf('alone')).toMatchObject({ state: 'unknown' });
  });
});

describe('a deployment that is defined anew', () => {
  it('begins as unknown, keeps nothing of the former target, and is asked at once', async () => {
    const bench = createBench();
    bench.states.look();
    await bench.settled();
    expect(bench.states.lastProbe(byId(bench.settings, 'here'))).toMatchObject({ ok: true });
    bench.settings = settingsOf({ 'limits.totalMs': 5 });
    expect(bench.stateOf('here')).toMatchObject({ state: 'connected' });
    bench.settings = settingsOf({
      'deployments.here': { tier: 'local', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' },
    });
    bench.probed.length = 0;
    expect(bench.stateOf('here')).toMatchObject({ state: 'unknown' });
    expect(bench.states.lastProbe(byId(bench.settings, 'here'))).toBeNull();
    expect(bench.probed).toEqual(['here']);
  });
});
