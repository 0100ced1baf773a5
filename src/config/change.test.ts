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
