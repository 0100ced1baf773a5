import { describe, expect, it } from 'vitest';
import { createLiveSettings } from './live.ts';
import type { ResolvedSettings } from './settings.ts';

const at = new Date('2026-11-30T12:00:00Z');
const change = (value: unknown) => ({ value, author: 'ada', at });
const create = () =>
  createLiveSettings({
    file: {
      name: 'tiercel.yaml',
      text: 'mode: local\ndeployments: [{ id: o, tier: local, baseUrl: "http://127.0.0.1:1/v1", model: m }]\nroles: { a: }',
    },
    env: {},
    readKeyFile: () => undefined,
  });

describe('live settings', () => {
  it('put changes into force, tell listeners, and name author and time', () => {
    const live = create();
    const seen: ResolvedSettings[] = [];
    const stop = live.onChange((resolved) => seen.push(resolved));
    live.applyRuntime(
      new Map([
        ['mode', change('live')],
        ['roles.a.local', change(['o'])],
      ]),
    );
    expect(live.current().mode).toBe('live');
    expect(live.current().roles[0]?.local).toEqual(['o']);
    expect(live.resolved().origins.get('mode')).toEqual({
      kind: 'console',
      detail: 'ada, 2026-11-30T12:00:00.000Z',
    });
    expect(seen).toEqual([live.resolved()]);
    stop();
    live.applyRuntime(new Map([['mode', change('local')]]));
    expect(seen).toHaveLength(1);
  });

  it('keep earlier changes, and take one back with null', () => {
    const live = create();
    live.applyRuntime(new Map([['mode', change('live')]]));
    live.applyRuntime(new Map([['limits.totalMs', change(1000)]]));
    live.applyRuntime(new Map([['mode', change(null)]]));
    expect(live.current()).toMatchObject({ mode: 'local', limits: { totalMs: 1000 } });
    expect(live.resolved().origins.get('mode')?.kind).toBe('file');
  });

  it('stay as they were when one of several changes is invalid, then and later', () => {
    const live = create();
    const before = live.resolved();
    const invalid = new Map([
      ['mode', change('live')],
      ['defaults.local', change(['nowhere'])],
    ]);
    expect(() => live.applyRuntime(invalid)).toThrow('"nowhere" is no deployment. Use one of: o.');
    expect(live.resolved()).toBe(before);
    live.applyRuntime(new Map([['floor', change('never')]]));
    expect(live.current()).toMatchObject({ mode: 'local', floor: 'never' });
  });
});
