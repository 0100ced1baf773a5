import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';

type Run = { child: ChildProcessWithoutNullStreams; stdout: string; stderr: string };

function run(...flags: string[]): Run {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const started: Run = {
    child: spawn(process.execPath, ['--import', 'tsx', main, ...flags]),
    stdout: '',
    stderr: '',
  };
  started.child.stdout.on('data', (piece) => {
    started.stdout += piece;
  });
  started.child.stderr.on('data', (piece) => {
    started.stderr += piece;
  });
  return started;
}

test('the command prints the guide, logs requests on stderr and stops on SIGTERM', async () => {
  const running = run('--port', '0');
  const url = await vi.waitFor(
    () => {
      const found = /^Listening on (\S+);/m.exec(running.stdout)?.[1];
      expect(found).toBeDefined();
      return found;
    },
    { timeout: 10_000 },
  );
  expect(running.stdout).toContain('cut-after-40');
  await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: '{"model":"status-503"}' });
  await vi.waitFor(() =>
    expect(running.stderr).toMatch(/POST \/v1\/chat\/completions status-503 → 503 in \d+ ms\n/),
  );
  running.child.kill('SIGTERM');
  expect(await once(running.child, 'exit')).toEqual([0, null]);
});

test.each([
  [['--help'], 0, 'stdout', 'Usage:'],
  [['--port', 'x'], 1, 'stderr', 'Usage:'],
  [['--prot', '1'], 1, 'stderr', "'--prot'"],
] as const)('%j exits with %i and says how to use it on %s', async (flags, code, stream, text) => {
  const ended = run(...flags);
  expect(await once(ended.child, 'close')).toEqual([code, null]);
  expect(ended[stream]).toContain(text);
});
