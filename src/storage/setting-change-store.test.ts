import { expect, it } from 'vitest';
import { describeDatabases } from '../../test/support/database.ts';
import { createSettingChangeStore } from './setting-change-store.ts';

describeDatabases('setting change store', (open) => {
  it('has version 0 and no overrides before the first change', async () => {
    const store = createSettingChangeStore(open());
    expect(await store.latestVersion()).toBe(0);
    expect(await store.current()).toEqual(new Map());
  });

  it('has the last value of each path, with author, time and version', async () => {
    const store = createSettingChangeStore(open());
    await store.append([{ path: 'mode', value: 'local' }], 'ada');
    const values = { totalMs: 5, list: ['a', null], on: false, text: '"quoted"' };
    const version = await store.append(
      [
        { path: 'mode', value: 'live' },
        { path: 'limits', value: values },
      ],
      'bob',
    );
    expect(await store.latestVersion()).toBe(version);
    const current = await store.current();
    expect(current.get('limits')).toEqual({ value: values, author: 'bob', at: expect.any(String), version });
    expect(current.get('mode')).toMatchObject({ value: 'live', author: 'bob', version: version - 1 });
    expect(Date.now() - Date.parse(current.get('mode')?.at ?? '')).toBeLessThan(60_000);
  });

  it('takes an override away with null', async () => {
    const store = createSettingChangeStore(open());
    await store.append([{ path: 'floor', value: 'never' }], 'ada');
    await store.append([{ path: 'floor', value: null }], 'ada');
    expect((await store.current()).has('floor')).toBe(false);
  });

  it('undoes a change by appending what stood before it', async () => {
    const store = createSettingChangeStore(open());
    const first = await store.append([{ path: 'routing', value: 'local_first' }], 'ada');
    const second = await store.append([{ path: 'routing', value: 'cloud_only' }], 'ada');
    const third = await store.undo(second, 'bob');
    expect((await store.current()).get('routing')).toMatchObject({
      value: 'local_first',
      author: 'bob',
      version: third,
    });
    await store.undo(first, 'bob');
    expect((await store.current()).has('routing')).toBe(false);
    await expect(store.undo(999_999, 'bob')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('makes no change that its check refuses, and checks what would be in force', async () => {
    const store = createSettingChangeStore(open());
    const version = await store.append([{ path: 'commit', value: 'complete' }], 'ada');
    const refuse = () => {
      throw new Error('refused');
    };
    await expect(store.append([{ path: 'commit', value: null }], 'ada', refuse)).rejects.toThrow('refused');
    await expect(store.undo(version, 'ada', refuse)).rejects.toThrow('refused');
    expect(await store.latestVersion()).toBe(version);
    const seen: unknown[] = [];
    await store.append([{ path: 'commit', value: 'first_output' }], 'ada', (next) => {
      seen.push(next.get('commit')?.value);
    });
    expect(seen).toEqual(['first_output']);
  });

  it('lists changes newest first, each with what stood before it', async () => {
    const store = createSettingChangeStore(open());
    const first = await store.append([{ path: 'content', value: 'off' }], 'ada');
    const second = await store.append([{ path: 'content', value: null }], 'bob');
    expect(await store.list({ limit: 2 })).toEqual([
      {
        version: second,
        path: 'content',
        value: null,
        previous: 'off',
        author: 'bob',
        at: expect.any(String),
      },
      {
        version: first,
        path: 'content',
        value: 'off',
        previous: null,
        author: 'ada',
        at: expect.any(String),
      },
    ]);
    expect(await store.list({ limit: 1, before: second })).toMatchObject([{ version: first }]);
  });
});
