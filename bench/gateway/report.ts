import { arch, cpus, platform, totalmem } from 'node:os';
import { CONNECTIONS, type Rounds, requestsPerSecond, throughputRatio } from './measure.ts';
import type { Memory } from './memory.ts';
import { SCENARIOS, SERVER_NAMES } from './servers.ts';
import { median } from './statistics.ts';
import { added, type Results, type Verdict } from './verdict.ts';

const MB = 2 ** 20;

/** Everything as Markdown: what a terminal shows is what docs/performance.md holds. */
export function toReport(results: Results, verdicts: readonly Verdict[]): string {
  const sections = [
    machine(),
    results.rounds.length > 0 ? speed(results.rounds) : '',
    results.turns.length > 0 ? turns(results) : '',
    results.memory ? memory(results.memory) : '',
    results.start ? start(results.start) : '',
    judgement(verdicts),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

export function machine(): string {
  const all = cpus();
  return (
    `Node ${process.versions.node}, ${all.length} × ${all[0]?.model.trim() || 'unnamed CPU'}, ` +
    `${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${arch()}`
  );
}

function speed(all: readonly Rounds[]): string {
  const rows = SCENARIOS.flatMap((scenario) =>
    CONNECTIONS.flatMap((connections) => {
      const same = all.filter((one) => one.scenario === scenario && one.connections === connections);
      const bare = same.find(({ server }) => server === 'bare');
      const p50 = (one: Rounds | undefined): number =>
        median((one?.rounds ?? []).map(({ total }) => total.p50));
      const p99 = (one: Rounds | undefined): number =>
        median((one?.rounds ?? []).map(({ total }) => total.p99));
      return same.map((one) => [
        scenario,
        String(connections),
        one.server,
        Math.round(median(one.rounds.map(requestsPerSecond))).toString(),
        fixed(throughputRatio(one, bare), 2),
        fixed(p50(one), 2),
        fixed(p99(one), 2),
        fixed(p50(one) - p50(bare), 2),
        fixed(p99(one) - p99(bare), 2),
        Math.round(median(one.rounds.map(({ cpuMicros }) => cpuMicros))).toString(),
      ]);
    }),
  );
  const head = [
    'scenario',
    'conn.',
    'server',
    'req/s',
    '× bare',
    'p50 ms',
    'p99 ms',
    '+p50',
    '+p99',
    'CPU µs/req',
  ];
  return table(head, rows);
}

function turns({ turns: all }: Results): string {
  const rows = SCENARIOS.flatMap((scenario) =>
    SERVER_NAMES.flatMap((server) => {
      const own = all.find((one) => one.server === server && one.scenario === scenario)?.figures;
      if (!own) return [];
      const { p50, p99 } = scenario === 'json' ? own.total : own.firstByte;
      const more = added(all, server, scenario);
      const what = scenario === 'json' ? 'whole answer' : 'first event of a stream';
      return [[what, server, fixed(p50, 3), fixed(p99, 3), fixed(more?.p50, 3), fixed(more?.p99, 3)]];
    }),
  );
  return table(['1 connection, in turn', 'server', 'p50 ms', 'p99 ms', '+p50', '+p99'], rows);
}

function memory({ samples, sockets }: Memory): string {
  const rows = samples.map(({ after, requests, rss, heapUsed, external }) => [
    after === 'start' ? 'at rest' : `${requests.toLocaleString('en')} ${after}`,
    ...[rss, heapUsed, external].map((bytes) => fixed(bytes / MB, 1)),
  ]);
  const line = `Connections to the upstream: ${sockets.before} before the aborted streams, ${sockets.after} after.`;
  return `${table(['memory after', 'RSS MB', 'heap MB', 'external MB'], rows)}\n\n${line}`;
}

function start({ firstMs, laterMs }: NonNullable<Results['start']>): string {
  const later = laterMs.map((ms) => `${fixed(ms / 1000, 2)} s`).join(', ');
  return `\`npm start\` to a ready \`/readyz\`: ${fixed(firstMs / 1000, 2)} s the first time, then ${later}.`;
}

function judgement(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ what, measured, unit, limit, bound, met }) => [
    what,
    `${fixed(measured, 2)} ${unit}`,
    `${bound === 'least' ? '≥' : '≤'} ${limit} ${unit}`,
    met ? 'met' : 'MISSED',
  ]);
  return table(['must reach', 'measured', 'limit', ''], rows);
}

function fixed(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
