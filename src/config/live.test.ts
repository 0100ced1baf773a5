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

  it('take deployments in: new ones last, known ones in their place until taken back', () => {
    const live = create();
    const definition = { tier: 'local', baseUrl: 'http://127.0.0.1:2/v1', model: 'n' };
    live.applyRuntime(
      new Map([
        ['deployments.new.one', change(definition)],
        ['deployments.o', change({ ...definition, contextWindow: 9 })],
        ['defaults.local', change(['new.one', 'o'])],
      ]),
    );
    expect(live.current().deployments.map(({ id, model }) => [id, model])).toEqual([
      ['o', 'n'],
      ['new.one', 'n'],
    ]);
    expect(live.resolved().origins.get('deployments.o.contextWindow')?.kind).toBe('console');
    live.applyRuntime(new Map([['deployments.o', change(null)]]));
    expect(live.current().deployments[0]).toMatchObject({ id: 'o', model: 'm' });
    expect(live.resolved().origins.get('deployments.o.model')?.kind).toBe('file');
    expect(() => live.applyRuntime(new Map([['deployments.new.one', change(null)]]))).toThrow(
      '"new.one" is no deployment.',
    );
    expect(live.current().deployments).toHaveLength(2);
  });

  it.each([
    [{ tier: 'local', baseUrl: 'https://8.8.8.8/v1', model: 'm' }, 'is a public address'],
    [{ tier: 'live', baseUrl: 'https://user:pass@example.com', model: 'm' }, 'holds no user or password'],
    [{ tier: 'live', baseUrl: 'https://example.com/?api-key=x', model: 'm' }, 'holds no key in its query'],
  ])('refuse a deployment as the file would: %j', (definition, message) => {
    const live = create();
    expect(() => live.preview(new Map([['deployments.x', change(definition)]]))).toThrow(message);
  });

  it('show what changes would give without putting them into force', () => {
    const live = create();
    expect(live.preview(new Map([['mode', change('live')]])).settings.mode).toBe('live');
    expect(live.current().mode).toBe('local');
  });
});
