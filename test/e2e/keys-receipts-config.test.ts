import { beforeEach, describe, expect, it } from 'vitest';
import { localSettings, setUpWorkplace } from '../support/workplace.ts';

const here = setUpWorkplace();

describe.each(['with a running server', 'without one'])('keys, receipts and settings %s', (how) => {
  beforeEach(async () => {
    if (how === 'with a running server') await here.serve();
  });

  it('makes a key, lists it without the key itself, and revokes it once', async () => {
    const made = await here.run('keys create --name laptop --principal ada --admin');
    expect(made.stdout).toMatch(/^tcl_[\w-]{43}\n$/);
    expect(made.code).toBe(0);
    const [entry] = JSON.parse((await here.run('keys list --json')).stdout);
    expect(entry).toMatchObject({ name: 'laptop', principal: 'ada', admin: true, revokedAt: null });
    expect(JSON.stringify(entry)).not.toContain(made.stdout.trim());
    expect((await here.run('keys create --name laptop')).code).toBe(2);
    expect((await here.run('keys revoke laptop')).code).toBe(0);
    const again = await here.run('keys revoke laptop');
    expect(again.stderr).toContain('(key_not_found)');
    expect(again.code).toBe(1);
  });

  it('answers a message, and shows the receipt that stands under the answer', async () => {
    const { code, stdout, stderr } = await here.run('chat', { input: 'Say hello to the bridge\n' });
    expect(code).toBe(0);
    expect(stdout).toContain('Simulated answer');
    const id = /([0-9a-f-]{36})\n$/.exec(stderr)?.[1] ?? '';
    expect(stderr).toMatch(/^◆ simulation simulation · tiercel-simulation · /);
    const shown = await here.run(`receipts show ${id} --contents`);
    expect(shown.stdout).toContain(id);
    expect(shown.stdout).toContain('◆ simulation');
    expect(shown.stdout).toContain('Say hello to the bridge');
    const listed = JSON.parse((await here.run('receipts list --limit 1 --json')).stdout);
    expect(listed).toMatchObject([{ id, outcome: 'ok', served: { tier: 'simulation' } }]);
  });

  it('says that a receipt does not exist and exits 1', async () => {
    for (const id of ['01939f2e-5c1a-7000-8000-3f1d2c4b5a69', 'nonsense']) {
      const { code, stderr } = await here.run(`receipts show ${id}`);
      expect(stderr).toContain('(receipt_not_found)');
      expect(code).toBe(1);
    }
  });

  it('sets, unsets and undoes a setting, with its origin', async () => {
    const routing = async () => {
      const rows: { path: string; value: string; origin: { kind: string } }[] = JSON.parse(
        (await here.run('config show --json')).stdout,
      );
      const row = rows.find(({ path }) => path === 'routing');
      return [row?.value, row?.origin.kind];
    };
    expect((await here.run('config set routing local_only')).code).toBe(0);
    expect(await routing()).toEqual(['local_only', 'console']);
    expect((await here.run('config unset routing')).code).toBe(0);
    expect(await routing()).toEqual(['local_first', 'default']);
    expect((await here.run('config undo')).stderr).toBe('Change 2 is undone.\n');
    expect(await routing()).toEqual(['local_only', 'console']);
  });

  it('refuses a wrong path or value with the nearest or the allowed ones and exits 2', async () => {
    const path = await here.run('config set rooting local_only');
    expect(path.stderr).toContain('Did you mean "routing"?');
    expect(path.code).toBe(2);
    const value = await here.run('config set routing nowhere');
    expect(value.stderr).toContain('local_first');
    expect(value.code).toBe(2);
    expect((await here.run('config undo 7')).code).toBe(2);
  });
});

describe('tiercel config unset', () => {
  it('takes back a stored change that keeps the server from starting', async () => {
    here.configure(localSettings('http://127.0.0.1:1/v1', 'ok'));
    expect((await here.run('config set roles.narrator.local [box]')).code).toBe(0);
    here.configure({ mode: 'simulation' });
    const refused = await here.run('serve --port 0');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Take it back with: tiercel config unset roles.narrator.local');
    expect((await here.run('config unset roles.narrator.local')).code).toBe(0);
    await here.serve();
  });
});
