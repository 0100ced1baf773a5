import { describe, expect, it } from 'vitest';
import type { Environment } from './environment.ts';
import { resolveSettings } from './resolve.ts';

function resolve(env: Environment, yaml = '') {
  return resolveSettings({ file: { name: 'tiercel.yaml', text: yaml }, env, readKeyFile: () => undefined });
}

const ROLES = [
  'NARRATOR',
  'ORG_DESIGNER',
  'ANTAGONIST',
  'STRATEGIST',
  'DESIGNER',
  'MARKETER',
  'OPS',
  'NPC_FAST',
];
const BLANKS = Object.fromEntries(
  ROLES.flatMap((role) => [`${role}_MODEL`, `LOCAL_${role}_MODEL`]).map((name) => [name, '']),
);
const FOUNDRY = { FOUNDRY_BASE_URL: 'https://r.services.ai.azure.com/openai/v1/', DEMO_MODE: 'live' };

const roleOf = (resolved: ReturnType<typeof resolve>, name: string) =>
  resolved.settings.roles.find((role) => role.name === name);

describe('variables of a local server', () => {
  it('G25 resolves every role of a template full of blanks to the one LOCAL_AGENT_MODEL, as inherited', () => {
    const template = {
      ...BLANKS,
      LOCAL_AGENT_ENABLED: 'true',
      LOCAL_AGENT_BASE_URL: 'http://localhost:11434/v1',
      LOCAL_AGENT_API_KEY: '',
      FOUNDRY_BASE_URL: '',
      FOUNDRY_API_KEY: '',
      FOUNDRY_PROJECT_ENDPOINT: '',
      FOUNDRY_FALLBACK_MODEL: '',
      AGENT_ROUTING: '',
    };
    const { settings, origins, warnings } = resolve({
      ...template,
      DEMO_MODE: 'local',
      LOCAL_AGENT_MODEL: 'llama3.2:3b',
    });
    expect(settings.deployments).toEqual([
      {
        id: 'local-agent',
        tier: 'local',
        baseUrl: 'http://localhost:11434/v1',
        auth: { type: 'none' },
        model: 'llama3.2:3b',
        capabilities: {},
      },
    ]);
    expect(settings.roles.map(({ name }) => name).sort()).toEqual(
      ROLES.map((role) => role.toLowerCase()).sort(),
    );
    for (const { name, local } of settings.roles) {
      expect(local).toEqual(['local-agent']);
      expect(origins.get(`roles.${name}.local`)).toEqual({ kind: 'inherited', detail: 'defaults.local' });
    }
    expect(origins.get('defaults.local')).toEqual({ kind: 'environment', detail: 'LOCAL_AGENT_MODEL' });
    expect(warnings).toEqual([]);
  });

  it('stand at the default address of Ollama when no base URL is given', () => {
    const { settings, origins } = resolve({ LOCAL_AGENT_MODEL: 'm', LOCAL_AGENT_BASE_URL: '' });
    expect(settings.deployments[0]).toMatchObject({
      id: 'local-agent',
      baseUrl: 'http://127.0.0.1:11434/v1',
    });
    expect(origins.get('deployments.local-agent.baseUrl')).toEqual({ kind: 'default' });
    expect(settings.defaults.local).toEqual(['local-agent']);
  });

  it('make one deployment for all roles with the same model of their own', () => {
    const { settings, origins } = resolve({
      LOCAL_AGENT_MODEL: 'm',
      LOCAL_NARRATOR_MODEL: 'big',
      LOCAL_OPS_MODEL: 'big',
      LOCAL_SCRIBE_MODEL: 'm',
    });
    expect(settings.deployments.map(({ id }) => id)).toEqual(['local-agent', 'local-agent:big']);
    expect(settings.roles.map(({ name, local }) => [name, ...local])).toEqual([
      ['narrator', 'local-agent:big'],
      ['ops', 'local-agent:big'],
      ['scribe', 'local-agent'],
    ]);
    expect(origins.get('roles.narrator.local')).toEqual({
      kind: 'environment',
      detail: 'LOCAL_NARRATOR_MODEL',
    });
  });

  it('let orgdesigner and antagonist follow the narrator when they have no model', () => {
    const resolved = resolve({ ...BLANKS, LOCAL_AGENT_MODEL: 'm', LOCAL_NARRATOR_MODEL: 'big' });
    expect(roleOf(resolved, 'org_designer')?.local).toEqual(['local-agent:big']);
    expect(roleOf(resolved, 'antagonist')?.local).toEqual(['local-agent:big']);
    expect(roleOf(resolved, 'designer')?.local).toEqual(['local-agent']);
    expect(resolved.origins.get('roles.antagonist.local')).toEqual({
      kind: 'inherited',
      detail: 'roles.narrator.local',
    });
  });

  it('invent no default when only roles have models', () => {
    const { settings } = resolve({ LOCAL_NARRATOR_MODEL: 'big', LOCAL_OPS_MODEL: '' });
    expect(settings.defaults.local).toEqual([]);
    expect(settings.roles.find(({ name }) => name === 'ops')?.local).toEqual([]);
  });

  it('match a role of the file whatever its underscores, and win over its chain', () => {
    const yaml = `
deployments: [{ id: o, tier: local, baseUrl: "http://127.0.0.1:1/v1", model: x }]
roles: { orgdesigner: { local: [o] }, npc-fast: }`;
    const { settings } = resolve({ LOCAL_ORG_DESIGNER_MODEL: 'm', LOCAL_NPC_FAST_MODEL: '' }, yaml);
    expect(settings.roles.map(({ name, local }) => [name, ...local])).toEqual([
      ['orgdesigner', 'local-agent:m'],
      ['npc-fast'],
    ]);
  });

  it('stand beside the deployments of the file, whose default chain stays', () => {
    const yaml = `
deployments: [{ id: o, tier: local, baseUrl: "http://127.0.0.1:1/v1", model: x }]
defaults: { local: [o] }`;
    const { settings } = resolve({ LOCAL_AGENT_MODEL: 'm' }, yaml);
    expect(settings.deployments.map(({ id }) => id)).toEqual(['o', 'local-agent']);
    expect(settings.defaults.local).toEqual(['o']);
    expect(
      resolve({ LOCAL_AGENT_MODEL: 'm' }, yaml.replace(/defaults.*/, '')).settings.defaults.local,
    ).toEqual(['local-agent']);
  });

  it.each(['false', '0', 'No', 'off'])(
    'make nothing with LOCAL_AGENT_ENABLED=%s, but still declare roles',
    (flag) => {
      const { settings } = resolve({
        LOCAL_AGENT_ENABLED: flag,
        LOCAL_AGENT_MODEL: 'm',
        LOCAL_OPS_MODEL: 'n',
      });
      expect(settings.deployments).toEqual([]);
      expect(settings.roles.map(({ name }) => name)).toEqual(['ops']);
    },
  );

  it('carry the key as a secret', () => {
    const { auth } =
      resolve({ LOCAL_AGENT_MODEL: 'm', LOCAL_AGENT_API_KEY: 'k' }).settings.deployments[0] ?? {};
    expect(auth).toMatchObject({ type: 'api_key', header: 'authorization', source: 'LOCAL_AGENT_API_KEY' });
    expect(JSON.stringify(auth)).not.toContain('"k"');
  });

  it.each<[Environment, string]>([
    [
      { LOCAL_AGENT_ENABLED: 'maybe' },
      'LOCAL_AGENT_ENABLED deployments.local-agent: "maybe" is not allowed.',
    ],
    [
      { LOCAL_AGENT_MODEL: 'm', LOCAL_AGENT_BASE_URL: 'https://8.8.8.8/v1' },
      'LOCAL_AGENT_BASE_URL deployments.local-agent.baseUrl: 8.8.8.8 is a public address.',
    ],
    [
      { LOCAL_AGENT_MODEL: 'a\tb' },
      'LOCAL_AGENT_MODEL deployments.local-agent.model: "a\\tb" is not allowed. Use text in one line.',
    ],
    [
      { LOCAL_AGENT_MODEL: 'm', LOCAL_AGENT_BASE_URL: 'http://a\tb' },
      'LOCAL_AGENT_BASE_URL deployments.local-agent.baseUrl: the value is not allowed.',
    ],
    [{ LOCAL_AUTO_MODEL: 'm' }, 'LOCAL_AUTO_MODEL roles.auto: "auto" is reserved'],
    [
      { LOCAL_ORG_DESIGNER_MODEL: 'a', LOCAL_ORGDESIGNER_MODEL: 'b' },
      'which names the same role. Keep one of them.',
    ],
  ])('refuse %j', (env, message) => {
    expect(() => resolve(env)).toThrow(message);
  });

  it('warn of a base URL without a model', () => {
    expect(resolve({ LOCAL_AGENT_BASE_URL: 'http://127.0.0.1:1/v1' }).warnings).toEqual([
      'LOCAL_AGENT_BASE_URL is set, but no model is: set LOCAL_AGENT_MODEL or LOCAL_<ROLE>_MODEL.',
    ]);
  });
});

describe('variables of a Foundry resource', () => {
  it('put the fallback model at the end of every live chain they make, the default chain too', () => {
    const resolved = resolve({
      ...BLANKS,
      ...FOUNDRY,
      NARRATOR_MODEL: 'large',
      MARKETER_MODEL: 'small',
      FOUNDRY_FALLBACK_MODEL: 'small',
      FOUNDRY_API_KEY: 'k',
    });
    expect(resolved.settings.deployments.map(({ id, baseUrl }) => [id, baseUrl])).toEqual([
      ['foundry:small', 'https://r.services.ai.azure.com/openai/v1'],
      ['foundry:large', 'https://r.services.ai.azure.com/openai/v1'],
    ]);
    expect(resolved.settings.deployments[0]?.auth).toMatchObject({ type: 'api_key', header: 'api-key' });
    expect(roleOf(resolved, 'narrator')?.live).toEqual(['foundry:large', 'foundry:small']);
    expect(roleOf(resolved, 'marketer')?.live).toEqual(['foundry:small']);
    expect(roleOf(resolved, 'ops')?.live).toEqual(['foundry:small']);
    expect(resolved.origins.get('roles.ops.live')).toEqual({
      kind: 'inherited',
      detail: 'roles.marketer.live',
    });
    expect(roleOf(resolved, 'strategist')?.live).toEqual(['foundry:small']);
    expect(resolved.origins.get('roles.strategist.live')).toEqual({
      kind: 'inherited',
      detail: 'defaults.live',
    });
  });

  it('sign in with Entra ID when there is no key', () => {
    const { settings, origins } = resolve({ ...FOUNDRY, NARRATOR_MODEL: 'm', FOUNDRY_API_KEY: ' ' });
    expect(settings.deployments[0]?.auth.type).toBe('entra');
    expect(origins.get('deployments.foundry:m.auth')?.detail).toContain('FOUNDRY_API_KEY is not set');
  });

  it('derive the resource from the project endpoint, and say so', () => {
    const { settings, origins } = resolve({
      FOUNDRY_PROJECT_ENDPOINT: 'https://r.services.ai.azure.com/api/projects/p',
      NARRATOR_MODEL: 'm',
    });
    expect(settings.deployments[0]?.baseUrl).toBe('https://r.services.ai.azure.com/openai/v1');
    expect(origins.get('deployments.foundry:m.baseUrl')).toEqual({
      kind: 'environment',
      detail: "FOUNDRY_PROJECT_ENDPOINT (its resource's /openai/v1)",
    });
    expect(() => resolve({ FOUNDRY_PROJECT_ENDPOINT: 'r' })).toThrow('FOUNDRY_PROJECT_ENDPOINT');
  });

  it('ignore the models of names that are no roles', () => {
    const env = { ...FOUNDRY, NARRATOR_MODEL: 'm', FOO_MODEL: 'x', SCRIBE_MODEL: 'y' };
    expect(resolve(env).settings.roles.map(({ name }) => name)).toEqual(['narrator']);
    expect(roleOf(resolve(env, 'roles: { scribe: }'), 'scribe')?.live).toEqual(['foundry:y']);
  });

  it('warn when there is an address without a model, or a model without an address', () => {
    expect(resolve({ ...FOUNDRY, DEMO_MODE: '' }).warnings).toEqual([
      'FOUNDRY_BASE_URL is set, but no live model is: set <ROLE>_MODEL (as NARRATOR_MODEL) or FOUNDRY_FALLBACK_MODEL.',
    ]);
    expect(resolve({ NARRATOR_MODEL: 'm' }).warnings).toEqual([
      'NARRATOR_MODEL names a live model, but neither FOUNDRY_BASE_URL nor FOUNDRY_PROJECT_ENDPOINT is set.',
    ]);
  });
});
