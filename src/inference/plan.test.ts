import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../config/schema.ts';
import { type Deployment, FLOORS, MODES, ROUTINGS, type Role, type Settings } from '../config/settings.ts';
import { allowedTiers, type Health, plan, type RequestNeeds, type Target } from './plan.ts';

const healthy: Health = { breaker: () => ({ state: 'closed', failures: 0 }) };
const chat: RequestNeeds = { kind: 'chat', inputTokens: 0, tools: false };

function deployment(id: string, tier: 'live' | 'local', more: Partial<Deployment> = {}): Deployment {
  return {
    id,
    tier,
    baseUrl: 'http://127.0.0.1:1/v1',
    auth: { type: 'none' },
    model: `${id}-model`,
    capabilities: {},
    ...more,
  };
}

const cloud = deployment('cloud', 'live');
const ollama = deployment('ollama', 'local');

function settings(more: Partial<Settings>): Settings {
  return {
    ...(DEFAULTS as unknown as Settings),
    databaseUrl: null,
    deployments: [cloud, ollama],
    defaults: { live: ['cloud'], local: ['ollama'] },
    roles: [],
    ...more,
  };
}

const roleWithSimulator: Role = { name: 'narrator', live: ['cloud'], local: ['ollama'], simulator: true };
const auto: Target = { kind: 'auto' };
const narrator: Target = { kind: 'role', role: roleWithSimulator };

function tiersOf(given: Settings, target: Target = narrator) {
  return plan(given, target, chat, healthy).candidates.map(({ tier }) => tier);
}

describe('plan', () => {
  it.each([
    ['simulation', 'local_first', ['simulation'], 'simulation'],
    ['simulation', 'cloud_only', ['simulation'], 'simulation'],
    ['local', 'local_first', ['local', 'simulation'], 'local'],
    ['local', 'cloud_first', ['local', 'simulation'], 'local'],
    ['local', 'local_only', ['local', 'simulation'], 'local'],
    ['local', 'cloud_only', ['simulation'], 'simulation'],
    ['live', 'local_first', ['local', 'live', 'simulation'], 'hybrid'],
    ['live', 'cloud_first', ['live', 'local', 'simulation'], 'hybrid'],
    ['live', 'local_only', ['local', 'simulation'], 'local'],
    ['live', 'cloud_only', ['live', 'simulation'], 'live'],
  ] as const)('in mode %s with routing %s asks %j and is labelled %s', (mode, routing, tiers, label) => {
    const result = plan(settings({ mode, routing }), narrator, chat, healthy);
    expect(result.candidates.map(({ tier }) => tier)).toEqual(tiers);
    expect(result.label).toBe(label);
  });

  it('G26 is labelled local when only a local deployment is configured, whatever the routing prefers', () => {
    const only = settings({
      mode: 'live',
      routing: 'cloud_first',
      deployments: [ollama],
      defaults: { live: [], local: ['ollama'] },
    });
    const result = plan(only, auto, chat, healthy);
    expect(result.label).toBe('local');
    expect(result.candidates.map((one) => one.deployment)).toEqual(['ollama']);
  });

  it('names no tier when none may serve', () => {
    const none = settings({ mode: 'live', deployments: [], defaults: { live: [], local: [] } });
    expect(plan(none, auto, chat, healthy)).toMatchObject({ label: 'none', candidates: [] });
    expect(plan(none, narrator, chat, healthy)).toMatchObject({ label: 'simulation' });
  });

  it('ends in simulation only where simulated text is honest', () => {
    const live = { mode: 'live', routing: 'cloud_only' } as const;
    const plain: Target = { kind: 'role', role: { ...roleWithSimulator, simulator: false } };
    expect(tiersOf(settings(live), auto)).toEqual(['live']);
    expect(tiersOf(settings(live), plain)).toEqual(['live']);
    expect(tiersOf(settings(live), narrator)).toEqual(['live', 'simulation']);
    expect(tiersOf(settings({ ...live, floor: 'always' }), auto)).toEqual(['live', 'simulation']);
    expect(tiersOf(settings({ ...live, floor: 'never' }), narrator)).toEqual(['live']);
    expect(
      tiersOf(settings({ ...live, floor: 'always' }), { kind: 'deployment', deployment: cloud }),
    ).toEqual(['live']);
    expect(tiersOf(settings(live), { kind: 'simulation' })).toEqual(['simulation']);
    expect(tiersOf(settings({ ...live, floor: 'never' }), { kind: 'simulation' })).toEqual([]);
  });

  it('never simulates an embedding', () => {
    const needs: RequestNeeds = { kind: 'embeddings', inputTokens: 1, tools: false };
    expect(plan(settings({ mode: 'simulation' }), narrator, needs, healthy).candidates).toEqual([]);
    expect(
      plan(settings({ mode: 'live', floor: 'always' }), { kind: 'simulation' }, needs, healthy).candidates,
    ).toEqual([]);
  });

  it('says why each deployment is left out', () => {
    const chain = ['nokey', 'small', 'toolless', 'denied', 'open', 'fine'];
    const deployments = [
      deployment('nokey', 'live', {
        auth: { type: 'api_key', key: null, header: 'authorization', source: 'env X' },
      }),
      deployment('small', 'live', { contextWindow: 100 }),
      deployment('toolless', 'live', { capabilities: { tools: false } }),
      deployment('denied', 'live'),
      deployment('open', 'live'),
      deployment('fine', 'live'),
      ollama,
    ];
    const given = settings({
      mode: 'live',
      routing: 'cloud_only',
      deployments,
      defaults: { live: chain, local: ['ollama'] },
    });
    const health: Health = {
      breaker: (id) => (id === 'open' ? { state: 'open', until: 1 } : { state: 'closed', failures: 0 }),
      restriction: ({ id }) => (id === 'denied' ? 'policy_denied' : null),
    };
    const result = plan(given, auto, { kind: 'chat', inputTokens: 1000, tools: true }, health);
    expect(result.excluded.map(({ deployment: id, reason }) => [id, reason])).toEqual([
      ['nokey', 'not_configured'],
      ['small', 'context_too_small'],
      ['toolless', 'capability_missing'],
      ['denied', 'policy_denied'],
      ['open', 'breaker_open'],
      ['ollama', 'routing_forbids'],
    ]);
    expect(result.candidates.map((one) => one.deployment)).toEqual(['fine']);
    expect(result.displaced).toBe('context_too_small');
  });

  it('asks the first candidate as a probe when every breaker is open and no floor is allowed', () => {
    const health: Health = { breaker: () => ({ state: 'open', until: 1 }) };
    const given = settings({ mode: 'live', routing: 'local_first' });
    const result = plan(given, auto, chat, health);
    expect(result.candidates.map((one) => one.deployment)).toEqual(['ollama']);
    expect(result.excluded).toEqual([{ deployment: 'cloud', tier: 'live', reason: 'breaker_open' }]);
    expect(plan(given, narrator, chat, health).candidates.map((one) => one.tier)).toEqual(['simulation']);
  });

  it('never holds a tier that the routing forbids, and its label says what its candidates are, for all settings', () => {
    const tier = fc.constantFrom('live' as const, 'local' as const);
    const deployments = fc
      .array(fc.record({ tier, keyless: fc.boolean(), open: fc.boolean(), tools: fc.boolean() }), {
        maxLength: 6,
      })
      .map((list) =>
        list.map(({ keyless, open, tools, tier: at }, i) => ({
          open,
          deployment: deployment(`d${i}`, at, {
            capabilities: { tools },
            auth: keyless
              ? { type: 'api_key', key: null, header: 'authorization', source: '' }
              : { type: 'none' },
          }),
        })),
      );
    const anything = fc.record({
      mode: fc.constantFrom(...MODES),
      routing: fc.constantFrom(...ROUTINGS),
      floor: fc.constantFrom(...FLOORS),
      deployments,
      simulator: fc.boolean(),
      target: fc.constantFrom('auto', 'role', 'deployment', 'simulation'),
      kind: fc.constantFrom('chat' as const, 'embeddings' as const),
      tools: fc.boolean(),
    });
    fc.assert(
      fc.property(
        anything,
        ({ mode, routing, floor, deployments: list, simulator, target: name, kind, tools }) => {
          const ids = (at: string) =>
            list.filter((one) => one.deployment.tier === at).map((one) => one.deployment.id);
          const chains = { live: ids('live'), local: ids('local') };
          const given = settings({
            mode,
            routing,
            floor,
            deployments: list.map((one) => one.deployment),
            defaults: chains,
          });
          const first = list[0]?.deployment;
          const target: Target =
            name === 'role'
              ? { kind: 'role', role: { name: 'r', ...chains, simulator } }
              : name === 'deployment' && first
                ? { kind: 'deployment', deployment: first }
                : name === 'simulation'
                  ? { kind: 'simulation' }
                  : { kind: 'auto' };
          const open = new Set(list.filter((one) => one.open).map((one) => one.deployment.id));
          const health: Health = {
            breaker: (id) => (open.has(id) ? { state: 'open', until: 1 } : { state: 'closed', failures: 0 }),
          };
          const result = plan(given, target, { kind, inputTokens: 0, tools }, health);
          const allowed = new Set<string>([...allowedTiers(given), 'simulation']);
          const tiers = result.candidates.map((one) => one.tier);
          expect(tiers.every((one) => allowed.has(one))).toBe(true);
          const both = tiers.includes('live') && tiers.includes('local');
          expect(result.label).toBe(
            both ? 'hybrid' : (tiers.find((one) => one !== 'simulation') ?? tiers[0] ?? 'none'),
          );
          for (const one of result.candidates)
            expect(one.model).toBe(one.target?.model ?? 'tiercel-simulation');
          expect(tiers.indexOf('simulation') === -1 || tiers.indexOf('simulation') === tiers.length - 1).toBe(
            true,
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
});
