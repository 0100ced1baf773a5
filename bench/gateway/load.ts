/** The load generator, in a process of its own: does one job at a time for the bench, which asks over the IPC channel. */
import { Connection, type Target, type Timing } from './client.ts';
import { percentile } from './statistics.ts';

export type Job =
  /** As many requests as fit into the time. */
  | { kind: 'for'; target: Target; connections: number; ms: number }
  /** This many requests. */
  | { kind: 'count'; target: Target; connections: number; requests: number }
  /** Request by request in turn, one under way at a time. */
  | { kind: 'turns'; targets: readonly Target[]; requests: number }
  /** This many streams, each given up at its first bytes. */
  | { kind: 'abandon'; target: Target; connections: number; requests: number };

export type Latency = { p50: number; p99: number };
/** Of the requests of one target. */
export type Figures = { requests: number; seconds: number; total: Latency; firstByte: Latency };
export type JobAnswer = { figures: Figures[] } | { error: string };

async function work(job: Job): Promise<Figures[]> {
  switch (job.kind) {
    case 'for': {
      const until = performance.now() + job.ms;
      return [await drive(job.target, job.connections, () => performance.now() < until)];
    }
    case 'count':
      return [await drive(job.target, job.connections, countdown(job.requests))];
    case 'turns':
      return takeTurns(job.targets, job.requests);
    case 'abandon':
      return [await abandon(job.target, job.connections, countdown(job.requests))];
  }
}

async function drive(target: Target, connections: number, more: () => boolean): Promise<Figures> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(target)));
  const timings: Timing[] = [];
  const startedAt = performance.now();
  await Promise.all(
    open.map(async (connection) => {
      while (more()) timings.push(await connection.exchange());
    }),
  );
  const figures = toFigures(timings, performance.now() - startedAt);
  for (const connection of open) connection.close();
  return figures;
}

async function takeTurns(targets: readonly Target[], requests: number): Promise<Figures[]> {
  const open = await Promise.all(targets.map((target) => Connection.open(target)));
  const timings = targets.map((): Timing[] => []);
  const startedAt = performance.now();
  for (let turn = 0; turn < requests; turn++) {
    for (const [at, connection] of open.entries()) timings[at]?.push(await connection.exchange());
  }
  for (const connection of open) connection.close();
  return timings.map((one) => toFigures(one, performance.now() - startedAt));
}

async function abandon(target: Target, connections: number, more: () => boolean): Promise<Figures> {
  let requests = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (more()) {
        const connection = await Connection.open(target);
        await connection.abandon();
        requests += 1;
      }
    }),
  );
  return { ...toFigures([], performance.now() - startedAt), requests };
}

function countdown(from: number): () => boolean {
  let left = from;
  return () => left-- > 0;
}

function toFigures(timings: readonly Timing[], ms: number): Figures {
  const latency = (values: number[]): Latency => ({
    p50: percentile(values, 0.5),
    p99: percentile(values, 0.99),
  });
  return {
    requests: timings.length,
    seconds: ms / 1000,
    total: latency(timings.map(({ totalMs }) => totalMs)),
    firstByte: latency(timings.map(({ firstByteMs }) => firstByteMs)),
  };
}

process.on('message', (job: Job) => {
  work(job).then(
    (figures) => process.send?.({ figures } satisfies JobAnswer),
    (error: unknown) => process.send?.({ error: String(error) } satisfies JobAnswer),
  );
});
