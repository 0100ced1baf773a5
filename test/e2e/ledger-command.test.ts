import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/open-database.ts';
import { setUpWorkplace } from '../support/workplace.ts';

const here = setUpWorkplace();

async function query(sql: string): Promise<void> {
  const database = await openDatabase({ dataDir: join(here.path, '.tiercel'), databaseUrl: null });
  await database.pool.query(sql);
  await database.close();
}

async function call(url: string): Promise<void> {
  const body = JSON.stringify({ model: 'simulation', messages: [{ role: 'user', content: 'Hello' }] });
  await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
}

it('verifies, exports and archives on the running server', async () => {
  const { url } = await here.serve();
  await call(url);
  const verified = await here.run('ledger verify');
  expect(verified.stdout).toMatch(/^intact {2}\d+ events, 1 chain/);
  expect(verified.code).toBe(0);
  const exported = await here.run('ledger export');
  expect(exported.stdout).toContain('"type":"INFERENCE_SERVED"');
  expect((await here.run('ledger verify --anchor nowhere.jsonl')).code).toBe(2);
  expect((await here.run('ledger verify --from none')).code).toBe(2);
  expect((await here.run('ledger archive --before 1d')).stderr).toContain('No segment');
});

it('names what was altered or cut off in the database, and verifies an export without it', async () => {
  const server = await here.serve();
  await call(server.url);
  await server.stop();
  const out = join(here.path, 'ledger.jsonl');
  const { stderr } = await here.run(`ledger export --out ${out}`);
  expect(stderr).toContain('ledger verify');
  const key = (await here.run('ledger key')).stdout.trim();
  expect(key).toMatch(/^[\w-]{43}$/);
  const intact = await here.run(`ledger verify ${out} --public-key ${key}`);
  expect([intact.code, intact.stdout]).toEqual([0, expect.stringMatching(/^intact/)]);
  writeFileSync(out, readFileSync(out, 'utf8').replace('simulation', 'simulatiom'));
  const altered = await here.run(`ledger verify ${out}`);
  expect([altered.code, altered.stdout]).toEqual([1, expect.stringContaining('altered at 1')]);
  expect((await here.run('ledger verify nothing.jsonl')).code).toBe(2);

  await query("update events set body = replace(body, 'simulation', 'simulatiom') where seq = 2");
  const stored = await here.run('ledger verify');
  expect([stored.code, stored.stdout]).toEqual([1, expect.stringContaining('altered at 2')]);

  await query('delete from events where seq > 1');
  const cut = await here.run('ledger verify --json');
  expect(JSON.parse(cut.stdout).chains[0].findings.at(-1)).toMatchObject({ kind: 'truncated', last: 1 });
  expect(cut.code).toBe(1);
});

it('archives closed segments to files that verify', async () => {
  const server = await here.serve();
  await call(server.url);
  await server.stop();
  const { stdout, code } = await here.run('ledger archive --before 2100-01-01');
  expect(code).toBe(0);
  const path = stdout.trim();
  expect(existsSync(path)).toBe(true);
  expect((await here.run(`ledger verify ${path}`)).code).toBe(0);
  const rest = await here.run('ledger verify');
  expect([rest.code, rest.stdout]).toEqual([0, expect.stringContaining('archived')]);
});
