import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useEventPulse } from '../../api/live.ts';
import { overviewQuery } from '../../api/queries.ts';
import type { Overview } from '../../api/types.ts';
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
          <Figures figures={trafficOf(overview)} />
          <TrafficChart buckets={overview.buckets} />
        </Panel>
      </div>
      <div className="grid shrink-0 grid-cols-1 border-line border-b wide:grid-cols-2 full:grid-cols-3">
        <Panel title="How long did answers take?">
          <Figures figures={latencyOf(overview)} />
          <LatencyChart buckets={overview.buckets} />
        </Panel>
        <Panel
          title="How many tokens, at what cost?"
          className="border-line border-t wide:border-t-0 wide:border-l"
        >
          <Figures figures={usageOf(overview)} />
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

/** What a number is, and the number with its unit. */
type Figure = readonly [name: string, value: string];

function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="flex min-h-5 flex-wrap gap-x-5 px-4">
      {figures.map(([name, value]) => (
        <div key={name} className="flex flex-row-reverse items-baseline gap-1.5 whitespace-nowrap">
          <dt className="text-muted text-xs">{name}</dt>
          <dd className="font-mono">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function trafficOf({ totals: { requests, fallbacks, failed } }: Overview): Figure[] {
  const share = (part: number) => `${formatCount(part)} (${formatShare(part, requests)})`;
  return [
    ['requests', formatCount(requests)],
    ['fell back', share(fallbacks)],
    ['failed', share(failed)],
  ];
}

function latencyOf({ totals: { p50Ms, p95Ms } }: Overview): Figure[] {
  const say = (ms: number | null) => (ms === null ? '–' : formatDuration(ms));
  return [
    ['p50', say(p50Ms)],
    ['p95', say(p95Ms)],
  ];
}

function usageOf({ totals: { inputTokens, outputTokens, cost } }: Overview): Figure[] {
  return [
    ['in', formatCount(inputTokens)],
    ['out', formatCount(outputTokens)],
    ...(cost ? [['spent', formatMoney(cost.amount, cost.currency)] as const] : []),
  ];
}
