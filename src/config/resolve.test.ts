import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TiercelError } from '../errors.ts';
import { type ResolveInputs, type RuntimeChange, resolveSettings } from './resolve.ts';
import { DEFAULTS } from './schema.ts';
import { FLOORS, MODES, type Origin, ROUTINGS } from './settings.ts';

const at = new Date('2026-11-30T12:00:00Z');

function resolve(yaml: string, inputs: Partial<ResolveInputs> = {}) {
  return resolveSettings({
    file: { name: 'tiercel.yaml', text: yaml },
    env: {},
    readKeyFile: () => undefined,
    ...inputs,
  });
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(TiercelError);
    expect((error as TiercelError).code).toBe('config_invalid');
    return (error as TiercelError).message;
  }
  throw new Error('nothing was thrown');
}

describe('layers', () => {
  it('gives the defaults when nothing is set', () => {
    const { settings, origins, warnings } = resolveSettings({ env: {}, readKeyFile: () => undefined });
    expect(settings).toEqual({ ...DEFAULTS, databaseUrl: null, deployments: [], roles: [] });
    expect(origins.get('limits.local.headerMs')).toEqual({ kind: 'default' });
    expect(warnings).toEqual([]);
  });

  it('takes a partial section of the file and keeps the defaults of the rest', () => {
    const { settings, origins } = resolve('limits:\n  local: { headerMs: 60000 }\n');
    expect(settings.limits.local).toEqual({ ...DEFAULTS.limits.local, headerMs: 60_000 });
    expect(origins.get('limits.local.headerMs')).toEqual({ kind: 'file', detail: 'tiercel.yaml:2' });
    expect(origins.get('limits.local.idleMs')).toEqual({ kind: 'default' });
  });

  it('lets blank values of every layer inherit', () => {
    const { settings } = resolve('mode: live\nrouting:\nfloor: ""\nlimits:\ndefaults: { live: [] }\n', {
      env: { TIERCEL_MODE: '  ', DEMO_MODE: '', TIERCEL_PORT: '' },
      runtime: new Map([['mode', { value: null, author: 'ada', at }]]),
      flags: { host: '', mode: undefined },
    });
    expect(settings.mode).toBe('live');
    expect(settings.routing).toBe('local_first');
    expect(settings.floor).toBe('roles');
    expect(settings.server).toEqual(DEFAULTS.server);
  });

  it('prefers the names of its own over those of other stacks', () => {
    const { settings, origins } = resolve('', {
      env: { DEMO_MODE: 'local', TIERCEL_MODE: 'live', AGENT_ROUTING: 'cloud_only' },
    });
    expect(settings.mode).toBe('live');
    expect(origins.get('mode')).toEqual({ kind: 'environment', detail: 'TIERCEL_MODE' });
    expect(settings.routing).toBe('cloud_only');
  });

  it('reads seconds of AGENT_REQUEST_TIMEOUT and the number of AGENT_MAX_RETRIES', () => {
    const { limits } = resolve('', {
      env: { AGENT_REQUEST_TIMEOUT: '12.5', AGENT_MAX_RETRIES: '0' },
    }).settings;
    expect(limits.totalMs).toBe(12_500);
    expect(limits.retriesPerTarget).toBe(0);
  });

  // For any subset of layers that set a path, each with its own value: the highest wins and the origin names it.
  const cases: {
    path: string;
    values: fc.Arbitrary<unknown>;
    env?: string;
    flag?: string;
    runtime: boolean;
  }[] = [
    { path: 'mode', values: fc.constantFrom(...MODES), env: 'TIERCEL_MODE', flag: 'mode', runtime: true },
    {
      path: 'routing',
      values: fc.constantFrom(...ROUTINGS),
      env: 'AGENT_ROUTING',
      flag: 'routing',
      runtime: true,
    },
    { path: 'floor', values: fc.constantFrom(...FLOORS), runtime: true },
    {
      path: 'limits.retriesPerTarget',
      values: fc.integer({ min: 0, max: 10 }),
      env: 'AGENT_MAX_RETRIES',
      runtime: true,
    },
    { path: 'breaker.failures', values: fc.integer({ min: 1, max: 1000 }), runtime: true },
    {
      path: 'server.port',
      values: fc.integer({ min: 0, max: 65_535 }),
      env: 'TIERCEL_PORT',
      flag: 'port',
      runtime: false,
    },
    {
      path: 'dataDir',
      values: fc.stringMatching(/^[a-z]{1,8}$/),
      env: 'TIERCEL_DATA_DIR',
      flag: 'dataDir',
      runtime: false,
    },
  ];
  it.each(cases)(
    'puts the highest layer that sets $path into force, with its origin',
    ({ path, values, env, flag, runtime }) => {
      const layer = fc.option(values, { nil: undefined });
      fc.assert(
        fc.property(fc.tuple(layer, layer, layer, layer), ([inFile, inEnv, inRuntime, inFlag]) => {
          const tree = path.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), inFile);
          const { settings, origins } = resolve(inFile === undefined ? '' : JSON.stringify(tree), {
            env: env === undefined || inEnv === undefined ? {} : { [env]: String(inEnv) },
            runtime: new Map<string, RuntimeChange>(
              runtime && inRuntime !== undefined ? [[path, { value: inRuntime, author: 'ada', at }]] : [],
            ),
            flags: flag === undefined || inFlag === undefined ? {} : { [flag]: String(inFlag) },
          });
          const valueAt = (root: unknown) =>
            path.split('.').reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], root);
          const expected: [unknown, Origin['kind']] =
            flag !== undefined && inFlag !== undefined
              ? [inFlag, 'flag']
              : runtime && inRuntime !== undefined
                ? [inRuntime, 'console']
                : env !== undefined && inEnv !== undefined
                  ? [inEnv, 'environment']
                  : inFile !== undefined
                    ? [inFile, 'file']
                    : [valueAt(DEFAULTS), 'default'];
          expect([valueAt(settings), origins.get(path)?.kind]).toEqual(expected);
        }),
      );
    },
  );
});

describe('errors', () => {
  it('names the file, line, path, given value and allowed values', () => {
    expect(messageOf(() => resolve('mode: live\n\nrouting: cloudfirst\n'))).toBe(
      'tiercel.yaml:3 routing: "cloudfirst" is not allowed. Use one of: local_first, cloud_first, local_only, cloud_only.',
    );
  });

  it.each<[string, Partial<ResolveInputs>, string]>([
    [
      'a variable',
      { env: { DEMO_MODE: 'demo' } },
      'DEMO_MODE mode: "demo" is not allowed. Use one of: simulation, local, live.',
    ],
    [
      'a flag',
      { flags: { port: '80o' } },
      '--port server.port: "80o" is not allowed. Use a whole number from 0 to 65535.',
    ],
    [
      'a timeout',
      { env: { AGENT_REQUEST_TIMEOUT: '-1' } },
      'AGENT_REQUEST_TIMEOUT limits.totalMs: "-1" is not allowed. Use a number of seconds, over 0 and up to 86400.',
    ],
    [
      'a change and its author',
      { runtime: new Map([['mode', { value: 'on', author: 'ada', at }]]) },
      'console (ada, 2026-11-30T12:00:00.000Z) mode: "on" is not allowed. Use one of: simulation, local, live.',
    ],
  ])('names %s', (_, inputs, message) => {
    expect(messageOf(() => resolve('', inputs))).toBe(message);
  });

  it('reports the errors of all layers together', () => {
    const message = messageOf(() =>
      resolve('mode: on\nlimits: { totalMs: 1.5, live: 3 }\n', {
        env: { TIERCEL_ROUTING: 'x' },
        flags: { port: 'y' },
      }),
    );
    expect(message.split('\n')).toHaveLength(6);
    for (const part of [
      'tiercel.yaml:1 mode',
      'limits.totalMs',
      'limits.live',
      'TIERCEL_ROUTING',
      '--port',
    ]) {
      expect(message).toContain(part);
    }
  });

  it.each([
    ['routng: local_only', 'tiercel.yaml:1 routng: This key is not known. Did you mean "routing"?'],
    [
      'limits:\n  live: { headerms: 3 }',
      'tiercel.yaml:2 limits.live.headerms: This key is not known. Did you mean "headerMs"?',
    ],
    ['mode: { a: 1 }', 'tiercel.yaml:1 mode: a map is not allowed. Use one of: simulation, local, live.'],
    [
      'server: 4040',
      'tiercel.yaml:1 server: 4040 is not allowed. Use a map of host, port, maxBodyBytes, auth, drainMs.',
    ],
    ['- a', 'tiercel.yaml file: ["a"] is not allowed.'],
    ['roles: { narrator: { lve: [] } }', 'roles.narrator.lve: This key is not known. Did you mean "live"?'],
    ['limits: { totalMs: 0 }', 'Use a whole number from 1 to 86400000.'],
    ['deployments: { id: a }', 'deployments: a map is not allowed. Use a list of deployments.'],
    ['egress: { allow: ["https://example.com"] }', 'without scheme or path'],
  ])('refuses %j', (yaml, message) => {
    expect(messageOf(() => resolve(yaml))).toContain(message);
  });

  it.each(['mode: [', 'a: *nowhere', 'mode: live\nmode: local'])('tells that %j is not YAML', (yaml) => {
    expect(() => resolve(yaml)).toThrow(expect.objectContaining({ code: 'config_unreadable' }));
  });

  it('shows no secret, wherever it was put', () => {
    const canary = 'canary-7f3a';
    const deployment = 'id: a, tier: live, model: m';
    const yamls = [
      `databaseUrl: "mysql://u:${canary}@h/d"`,
      `databaseUrl: ["${canary}"]`,
      `deployments: [{ ${deployment}, baseUrl: "https://u:${canary}@h/v1" }]`,
      `deployments: [{ ${deployment}, baseUrl: "https://h/v1?api_key=${canary}" }]`,
      `deployments: [{ ${deployment}, baseUrl: "${canary}" }]`,
      `deployments: [{ ${deployment}, baseUrl: "https://h/v1", auth: "${canary}" }]`,
      `deployments: [{ ${deployment}, baseUrl: "https://h/v1", auth: { type: "${canary}" } }]`,
      `deployments: [{ ${deployment}, baseUrl: "https://h/v1", auth: { type: api_key, key: "${canary}" } }]`,
      `deployments: [{ ${deployment}, baseUrl: "https://h/v1", auth: { type: api_key, env: "${canary}" } }]`,
      `deployments: { auth: { key: "${canary}" } }`,
    ];
    for (const yaml of yamls) expect(messageOf(() => resolve(yaml))).not.toContain(canary);
    expect(messageOf(() => resolve('', { env: { DATABASE_URL: `x://${canary}` } }))).not.toContain(canary);
  });

  it('asks nothing of a change that was taken back, not even that its role still exists', () => {
    const takenBack = new Map([['roles.ops.live', { value: null, author: 'ada', at }]]);
    expect(resolve('', { runtime: takenBack }).settings.roles).toEqual([]);
  });

  it('refuses a stored change of a path that needs a restart, or of a role that is gone', () => {
    const change = { value: 1, author: 'ada', at };
    expect(messageOf(() => resolve('', { runtime: new Map([['server.port', change]]) }))).toContain(
      'needs a restart',
    );
    expect(messageOf(() => resolve('', { runtime: new Map([['roles.ops.live', change]]) }))).toContain(
      '"ops" is no role',
    );
  });
});

describe('warnings', () => {
  const local = '\ndeployments: [{ id: o, tier: local, baseUrl: "http://127.0.0.1:1/v1", model: m }]\n';

  it('tells that mode local and routing cloud_only exclude each other', () => {
    expect(resolve('mode: local\nrouting: cloud_only\n').warnings[0]).toContain(
      'mode local with routing cloud_only',
    );
  });

  it('names the roles that nothing may serve', () => {
    const roles = 'roles: { a: { local: [o] }, b: , c: { simulator: true } }\n';
    expect(resolve(`mode: live${local}${roles}`).warnings).toEqual([
      'model "auto" has nothing that may serve it in mode live with routing local_first.',
      'role b has nothing that may serve it in mode live with routing local_first.',
    ]);
    expect(resolve(`mode: live\nrouting: cloud_only${local}${roles}`).warnings).toHaveLength(3);
    expect(resolve(`mode: live\nfloor: always${local}${roles}`).warnings).toEqual([]);
    expect(resolve(`mode: simulation${local}${roles}`).warnings).toEqual([]);
  });

  it('warns when the minimum of a candidate is more than the total', () => {
    expect(resolve('limits: { totalMs: 5000 }').warnings[0]).toContain('limits.minPerCandidateMs');
  });
});
