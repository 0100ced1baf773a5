/**
 * `npm run bench:gateway`: Tiercel beside the upstream alone, a bare proxy and Portkey's gateway. docs/performance.md says how
 * it measures and what a run gave.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Generator, startGenerator } from './generator.ts';
import { type Bench, findFit, measureRounds, measureTurns, warmUp } from './measure.ts';
import { measureMemory } from './memory.ts';
import { type Extent, FULL, HELP, type Options, parseOptions, QUICK } from './options.ts';
import { machine, toReport } from './report.ts';
import {
  SCENARIOS,
  type Server,
  startBareProxy,
  startPortkey,
  startTiercel,
  startTiercelOnPostgres,
  startUpstream,
  type Upstream,
} from './servers.ts';
import { measureStart } from './start-time.ts';
import { judge, type Results } from './verdict.ts';

const startedAt = performance.now();

function note(line: string): void {
  console.error(`${Math.round((performance.now() - startedAt) / 1000)} s  ${line}`);
}

function warn(line: string): void {
  console.error(`\n!! ${line}\n`);
}

async function main(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  if (options.help) {
    console.log(HELP);
    return;
  }
  note('building dist/ …');
  const builder = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
  if (spawnSync(process.execPath, [builder, '--if-stale'], { stdio: ['ignore', 2, 2] }).status !== 0) {
    throw new Error('dist/ could not be built.');
  }
  note(machine());
  const results = await measure(options, options.quick ? QUICK : FULL);
  const verdicts = judge(results);
  console.log(
    options.json ? JSON.stringify({ machine: machine(), ...results, verdicts }) : toReport(results, verdicts),
  );
  const missed = verdicts.filter(({ met }) => !met);
  for (const { what, measured, unit, limit } of missed) {
    console.error(`MISSED: ${what}: ${measured.toFixed(2)} ${unit}, limit ${limit}`);
  }
  if (missed.length > 0) process.exitCode = 1;
}

async function measure({ parts }: Options, extent: Extent): Promise<Results> {
  const results: Results = { rounds: [], turns: [], memory: null, start: null };
  const generator = startGenerator();
  const upstream = await startUpstream();
  try {
    if (parts.includes('speed')) await measureSpeed(results, upstream, generator, extent);
    if (parts.includes('memory')) {
      const server = await startTiercel(upstream.origin, null);
      try {
        results.memory = await measureMemory(server, upstream, generator, extent.memory, note);
      } finally {
        await server.stop();
      }
    }
  } finally {
    await generator.stop();
    await upstream.stop();
  }
  if (parts.includes('start')) {
    note('npm start …');
    results.start = await measureStart(extent.starts);
  }
  return results;
}

async function measureSpeed(
  results: Results,
  upstream: Upstream,
  generator: Generator,
  { speed: effort }: Extent,
): Promise<void> {
  const servers: Server[] = [];
  try {
    note('starting the servers …');
    const { origin } = upstream;
    servers.push(await startBareProxy(origin), await startTiercel(origin, null));
    for (const start of [startTiercelOnPostgres, startPortkey]) {
      const server = await start(origin, warn);
      if (server) servers.push(server);
    }
    const bench: Bench = { servers: [upstream, ...servers], generator, effort, note };
    const fit = await findFit(bench, warn);
    for (const scenario of SCENARIOS) {
      const able = fit.get(scenario) ?? [];
      note(`${scenario}, warming up …`);
      await warmUp(bench, scenario, able);
      results.rounds.push(...(await measureRounds(bench, scenario, able)));
      results.turns.push(...(await measureTurns(bench, scenario, able)));
    }
  } finally {
    for (const server of servers) await server.stop();
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
