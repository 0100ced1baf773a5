import type { Target } from './client.ts';
import type { Generator } from './generator.ts';
import type { Figures } from './load.ts';
import { SCENARIOS, type Scenario, type Server, type ServerName } from './servers.ts';
import { median } from './statistics.ts';

export const CONNECTIONS = [1, 32] as const;
export type Connections = (typeof CONNECTIONS)[number];

/** How much is measured. */
export type Effort = { rounds: number; roundMs: number; warmUpMs: number; turns: number };

export type Round = Figures & {
  /** CPU time of the server's process, all threads, by request. */
  cpuMicros: number;
};

export type Rounds = { scenario: Scenario; connections: Connections; server: ServerName; rounds: Round[] };
export type Turns = { scenario: Scenario; server: ServerName; figures: Figures };

export type Bench = {
  servers: readonly Server[];
  generator: Generator;
  effort: Effort;
  note: (line: string) => void;
};

/** Which servers answer which scenario with 200; the others are left out of it, and said to be. */
export async function findFit(
  { servers, generator }: Bench,
  warn: (line: string) => void,
): Promise<Map<Scenario, Server[]>> {
  const fit = new Map<Scenario, Server[]>();
  for (const scenario of SCENARIOS) {
    const passed: Server[] = [];
    for (const server of servers) {
      try {
        const target = server.target(scenario);
        await generator.run({ kind: 'count', target, connections: 1, requests: 3 });
        passed.push(server);
      } catch (error) {
        if (server.name !== 'portkey') throw error;
        warn(`${server.name} IS LEFT OUT of scenario ${scenario}: ${String(error)}`);
      }
    }
    fit.set(scenario, passed);
  }
  return fit;
}

/** A B C A B C …: what else the machine does meanwhile meets all alike, and the median of a server's rounds is taken. */
export async function measureRounds(
  { generator, effort, note }: Bench,
  scenario: Scenario,
  servers: readonly Server[],
): Promise<Rounds[]> {
  const all: Rounds[] = [];
  for (const connections of CONNECTIONS) {
    note(`${scenario}, ${connections} ${connections === 1 ? 'connection' : 'connections'} …`);
    const measured = servers.map(
      (server): Rounds => ({ scenario, connections, server: server.name, rounds: [] }),
    );
    for (let round = 0; round < effort.rounds; round++) {
      for (const [at, server] of servers.entries()) {
        measured[at]?.rounds.push(
          await oneRound(generator, server, server.target(scenario), connections, effort),
        );
      }
    }
    all.push(...measured);
  }
  return all;
}

async function oneRound(
  generator: Generator,
  server: Server,
  target: Target,
  connections: number,
  { roundMs }: Effort,
): Promise<Round> {
  const before = await server.cpuMicros();
  const [figures] = await generator.run({ kind: 'for', target, connections, ms: roundMs });
  const after = await server.cpuMicros();
  if (!figures) throw new Error('The load generator gave no figures.');
  return { ...figures, cpuMicros: (after - before) / figures.requests };
}

export async function warmUp(
  { generator, effort }: Bench,
  scenario: Scenario,
  servers: readonly Server[],
): Promise<void> {
  for (const server of servers) {
    const target = server.target(scenario);
    await generator.run({ kind: 'for', target, connections: 32, ms: effort.warmUpMs });
  }
}

/** One request at a time, each to the next server in turn, so that drift of the machine cancels in the differences. */
export async function measureTurns(
  { generator, effort, note }: Bench,
  scenario: Scenario,
  servers: readonly Server[],
): Promise<Turns[]> {
  note(`${scenario}, request by request in turn …`);
  const targets = servers.map((server) => server.target(scenario));
  const figures = await generator.run({ kind: 'turns', targets, requests: effort.turns });
  return servers.flatMap(({ name }, at) => {
    const own = figures[at];
    return own ? [{ scenario, server: name, figures: own }] : [];
  });
}

export function requestsPerSecond({ requests, seconds }: Figures): number {
  return requests / seconds;
}

/** The median over the rounds of one server's throughput by another's in the same round. Null when one was not measured. */
export function throughputRatio(one: Rounds | undefined, other: Rounds | undefined): number | null {
  if (!one || !other) return null;
  const ratios = one.rounds.flatMap((round, at) => {
    const beside = other.rounds[at];
    return beside ? [requestsPerSecond(round) / requestsPerSecond(beside)] : [];
  });
  return median(ratios);
}
