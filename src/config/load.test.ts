import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeSettings } from './describe.ts';
import { loadSettings } from './load.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'tiercel-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

describe('loadSettings', () => {
  it('needs no file', () => {
    expect(loadSettings({ cwd, env: {} }).settings.mode).toBe('simulation');
  });

  it('reads tiercel.yaml of the folder, or the file that TIERCEL_CONFIG, the caller or the flag names', () => {
    const inputs = {
      cwd,
      env: { TIERCEL_CONFIG: 'b.yaml' },
      configPath: 'c.yaml',
      flags: { config: 'd.yaml' },
    };
    for (const [name, port] of Object.entries({ tiercel: 1, b: 2, c: 3, d: 4 })) {
      writeFileSync(join(cwd, `${name}.yaml`), `server: { port: ${port} }`);
    }
    expect(loadSettings({ cwd, env: {} }).settings.server.port).toBe(1);
    expect(loadSettings({ cwd, env: inputs.env }).settings.server.port).toBe(2);
    expect(loadSettings({ cwd, env: inputs.env, configPath: 'c.yaml' }).settings.server.port).toBe(3);
    const { settings, origins } = loadSettings(inputs);
    expect(settings.server.port).toBe(4);
    expect(origins.get('server.port')).toEqual({ kind: 'file', detail: 'd.yaml:1' });
  });

  it.each([
    [{ env: { TIERCEL_CONFIG: 'gone.yaml' } }, 'which TIERCEL_CONFIG names, does not exist.'],
    [{ env: {}, flags: { config: 'gone.yaml' } }, 'which --config names, does not exist.'],
    [{ env: {}, configPath: '.' }, 'cannot be read.'],
  ])('refuses a named file that is not there or not readable: %j', (inputs, message) => {
    expect(() => loadSettings({ cwd, ...inputs })).toThrow(
      expect.objectContaining({ code: 'config_unreadable', message: expect.stringContaining(message) }),
    );
  });

  it('reads a key file from the folder of the configuration file', () => {
    mkdirSync(join(cwd, 'etc'));
    writeFileSync(join(cwd, 'etc/key.txt'), 'the-key\n');
    const yaml =
      'deployments: [{ id: a, tier: live, baseUrl: "https://h/v1", model: m, auth: { type: api_key, file: key.txt } }]';
    writeFileSync(join(cwd, 'etc/tiercel.yaml'), yaml);
    const auth = loadSettings({ cwd, env: {}, configPath: 'etc/tiercel.yaml' }).settings.deployments[0]?.auth;
    expect(auth?.type === 'api_key' && auth.key?.reveal()).toBe('the-key');
  });
});

describe('describeSettings', () => {
  it('lists every value with its origin in one order, and no secret', () => {
    const env = {
      DATABASE_URL: 'postgres://u:canary@h/d',
      LOCAL_AGENT_MODEL: 'm',
      LOCAL_AGENT_API_KEY: 'canary',
      LOCAL_OPS_MODEL: '',
    };
    const rows = describeSettings(loadSettings({ cwd, env }));
    expect(rows).toEqual(
      describeSettings(loadSettings({ cwd, env: Object.fromEntries(Object.entries(env).reverse()) })),
    );
    expect(JSON.stringify(rows)).not.toContain('canary');
    expect(rows[0]).toEqual({ path: 'mode', value: 'simulation', origin: { kind: 'default' } });
    expect(rows).toContainEqual({
      path: 'databaseUrl',
      value: '[secret]',
      origin: { kind: 'environment', detail: 'DATABASE_URL' },
    });
    expect(rows).toContainEqual({
      path: 'deployments.local-agent.auth',
      value: { type: 'api_key', key: '[secret]', header: 'authorization', source: 'LOCAL_AGENT_API_KEY' },
      origin: { kind: 'environment', detail: 'LOCAL_AGENT_API_KEY' },
    });
    expect(rows).toContainEqual({
      path: 'roles.ops.local',
      value: ['local-agent'],
      origin: { kind: 'inherited', detail: 'defaults.local' },
    });
  });
});
