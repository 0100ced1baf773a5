import type { Bucket, Cost } from '../../api/types.ts';
import { TimeChart } from '../../kit/chart.tsx';
import { formatClock, formatCount, formatMoney, formatShortCount } from '../../kit/format.ts';
import { linearScale } from '../../kit/scale.ts';

/** Input below, output above; the price of both in the line under the chart. */
export function UsageChart({ buckets, cost }: { buckets: readonly Bucket[]; cost: Cost | null }) {
  return (
    <TimeChart
      label="How many tokens, at what cost?"
      times={buckets.map(({ at }) => at)}
      scale={linearScale(Math.max(100, ...buckets.map((bucket) => bucket.inputTokens + bucket.outputTokens)))}
      format={formatShortCount}
      readout={(index) => readout(index === null ? null : buckets[index], cost)}
      draw={({ x, y, slot }) =>
        buckets.map(({ at, inputTokens, outputTokens }, index) => {
          const width = Math.max(2, Math.min(28, slot - 4));
          const left = x(index) + (slot - width) / 2;
          const split = y(inputTokens);
          const top = y(inputTokens + outputTokens);
          return (
            <g key={at}>
              <rect x={left} y={split} width={width} height={y(0) - split} className="fill-line-strong" />
              <rect
                x={left}
                y={top}
                width={width}
                height={Math.max(0, split - top - 1)}
                className="fill-muted"
              />
            </g>
          );
        })
      }
    />
  );
}

function readout(bucket: Bucket | null | undefined, cost: Cost | null): string {
  if (!bucket) return 'tokens per minute: input below, output above';
  const time = formatClock(bucket.at, false).slice(0, 5);
  const price = cost ? `, ${formatMoney(bucket.cost, cost.currency)}` : '';
  return `${time}: ${formatCount(bucket.inputTokens)} in, ${formatCount(bucket.outputTokens)} out${price}`;
}
