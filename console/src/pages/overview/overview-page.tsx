import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useEventPulse } from '../../api/live.ts';
import type { Overview } from '../../api/pending.ts';
import { overviewQuery } from '../../api/queries.ts';
import { formatCount, formatDuration, formatMoney, formatShare } from '../../kit/format.ts';
import { Panel } from '../../kit/panel.tsx';
import { ErrorState, SkeletonRows } from '../../kit/states.tsx';
import { useRuns } from '../runs/use-runs.ts';
import { Attention } from './attention.tsx';
import { FirstRun } from './first-run.tsx';
import { Ladder } from './ladder.tsx';
import { LatencyChart } from './latency-chart.tsx';
import { LatestRuns } from './latest-runs.tsx';
import { TrafficChart, TrafficLegend } from './traffic-chart.tsx';
import { UsageChart } from './usage-chart.tsx';

const NO_FILTER = {};
const PULSE_MS = 1_000;

export function OverviewPage() {
  const client = useQueryClient();
  const { data: overview, error, refetch } = useQuery(overviewQuery);
  const runs = useRuns(NO_FILTER, true);
  // Whoever sent the first request reads its receipt before the page fills.
  const [reading, setReading] = useState(false);
  useEventPulse(
    () => true,
    () => void client.invalidateQueries({ queryKey: overviewQuery.queryKey }),
    PULSE_MS,
  );
  if (error && !overview) {
    return <ErrorState title="The overview could not be read" error={error} retry={() => void refetch()} />;
  }
  if (!overview || (runs.pending && !runs.error)) return <SkeletonRows rows={18} />;
  if (reading || (!runs.error && runs.rows.length === 0)) {
    return <FirstRun overview={overview} onSend={() => setReading(true)} />;
  }
  return (
    <>
      <h1 className="sr-only">Overview</h1>
      <div className="grid shrink-0 grid-cols-1 border-line border-b full:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <Panel title="What serves now, and why?" className="border-line full:border-r">
          <Ladder overview={overview} />
        </Panel>
        <Panel
          title="Who served the last 15 minutes?"
          aside={<TrafficLegend />}
          className="border-line border-t full:border-t-0"
        >
          <Figures overview={overview} />
          <TrafficChart buckets={overview.buckets} />
        </Panel>
      </div>
      <div className="grid shrink-0 grid-cols-1 border-line border-b wide:grid-cols-2 full:grid-cols-3">
        <Panel title="How long did answers take?" aside={<Percentiles overview={overview} />}>
          <LatencyChart buckets={overview.buckets} />
        </Panel>
        <Panel
          title="How many tokens, at what cost?"
          aside={<Spent overview={overview} />}
          className="border-line border-t wide:border-t-0 wide:border-l"
        >
          <UsageChart buckets={overview.buckets} cost={overview.totals.cost} />
        </Panel>
        <Panel
          title="What needs a person?"
          className="border-line border-t wide:col-span-2 full:col-span-1 full:border-t-0 full:border-l"
        >
          <Attention attention={overview.attention} />
        </Panel>
      </div>
      <LatestRuns rows={runs.rows} />
    </>
  );
}

function Figures({ overview: { totals } }: { overview: Overview }) {
  const figures = [
    ['requests', formatCount(totals.requests)],
    ['fell back', `${formatCount(totals.fallbacks)} (${formatShare(totals.fallbacks, totals.requests)})`],
    ['failed', `${formatCount(totals.failed)} (${formatShare(totals.failed, totals.requests)})`],
  ];
  return (
    <dl className="flex gap-6 px-4">
      {figures.map(([name, value]) => (
        <div key={name} className="flex flex-row-reverse items-baseline gap-1.5">
          <dt className="text-muted text-xs">{name}</dt>
          <dd className="font-mono">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const ASIDE = 'shrink-0 font-mono text-xs text-muted';

function Percentiles({ overview: { totals } }: { overview: Overview }) {
  const say = (ms: number | null) => (ms === null ? '–' : formatDuration(ms));
  return (
    <span className={ASIDE}>
      p50 {say(totals.p50Ms)} · p95 {say(totals.p95Ms)}
    </span>
  );
}

function Spent({ overview: { totals } }: { overview: Overview }) {
  const tokens = formatCount(totals.inputTokens + totals.outputTokens);
  return (
    <span className={ASIDE}>
      {tokens}
      {totals.cost ? ` · ${formatMoney(totals.cost.amount, totals.cost.currency)}` : ''}
    </span>
  );
}
