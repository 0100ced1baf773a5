import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { ensureBuilt, makeFolder, runTiercel, type ServingCommand, serve } from '../support/command.ts';

let folder: ReturnType<typeof makeFolder>;
let server: ServingCommand | null = null;
let upstream: FaultyUpstream;

const run = (args: string, options: Parameters<typeof runTiercel>[2] = {}) =>
  runTiercel(folder.path, args.split(' '), options);

beforeAll(async () => {
  ensureBuilt();
  upstream = await startFaultyUpstream();
});
afterAll(() => upstream.close());
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  await server?.stop();
  server = null;
  folder.remove();
});

/** Settings with one local deployment that behaves as its model name says. */
function localSettings(model: string): string {
  return JSON.stringify({
    mode: 'local',
    deployments: [{ id: 'box', tier: 'local', baseUrl: upstream.baseUrl, auth: { type: 'none' }, model }],
    defaults: { local: ['box'] },
    roles: { narrator: {}, guide: { simulator: true } },
  });
}

describe('tiercel', () => {
  it('suggests the nearest command and exits 2', async () => {
    const { code, stderr, stdout } = await run('docter');
    expect(stderr).toContain('Did you mean doctor?');
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it.each([
    '',
    'serve',
    'doctor',
    'chat',
    'keys create',
    'keys list',
    'keys revoke',
    'receipts show',
    'receipts list',
    'config show',
    'config set',
    'config unset',
    'config undo',
  ])('explains "%s" with an example', async (command) => {
    const { code, stdout } = await run(`${command} --help`.trim());
    expect(stdout).toMatch(/Usage: tiercel/);
    expect(stdout).toMatch(/Examples?:\n {2}\$ /);
    expect(code).toBe(0);
  });

  it('tells a wrong setting in one line, without a stack, and exits 2', async () => {
    const { code, stderr } = await run('doctor', { env: { TIERCEL_MODE: 'lokal' } });
    expect(stderr).toMatch(/^error TIERCEL_MODE mode: "lokal" is not allowed.*\(config_invalid\)\n$/);
    expect(code).toBe(2);
  });
});

describe('tiercel serve', () => {
  it('answers, stops on SIGTERM with 0, and leaves nothing behind', async () => {
    server = await serve(folder.path);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const { code, stdout, stderr } = await server.stop();
    expect(code).toBe(0);
    expect(stdout).toBe('');
    const messages = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(messages[0]).toMatchObject({ msg: 'listening', url: server.url, label: 'simulation' });
    expect(messages.at(-1)).toMatchObject({ msg: 'stopping', signal: 'SIGTERM' });
    expect(existsSync(join(folder.path, '.tiercel/server.json'))).toBe(false);
    expect(existsSync(join(folder.path, '.tiercel/lock'))).toBe(false);
  });

  it('ends at once on a second signal', async () => {
    writeFileSync(join(folder.path, 'tiercel.yaml'), localSettings('hang'));
    server = await serve(folder.path);
    const call = fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'hi' }] }),
    }).catch(() => null);
    while (!upstream.requests.some(({ model }) => model === 'hang')) await sleep(10);
    server.kill('SIGINT');
    await sleep(300);
    server.kill('SIGINT');
    expect((await server.outcome).code).toBe(130);
    await call;
  });

  it('refuses a data folder in use in one line and exits 1', async () => {
    server = await serve(folder.path);
    const { code, stderr } = await run('serve --port 0');
    expect(stderr).toMatch(
      /^error The data folder .* is in use by process \d+\. .*\(data_folder_locked\)\n$/,
    );
    expect(stderr).toContain(`process ${server.pid}`);
    expect(code).toBe(1);
  });

  it('refuses a port in use and exits 1, with the folder free again', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, stderr } = await run(`serve --port ${port}`);
    other.close();
    expect(stderr).toContain('(address_in_use)');
    expect(code).toBe(1);
    expect((await run('keys list')).code).toBe(0);
  });
});

describe('tiercel doctor', () => {
  it('G25 shows every role of a template full of blanks served by the one model, as inherited', async () => {
    const roles = ['NARRATOR', 'STRATEGIST', 'OPS', 'ORGDESIGNER'];
    const blanks = roles.flatMap((role) => [`LOCAL_${role}_MODEL`, `${role}_MODEL`]);
    const env = {
      ...Object.fromEntries([...blanks, 'FOUNDRY_BASE_URL', 'AGENT_ROUTING'].map((name) => [name, ''])),
      DEMO_MODE: 'local',
      LOCAL_AGENT_BASE_URL: upstream.baseUrl,
      LOCAL_AGENT_MODEL: 'ok',
    };
    const { code, stdout, stderr } = await run('doctor', { env });
    for (const role of roles) {
      const block = stdout.split(`role:${role.toLowerCase()}  `)[1]?.split('\n\n')[0];
      expect(block).toMatch(/^local\n {2}1 {2}■ local {2}local-agent {2}ok\n/);
      expect(block).toMatch(/local chain {2}\[local-agent\] {2}inherited from defaults\.local/);
    }
    expect(stdout).toMatch(/local chain {2}\[local-agent\] {2}environment: LOCAL_AGENT_MODEL/);
    expect(stderr).toMatch(/local-agent answers in \d/);
    expect(stdout).toContain('All is well.');
    expect(code).toBe(0);
  });

  it('exits 1 when a needed deployment cannot be reached, and not when it is not asked', async () => {
    const env = { DEMO_MODE: 'local', LOCAL_AGENT_BASE_URL: 'http://127.0.0.1:1/v1', LOCAL_AGENT_MODEL: 'm' };
    const probed = await run('doctor --json', { env });
    expect(JSON.parse(probed.stdout).problems).toEqual([
      expect.stringContaining('local-agent is needed and fails'),
    ]);
    expect(probed.code).toBe(1);
    expect((await run('doctor --no-probe', { env })).code).toBe(0);
  });

  it('exits 1 when a role has no candidate', async () => {
    const settings = { mode: 'local', roles: { narrator: {} } };
    writeFileSync(join(folder.path, 'tiercel.yaml'), JSON.stringify(settings));
    const { code, stdout } = await run('doctor --json');
    expect(JSON.parse(stdout).problems).toContain('role:narrator has no candidate');
    expect(code).toBe(1);
  });

  it('asks the running server, so that it tells what is in force there', async () => {
    server = await serve(folder.path, ['--routing', 'local_only']);
    const { stdout, code } = await run('doctor --json');
    const { server: url, basics } = JSON.parse(stdout);
    expect(url).toBe(server.url);
    expect(basics).toContainEqual({
      path: 'routing',
      value: 'local_only',
      origin: { kind: 'flag', detail: '--routing' },
    });
    expect(code).toBe(0);
  });

  it('resolves the settings without the database when a server that does not answer holds it', async () => {
    server = await serve(folder.path);
    server.kill('SIGSTOP');
    const { code, stdout } = await run('doctor --json');
    server.kill('SIGCONT');
    const { database, targets, problems } = JSON.parse(stdout);
    expect(database).toEqual({ ok: false, message: expect.stringContaining('is in use by process') });
    expect(targets[0]).toMatchObject({ name: 'auto', label: 'simulation' });
    expect(problems).toHaveLength(1);
    expect(code).toBe(1);
  });
});

describe.each(['with a running server', 'without one'])('keys, receipts and settings %s', (how) => {
  beforeEach(async () => {
    if (how === 'with a running server') server = await serve(folder.path);
  });

  it('makes a key, lists it without the key itself, and revokes it once', async () => {
    const made = await run('keys create --name laptop --principal ada --admin');
    expect(made.stdout).toMatch(/^tcl_[\w-]{43}\n$/);
    expect(made.code).toBe(0);
    const [entry] = JSON.parse((await run('keys list --json')).stdout);
    expect(entry).toMatchObject({ name: 'laptop', principal: 'ada', admin: true, revokedAt: null });
    expect(JSON.stringify(entry)).not.toContain(made.stdout.trim());
    expect((await run('keys create --name laptop')).code).toBe(2);
    expect((await run('keys revoke laptop')).code).toBe(0);
    const again = await run('keys revoke laptop');
    expect(again.stderr).toContain('(key_not_found)');
    expect(again.code).toBe(1);
  });

  it('answers a message, and shows the receipt that stands under the answer', async () => {
    const { code, stdout, stderr } = await run('chat', { input: 'Say hello to the bridge\n' });
    expect(code).toBe(0);
    expect(stdout).toContain('Simulated answer');
    const id = /([0-9a-f-]{36})\n$/.exec(stderr)?.[1] ?? '';
    expect(stderr).toMatch(/^◆ simulation simulation · tiercel-simulation · /);
    const shown = await run(`receipts show ${id} --contents`);
    expect(shown.stdout).toContain(id);
    expect(shown.stdout).toContain('◆ simulation');
    expect(shown.stdout).toContain('Say hello to the bridge');
    const listed = JSON.parse((await run('receipts list --limit 1 --json')).stdout);
    expect(listed).toMatchObject([{ id, outcome: 'ok', served: { tier: 'simulation' } }]);
  });

  it('says that a receipt does not exist and exits 1', async () => {
    for (const id of ['01939f2e-5c1a-7000-8000-3f1d2c4b5a69', 'nonsense']) {
      const { code, stderr } = await run(`receipts show ${id}`);
      expect(stderr).toContain('(receipt_not_found)');
      expect(code).toBe(1);
    }
  });

  it('sets, unsets and undoes a setting, with its origin', async () => {
    const routing = async () => {
      const rows: { path: string; value: string; origin: { kind: string } }[] = JSON.parse(
        (await run('config show --json')).stdout,
      );
      const row = rows.find(({ path }) => path === 'routing');
      return [row?.value, row?.origin.kind];
    };
    expect((await run('config set routing local_only')).code).toBe(0);
    expect(await routing()).toEqual(['local_only', 'console']);
    expect((await run('config unset routing')).code).toBe(0);
    expect(await routing()).toEqual(['local_first', 'default']);
    expect((await run('config undo')).stderr).toBe('Change 2 is undone.\n');
    expect(await routing()).toEqual(['local_only', 'console']);
  });

  it('refuses a wrong path or value with the nearest or the allowed ones and exits 2', async () => {
    const path = await run('config set rooting local_only');
    expect(path.stderr).toContain('Did you mean "routing"?');
    expect(path.code).toBe(2);
    const value = await run('config set routing nowhere');
    expect(value.stderr).toContain('local_first');
    expect(value.code).toBe(2);
    expect((await run('config undo 7')).code).toBe(2);
  });
});

describe('tiercel config unset', () => {
  it('takes back a stored change that keeps the server from starting', async () => {
    const yaml = join(folder.path, 'tiercel.yaml');
    writeFileSync(yaml, localSettings('ok'));
    expect((await run('config set roles.narrator.local [box]')).code).toBe(0);
    writeFileSync(yaml, 'mode: simulation\n');
    const refused = await run('serve --port 0');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Take it back with: tiercel config unset roles.narrator.local');
    expect((await run('config unset roles.narrator.local')).code).toBe(0);
    server = await serve(folder.path);
  });
});

describe.each(['with a running server', 'without one'])('tiercel chat %s', (how) => {
  async function chatWith(model: string, args = '') {
    writeFileSync(join(folder.path, 'tiercel.yaml'), localSettings(model));
    if (how === 'with a running server') server = await serve(folder.path);
    return runTiercel(folder.path, ['chat', ...args.split(' ').filter(Boolean), 'hi', 'there']);
  }

  it('streams the answer of a deployment and names it', async () => {
    const { code, stdout, stderr } = await chatWith('ok', '--model box');
    expect(stdout.length).toBeGreaterThan(10);
    expect(stderr).toMatch(/^■ local box · ok · \d/);
    expect(code).toBe(0);
  });

  it('exits 1 and never shows a cut answer as a whole one', async () => {
    const { code, stderr } = await chatWith('cut-after-3');
    expect(stderr).toMatch(/▲ failed local · box · .* truncated · upstream_truncated/);
    expect(code).toBe(1);
  });

  it('tells which fallback answered and why', async () => {
    const { code, stderr } = await chatWith('unauthorized', '--model role:guide');
    expect(stderr).toMatch(/^◆ simulation .*fell back: upstream_credentials/);
    expect(code).toBe(0);
  });

  it('prints answer and receipt as JSON, also of a call that failed', async () => {
    const { code, stdout } = await chatWith('status-400', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      text: '',
      error: { code: expect.any(String) },
      receipt: { outcome: 'error' },
    });
    expect(code).toBe(1);
  });

  it('refuses a name that there is not', async () => {
    const { code, stderr } = await chatWith('ok', '--model nobody');
    expect(stderr).toContain('There is no model "nobody"');
    expect(code).toBe(1);
  });
});
