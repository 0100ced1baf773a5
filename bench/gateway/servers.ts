import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPostgres, startPostgres } from '../../test/support/postgres.ts';
import { type Child, type ChildOptions, findFreePort, startChild, untilReady } from './child.ts';
import type { Target } from './client.ts';
import { installPortkey, PORTKEY } from './portkey.ts';

export const SERVER_NAMES = ['upstream', 'bare', 'tiercel', 'tiercel-postgres', 'portkey'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];

export const SCENARIOS = ['json', 'stream'] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** Of a server's process, in bytes, after a garbage collection. RSS is of all its threads, the rest of the main one. */
export type MemoryFigures = { rss: number; heapUsed: number; external: number };

export type Server = {
  name: ServerName;
  /** The model of the upstream that plays: `ok`, or one that stalls. */
  target(scenario: Scenario, model?: 'ok' | 'stall'): Target;
  memory(): Promise<MemoryFigures>;
  /** Microseconds of CPU that the process's threads have used since its start. */
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
};

export type Upstream = Server & { origin: string; openSockets(): Promise<number> };

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const PROBE = ['--expose-gc', '--import', new URL('probe.mjs', import.meta.url).href];
const TIERCEL = here('../../bin/tiercel.js');

/** Names of the upstream's behaviours: 20 pieces at once, and one piece followed by silence. */
const MODELS = { ok: 'ok', stall: 'stall-after-1' } as const;

const MESSAGES = [
  {
    role: 'system',
    content:
      'You are the assistant of a bike repair shop. Answer in short, plain sentences. When a price is asked for, give a ' +
      'range and say what it depends on. Never promise a date. If the question is not about bicycles, say so politely.',
  },
  {
    role: 'user',
    content:
      'The rear wheel of my touring bike wobbles since I hit a pothole last week, and two spokes feel loose. Can this be ' +
      'trued, or do I need a new rim? I ride about 40 km a day with panniers and would rather not be stranded.',
  },
];

function toBody(model: string, scenario: Scenario): string {
  return JSON.stringify({
    model,
    messages: MESSAGES,
    temperature: 0.7,
    ...(scenario === 'stream' ? { stream: true } : {}),
  });
}

export async function startUpstream(): Promise<Upstream> {
  const port = await findFreePort();
  const child = startChild(here('upstream.ts'), [String(port)], { flags: ['--import', 'tsx', ...PROBE] });
  const origin = `http://127.0.0.1:${port}`;
  const server = await ready(child, origin, '/', 'upstream', (model) => ({ model: MODELS[model] }));
  return {
    ...server,
    origin,
    openSockets: async () => (await child.ask<{ openSockets: number }>('open sockets')).openSockets,
  };
}

export async function startBareProxy(upstream: string): Promise<Server> {
  const port = await findFreePort();
  const child = startChild(here('bare-proxy.mjs'), [upstream, String(port)], { flags: PROBE });
  return ready(child, `http://127.0.0.1:${port}`, '/', 'bare', (model) => ({ model: MODELS[model] }));
}

/** From dist/, with its defaults: receipts on, contents in full. The target is a live deployment, and `auto` is asked. */
export async function startTiercel(upstream: string, databaseUrl: string | null): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'tiercel-bench-'));
  const deployment = (id: string, model: string): string =>
    `  - { id: ${id}, tier: live, baseUrl: "${upstream}/v1", auth: { type: none }, model: ${model} }\n`;
  await writeFile(
    join(folder, 'tiercel.yaml'),
    `mode: live\nrouting: cloud_first\ndeployments:\n${deployment('ok', MODELS.ok)}${deployment('stall', MODELS.stall)}` +
      'defaults: { live: [ok] }\n',
  );
  const port = await findFreePort();
  const options: ChildOptions = {
    cwd: folder,
    flags: PROBE,
    ...(databaseUrl === null ? {} : { env: { DATABASE_URL: databaseUrl } }),
  };
  const child = startChild(TIERCEL, ['serve', '--port', String(port)], options);
  const name = databaseUrl === null ? 'tiercel' : 'tiercel-postgres';
  const server = await ready(child, `http://127.0.0.1:${port}`, '/readyz', name, (model) => ({
    model: model === 'ok' ? 'auto' : model,
  }));
  return {
    ...server,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Null, and a line that says why, where this machine has no PostgreSQL. */
export async function startTiercelOnPostgres(
  upstream: string,
  warn: (line: string) => void,
): Promise<Server | null> {
  if (findPostgres() === null) {
    warn('NO POSTGRESQL on this machine: tiercel-postgres is left out.');
    return null;
  }
  const postgres = await startPostgres();
  const server = await startTiercel(upstream, postgres.url).catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  return {
    ...server,
    async stop() {
      await server.stop();
      await postgres.stop();
    },
  };
}

/** Null, and a line that says why, when it cannot be installed or started. */
export async function startPortkey(upstream: string, warn: (line: string) => void): Promise<Server | null> {
  const port = await findFreePort();
  try {
    const { script, remove } = await installPortkey();
    const child = startChild(script, ['--headless', `--port=${port}`], { flags: PROBE });
    const server = await ready(child, `http://127.0.0.1:${port}`, '/', 'portkey', (model) => ({
      model: MODELS[model],
      headers: {
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `${upstream}/v1`,
        authorization: 'Bearer none',
      },
    }));
    return {
      ...server,
      async stop() {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    warn(`${PORTKEY} IS LEFT OUT, and with it the ratios to it: ${String(error)}`);
    return null;
  }
}

async function ready(
  child: Child,
  origin: string,
  path: string,
  name: ServerName,
  call: (model: 'ok' | 'stall') => { model: string; headers?: Record<string, string> },
): Promise<Server> {
  try {
    await untilReady(origin + path, () => child.process.exitCode !== null);
  } catch (error) {
    await child.stop();
    throw new Error(`${name} did not start. ${child.complaint()}`, { cause: error });
  }
  return {
    name,
    target(scenario, model = 'ok') {
      const { model: sent, headers } = call(model);
      return {
        origin,
        headers: { 'content-type': 'application/json', ...headers },
        body: toBody(sent, scenario),
      };
    },
    memory: () => child.ask<MemoryFigures>('memory'),
    cpuMicros: async () => (await child.ask<{ cpuMicros: number }>('cpu')).cpuMicros,
    stop: () => child.stop(),
  };
}
