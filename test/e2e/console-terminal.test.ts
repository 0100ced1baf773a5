import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Deployment, RoleMap, Settings } from '../../console/src/api/schema.ts';
import { toEnvBlock, toSmokeTest } from '../../console/src/pages/settings/env-block.ts';
import type { TiercelConfig } from '../../src/runtime/tiercel.ts';
import { openGateway } from '../support/open-gateway.ts';
import { send } from './gateway-request.ts';

const OLLAMA = { tier: 'local', baseUrl: 'http://127.0.0.1:11434/v1', auth: { type: 'none' } } as const;
const FOUNDRY = {
  tier: 'live',
  baseUrl: 'https://example.services.ai.azure.com/openai/v1',
  auth: { type: 'api_key', env: 'MY_KEY', header: 'api-key' },
} as const;
const KEYS = { MY_KEY: 'canary', LOCAL_KEY: 'canary' };

/** What the console would copy, and who would be asked, for every name. */
async function look(config: TiercelConfig, env: Record<string, string> = KEYS) {
  const gateway = await openGateway(config, { env });
  const get = async <Answer>(path: string) => (await send(gateway.url, { path })).json as Answer;
  const { settings } = await get<Settings>('/api/settings');
  const roles = await get<RoleMap>('/api/roles');
  const { deployments } = await get<{ deployments: Deployment[] }>('/api/deployments');
  const { settings: current, router } = gateway.runtime;
  const plans = ['auto', ...roles.roles.map(({ name }) => `role:${name}`)].map((name) => {
    const { label, candidates } = router.plan(name);
    return [name, label, candidates.map(({ tier, model }) => [tier, model])];
  });
  const { mode, routing, limits } = current.current();
  await gateway.close();
  const value = (path: string) => settings.find((one) => one.path === path)?.value;
  const targets = deployments.map(({ baseUrl, model, auth: { type, header, present } }) =>
    JSON.stringify({ baseUrl, model, type, header, present }),
  );
  return {
    block: toEnvBlock({ value, deployments, roles }),
    said: { plans, mode, routing, totalMs: limits.totalMs, targets: targets.sort() },
  };
}

/** The variables that a shell has after the block. */
function shell(block: string): Record<string, string> {
  const out = execFileSync('sh', ['-c', `${block}\nenv`], { env: { ...KEYS, PATH: process.env['PATH'] } });
  const lines = out.toString().trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

describe('the environment block of the console', () => {
  it.each<[string, TiercelConfig]>([
    ['of a fresh install', {}],
    [
      'of one local server with a model of its own for a role',
      {
        mode: 'local',
        limits: { totalMs: 30_500 },
        deployments: [
          { ...OLLAMA, id: 'a', model: 'llama3.2:3b', auth: { type: 'api_key', env: 'LOCAL_KEY' } },
          { ...OLLAMA, id: 'b', model: 'qwen', auth: { type: 'api_key', env: 'LOCAL_KEY' } },
        ],
        defaults: { local: ['a'] },
        roles: { narrator: { local: ['b'] } },
      },
    ],
    [
      'of Foundry behind a local server',
      {
        mode: 'live',
        routing: 'cloud_first',
        deployments: [
          { ...OLLAMA, id: 'a', model: "it's" },
          { ...FOUNDRY, id: 'main', model: 'gpt-5.4-mini' },
          { ...FOUNDRY, id: 'big', model: 'gpt-5.4' },
        ],
        defaults: { local: ['a'], live: ['main'] },
        roles: { strategist: { live: ['big', 'main'] } },
      },
    ],
  ])('%s makes the same plans elsewhere', async (_name, config) => {
    const here = await look(config);
    expect(here.block).not.toContain('canary');
    expect(here.block).not.toContain('cannot say');
    expect((await look({}, shell(here.block))).said).toEqual(here.said);
  });

  it('says what variables cannot say', async () => {
    const { block } = await look({
      mode: 'live',
      floor: 'never',
      deployments: [
        { ...OLLAMA, id: 'a', model: 'x' },
        { ...OLLAMA, id: 'b', model: 'y' },
        {
          tier: 'live',
          id: 'openai',
          baseUrl: 'https://api.openai.com/v1',
          auth: { type: 'api_key', env: 'MY_KEY' },
          model: 'gpt',
        },
      ],
      defaults: { local: ['a', 'b'], live: ['openai'] },
      roles: { narrator: { local: ['b', 'a'] } },
    });
    for (const text of [
      'floor (never)',
      'defaults.local',
      'roles.narrator.local: b → a',
      'deployment openai',
    ]) {
      expect(block).toContain(text);
    }
    expect(block).not.toContain('FOUNDRY');
  });
});

describe('the smoke test of the console', () => {
  it.each(['auto', "role:o'brien"])('is one line that a shell takes as it is meant, for %s', (model) => {
    const line = toSmokeTest('http://127.0.0.1:4040', model, false);
    expect(line).not.toContain('\n');
    const command = `TIERCEL_API_KEY=k; curl() { printf '%s\\n' "$@"; }; ${line}`;
    const args = execFileSync('sh', ['-c', command]).toString().trim().split('\n');
    expect(args).toContain('http://127.0.0.1:4040/v1/chat/completions');
    expect(args).toContain('authorization: Bearer k');
    expect(JSON.parse(args.at(-1) ?? '')).toMatchObject({ model });
  });
});
