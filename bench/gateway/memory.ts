import { setTimeout as delay } from 'node:timers/promises';
import type { Generator } from './generator.ts';
import type { MemoryFigures, Server, Upstream } from './servers.ts';

export type MemorySample = { after: string; requests: number } & MemoryFigures;
export type Memory = {
  samples: MemorySample[];
  /** Connections to the upstream before the streams were given up, and after. */
  sockets: { before: number; after: number };
};

export type MemoryEffort = { requests: number; abandoned: number };

const STEPS = 5;
const CONNECTIONS = 32;
// Receipts on their way to the database, and sockets on their way to be closed, are no leak.
const SETTLE_MS = 1500;

/**
 * Memory of a fresh server at rest, while it serves requests in five steps, half of each streamed, and after streams whose
 * client hung up. Each sample is taken after a garbage collection.
 */
export async function measureMemory(
  server: Server,
  upstream: Upstream,
  generator: Generator,
  { requests, abandoned }: MemoryEffort,
  note: (line: string) => void,
): Promise<Memory> {
  const samples: MemorySample[] = [];
  const sample = async (after: string, count: number): Promise<void> => {
    await delay(SETTLE_MS);
    samples.push({ after, requests: count, ...(await server.memory()) });
  };
  await sample('start', 0);
  const half = requests / STEPS / 2;
  for (let step = 1; step <= STEPS; step++) {
    note(`memory: ${(step * requests) / STEPS} requests …`);
    for (const scenario of ['json', 'stream'] as const) {
      const target = server.target(scenario);
      await generator.run({ kind: 'count', target, connections: CONNECTIONS, requests: half });
    }
    await sample('requests', (step * requests) / STEPS);
  }
  const before = await upstream.openSockets();
  const target = server.target('stream', 'stall');
  for (let step = 1; step <= 2; step++) {
    note(`memory: ${(step * abandoned) / 2} aborted streams …`);
    await generator.run({ kind: 'abandon', target, connections: CONNECTIONS, requests: abandoned / 2 });
    await sample('aborted streams', (step * abandoned) / 2);
  }
  return { samples, sockets: { before, after: await upstream.openSockets() } };
}
