/**
 * `npm run demo:fallback`: lets a model fail in front of a running server, or of one that it starts, and prints where each run can be
 * looked at. A server that it started goes on until Ctrl-C.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const record = join(process.env['TIERCEL_DATA_DIR'] || '.tiercel', 'server.json');

const server = (await findServer()) ?? (await startServer());
const response = await fetch(`${server.url}/api/demo/fallback`, {
  method: 'POST',
  headers: { authorization: `Bearer ${server.token}` },
});
const body = await response.json();
if (!response.ok) {
  console.error(body.error.message);
  process.exit(1);
}
for (const { runId, what, servedBy, fallbackReason } of body.steps) {
  const answer = fallbackReason ? `${servedBy} answers instead (${fallbackReason})` : `${servedBy} answers`;
  console.log(`The model ${what}: ${answer}\n  ${server.url}/runs/${runId}`);
}

async function findServer() {
  try {
    const found = JSON.parse(readFileSync(record, 'utf8'));
    const { ok } = await fetch(`${found.url}/readyz`);
    return ok ? found : null;
  } catch {
    return null;
  }
}

async function startServer() {
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs')], { stdio: 'inherit' });
  child.once('exit', (code) => process.exit(code ?? 1));
  for (;;) {
    const found = await findServer();
    if (found) return found;
    await sleep(200);
  }
}
