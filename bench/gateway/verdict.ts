import { type Rounds, type Turns, throughputRatio } from './measure.ts';
import type { Memory } from './memory.ts';
import type { Scenario, ServerName } from './servers.ts';

export type Results = {
  rounds: Rounds[];
  turns: Turns[];
  memory: Memory | null;
  start: { firstMs: number; laterMs: number[] } | null;
};

export type Verdict = {
  what: string;
  measured: number;
  unit: '×' | 'ms' | 'MB' | 'sockets' | 's';
  limit: number;
  /** Whether the limit is the least that is allowed, or the most. */
  bound: 'least' | 'most';
  met: boolean;
};

const MB = 2 ** 20;

// What may come and go without being a leak: code compiled meanwhile, pages that the allocator keeps, the database's cache.
const HEAP_GROWTH_MB = 8;
const RSS_GROWTH_MB = 64;
const SOCKETS = 64;

/** What must be reached, beside what was. What was not measured is not judged. */
export function judge(results: Results): Verdict[] {
  return [...judgeSpeed(results), ...judgeMemory(results), ...judgeStart(results)].map((verdict) => ({
    ...verdict,
    met: verdict.bound === 'least' ? verdict.measured >= verdict.limit : verdict.measured <= verdict.limit,
  }));
}

type Unjudged = Omit<Verdict, 'met'>;

function judgeSpeed({ rounds, turns }: Results): Unjudged[] {
  const at32 = (server: ServerName, scenario: Scenario): Rounds | undefined =>
    rounds.find((one) => one.server === server && one.scenario === scenario && one.connections === 32);
  const least = (what: string, measured: number | null, limit: number): Unjudged[] =>
    measured === null ? [] : [{ what, measured, unit: '×', limit, bound: 'least' }];
  const ratio = (other: ServerName, scenario: Scenario): number | null =>
    throughputRatio(at32('tiercel', scenario), at32(other, scenario));
  return [
    ...least('throughput, Tiercel by bare proxy, not streamed', ratio('bare', 'json'), 0.6),
    ...least('throughput, Tiercel by bare proxy, streamed', ratio('bare', 'stream'), 0.6),
    ...least('throughput, Tiercel by Portkey, not streamed', ratio('portkey', 'json'), 5),
    ...least('throughput, Tiercel by Portkey, streamed', ratio('portkey', 'stream'), 5),
    ...most('added p50 at 1 connection', added(turns, 'tiercel', 'json')?.p50, 'ms', 0.4),
    ...most('added time to first token, p99', added(turns, 'tiercel', 'stream')?.p99, 'ms', 2),
  ];
}

/** What a server adds over the bare proxy: to the whole answer, or of a stream to its first event. */
export function added(
  turns: readonly Turns[],
  server: ServerName,
  scenario: Scenario,
): { p50: number; p99: number } | null {
  const own = turns.find((one) => one.server === server && one.scenario === scenario)?.figures;
  const bare = turns.find((one) => one.server === 'bare' && one.scenario === scenario)?.figures;
  if (!own || !bare) return null;
  const part = scenario === 'json' ? 'total' : 'firstByte';
  return { p50: own[part].p50 - bare[part].p50, p99: own[part].p99 - bare[part].p99 };
}

/** Growth is counted from the first step on: before it, code is not compiled and the database's cache is empty. */
function judgeMemory({ memory }: Results): Unjudged[] {
  if (!memory) return [];
  const served = memory.samples.filter(({ after }) => after === 'requests');
  const abandoned = memory.samples.filter(({ after }) => after === 'aborted streams');
  const [first, last, end] = [served[0], served.at(-1), abandoned.at(-1)];
  if (!first || !last || !end) return [];
  const growth = (field: 'heapUsed' | 'rss', from: typeof first, to: typeof first): number =>
    (to[field] - from[field]) / MB;
  return [
    ...most('heap growth over the requests', growth('heapUsed', first, last), 'MB', HEAP_GROWTH_MB),
    ...most('RSS growth over the requests', growth('rss', first, last), 'MB', RSS_GROWTH_MB),
    ...most('heap growth over the aborted streams', growth('heapUsed', last, end), 'MB', HEAP_GROWTH_MB),
    ...most('RSS growth over the aborted streams', growth('rss', last, end), 'MB', RSS_GROWTH_MB),
    ...most('connections to the upstream left behind', memory.sockets.after, 'sockets', SOCKETS),
  ];
}

function judgeStart({ start }: Results): Unjudged[] {
  if (!start) return [];
  return [
    ...most('npm start to ready, first time', start.firstMs / 1000, 's', 8),
    ...most('npm start to ready, later', Math.max(...start.laterMs) / 1000, 's', 3),
  ];
}

function most(what: string, measured: number | undefined, unit: Verdict['unit'], limit: number): Unjudged[] {
  return measured === undefined ? [] : [{ what, measured, unit, limit, bound: 'most' }];
}
