import { describe, expect, it } from 'vitest';
import { parseSettingChange, RUNTIME_PATHS } from './change.ts';

describe('parseSettingChange', () => {
  it.each<[string, unknown, unknown]>([
    ['mode', 'live', 'live'],
    ['limits.totalMs', '30000', 30_000],
    ['limits.totalMs', 30_000, 30_000],
    ['breaker.failures', '5', 5],
    ['roles.narrator.live', '[a, "b"]', ['a', 'b']],
    ['roles.narrator.live', 'a, b', ['a', 'b']],
    ['defaults.local', ['a'], ['a']],
    ['roles.narrator.commit', 'complete', 'complete'],
    ['mode', ' ', null],
    ['defaults.local', [], null],
    ['routing', null, null],
  ])('%s: takes %j as %j', (path, given, expected) => {
    expect(parseSettingChange(path, given)).toEqual(expected);
  });

  it.each<[string, unknown, string]>([
    [
      'routing',
      'cloud',
      'routing: "cloud" is not allowed. Use one of: local_first, cloud_first, local_only, cloud_only.',
    ],
    ['limits.totalMs', '1s', 'limits.totalMs: "1s" is not allowed. Use a whole number from 1 to 86400000.'],
    ['limits.totalMs', true, 'limits.totalMs: true is not allowed.'],
    ['server.port', 80, 'server.port: This cannot be changed at run time. What can: mode, routing'],
    ['roles.narrator.simulator', true, 'This cannot be changed at run time.'],
    ['limits', '1', 'This cannot be changed at run time.'],
    ['limits.live.headerms', '1', 'Did you mean "limits.live.headerMs"?'],
    ['databaseUrl', 'x', 'needs a restart'],
  ])('%s: refuses %j', (path, given, message) => {
    expect(() => parseSettingChange(path, given)).toThrow(message);
  });

  it('offers the paths that are read at each call, and no other', () => {
    expect(RUNTIME_PATHS).toContain('limits.local.idleMs');
    expect(RUNTIME_PATHS.filter((path) => /^(server|dataDir|databaseUrl|egress)/.test(path))).toEqual([]);
  });
});

describe('parseSettingChange of a deployment', () => {
  const given = { tier: 'local', baseUrl: ' http://127.0.0.1:1/v1', model: 'm', contextWindow: null };

  it('takes it as it stands in tiercel.yaml, without id and blanks; on a command line as JSON', () => {
    const expected = { tier: 'local', baseUrl: 'http://127.0.0.1:1/v1', model: 'm', auth: { type: 'none' } };
    const value = { ...given, auth: { type: 'none', env: '' } };
    expect(parseSettingChange('deployments.gpt-5.4', value)).toEqual(expected);
    expect(parseSettingChange('deployments.gpt-5.4', JSON.stringify(value))).toEqual(expected);
    expect(parseSettingChange('deployments.a', null)).toBeNull();
  });

  it.each<[string, unknown, string]>([
    ['deployments.auto', given, '"auto" is reserved'],
    ['deployments.a b', given, '"a b" is not allowed'],
    ['deployments.a', 'http://x', 'deployments.a: A deployment is changed as a whole.'],
    ['deployments.a', { ...given, id: 'a' }, 'deployments.a.id: This key is not known.'],
    ['deployments.a', { tier: 'local', model: 'm' }, 'deployments.a.baseUrl: This is needed.'],
    ['deployments.a', { ...given, tier: 'cloud' }, '"cloud" is not allowed. Use one of: live, local.'],
    ['deployments.a', { ...given, modle: 'm' }, 'Did you mean "model"?'],
  ])('%s: refuses %j', (path, value, message) => {
    expect(() => parseSettingChange(path, value)).toThrow(message);
  });

  it.each([
    { ...given, auth: { type: 'api_key', key: 'sk-canary' } },
    { ...given, auth: { type: 'api_key', env: 'sk-canary' } },
    { ...given, apiKey: 'sk-canary' },
    { ...given, auth: 'sk-canary' },
    'sk-canary',
  ])('takes no key, and does not repeat it: %j', (value) => {
    const run = () => parseSettingChange('deployments.a', value);
    expect(run).toThrow();
    expect(run).not.toThrow(/canary/);
  });

  it('says where a key belongs', () => {
    const run = () => parseSettingChange('deployments.a', { ...given, apiKey: 'sk-canary' });
    expect(run).toThrow('Name the variable that holds it with `env`');
    expect(run).toThrow('neither taken over HTTP nor stored');
  });
});
