import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export type ChildOptions = {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Flags of Node itself. */
  flags?: readonly string[];
};

/** A Node process with an IPC channel, and the end of what it wrote to stderr. */
export type Child = {
  process: ChildProcess;
  /** Sends a message and resolves with the answer. One question at a time. */
  ask<Answer>(question: string | object): Promise<Answer>;
  complaint(): string;
  stop(): Promise<void>;
};

const STOP_MS = 10_000;

/** Its environment holds only what is given, PATH and HOME, so that nothing of the caller's shell configures it. */
export function startChild(script: string, args: readonly string[], options: ChildOptions = {}): Child {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [...(options.flags ?? []), script, ...args], {
    cwd: options.cwd,
    env: { PATH, HOME, NODE_ENV: 'production', ...options.env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaint = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    complaint = (complaint + bytes.toString()).slice(-2000);
  });
  const gone = once(child, 'exit');
  return {
    process: child,
    complaint: () => complaint.trim(),
    ask(question) {
      return new Promise((resolve, reject) => {
        const onExit = (): void => reject(new Error(`${script} ended: ${complaint.trim()}`));
        child.once('exit', onExit);
        child.once('message', (answer) => {
          child.off('exit', onExit);
          resolve(answer as never);
        });
        child.send(question, (error) => error && reject(error));
      });
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await gone;
      clearTimeout(timer);
    },
  };
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Resolves when the URL answers 200, asked every few milliseconds. */
export async function untilReady(url: string, isGone: () => boolean, limitMs = 60_000): Promise<void> {
  const until = performance.now() + limitMs;
  while (performance.now() < until && !isGone()) {
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await delay(5);
  }
  throw new Error(`${url} did not get ready.`);
}
