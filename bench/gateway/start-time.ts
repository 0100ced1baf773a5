import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, untilReady } from './child.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What a clone has not: the history, what is built, and what was served. */
const NOT_CLONED = /^(\.git|node_modules|dist|\.dist-.*|\.tiercel|tiercel\.yaml|\.env)$/;

/** Milliseconds from `npm start` to a ready `/readyz`: in a clone just installed, which builds first, and then again. */
export async function measureStart(later: number): Promise<{ firstMs: number; laterMs: number[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'tiercel-bench-start-'));
  try {
    for (const path of (await readdir(root)).filter((name) => !NOT_CLONED.test(name))) {
      await cp(join(root, path), join(folder, path), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const firstMs = await startOnce(folder);
    const laterMs: number[] = [];
    for (let time = 0; time < later; time++) laterMs.push(await startOnce(folder));
    return { firstMs, laterMs };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startOnce(folder: string): Promise<number> {
  const port = await findFreePort();
  const { PATH = '', HOME = '' } = process.env;
  const startedAt = performance.now();
  // npm does not pass a signal on to what its shell runs, so the whole group is ended.
  const child = spawn('npm', ['start', '--silent', '--', '--port', String(port)], {
    cwd: folder,
    env: { PATH, HOME },
    stdio: 'ignore',
    detached: true,
  });
  const gone = once(child, 'exit');
  try {
    await untilReady(`http://127.0.0.1:${port}/readyz`, () => child.exitCode !== null);
    return performance.now() - startedAt;
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await gone;
  }
}
