import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { localSettings, setUpWorkplace } from '../support/workplace.ts';

const here = setUpWorkplace();
let upstream: FaultyUpstream;
beforeAll(async () => {
  upstream = await startFaultyUpstream();
});
afterAll(() => upstream.close());

describe('tiercel', () => {
  it('suggests the nearest command and exits 2', async () => {
    const { code, stderr, stdout } = await here.run('docter');
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
    'ledger verify',
    'ledger export',
    'ledger key',
    'ledger archive',
    'config show',
    'config set',
    'config unset',
    'config undo',
  ])('explains "%s" with an example', async (command) => {
    const { code, stdout } = await here.run(`${command} --help`.trim());
    expect(stdout).toMatch(/Usage: tiercel/);
    expect(stdout).toMatch(/Examples?:\n {2}\$ /);
    expect(code).toBe(0);
  });

  it('tells a wrong setting in one line, without a stack, and exits 2', async () => {
    const { code, stderr } = await here.run('doctor', { env: { TIERCEL_MODE: 'lokal' } });
    expect(stderr).toMatch(/^error TIERCEL_MODE mode: "lokal" is not allowed.*\(config_invalid\)\n$/);
    expect(code).toBe(2);
  });
});

describe('tiercel serve', () => {
  it('answers, stops on SIGTERM with 0, and leaves nothing behind', async () => {
    const server = await here.serve();
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
    expect(existsSync(join(here.path, '.tiercel/server.json'))).toBe(false);
    expect(existsSync(join(here.path, '.tiercel/lock'))).toBe(false);
  });

  it('ends at once on a second signal', async () => {
    here.configure(localSettings(upstream.baseUrl, 'hang'));
    const server = await here.serve();
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
    const server = await here.serve();
    const { code, stderr } = await here.run('serve --port 0');
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
    const { code, stderr } = await here.run(`serve --port ${port}`);
    other.close();
    expect(stderr).toContain('(address_in_use)');
    expect(code).toBe(1);
    expect((await here.run('keys list')).code).toBe(0);
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
    const { code, stdout, stderr } = await here.run('doctor', { env });
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
    const probed = await here.run('doctor --json', { env });
    expect(JSON.parse(probed.stdout).problems).toEqual([
      expect.stringContaining('local-agent is needed and fails'),
    ]);
    expect(probed.code).toBe(1);
    expect((await here.run('doctor --no-probe', { env })).code).toBe(0);
  });

  it('exits 1 when a role has no candidate', async () => {
    const settings = { mode: 'local', roles: { narrator: {} } };
    here.configure(settings);
    const { code, stdout } = await here.run('doctor --json');
    expect(JSON.parse(stdout).problems).toContain('role:narrator has no candidate');
    expect(code).toBe(1);
  });

  it('asks the running server, so that it tells what is in force there', async () => {
    const server = await here.serve(['--routing', 'local_only']);
    const { stdout, code } = await here.run('doctor --json');
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
    const server = await here.serve();
    server.kill('SIGSTOP');
    const { code, stdout } = await here.run('doctor --json');
    server.kill('SIGCONT');
    const { database, targets, problems } = JSON.parse(stdout);
    expect(database).toEqual({ ok: false, message: expect.stringContaining('is in use by process') });
    expect(targets[0]).toMatchObject({ name: 'auto', label: 'simulation' });
    expect(problems).toHaveLength(1);
    expect(code).toBe(1);
  });
});
