import type { Bucket } from '../../api/types.ts';
import { type Geometry, TimeChart } from '../../kit/chart.tsx';
import { formatClock, formatShortCount } from '../../kit/format.ts';
import { linearScale } from '../../kit/scale.ts';
import { Badge } from '../../kit/tier.tsx';

// Bottom up, and so in the legend: what serves by itself first, what went wrong on top where it is seen.
const LAYERS = [
  ['local', 'fill-local-fill'],
  ['live', 'fill-live-fill'],
  ['simulation', 'fill-simulation-fill'],
  ['failed', 'fill-failed-fill'],
] as const;

function total(bucket: Bucket): number {
  return bucket.live + bucket.local + bucket.simulation + bucket.failed;
}

/** Requests by the tier that served, minute by minute; a mark above a bar is a request that fell back. */
export function TrafficChart({ buckets }: { buckets: readonly Bucket[] }) {
  return (
    <TimeChart
      label="Who served the last 15 minutes?"
      times={buckets.map(({ at }) => at)}
      scale={linearScale(Math.max(4, ...buckets.map(total)))}
      height={150}
      format={formatShortCount}
      readout={(index) => readout(index === null ? null : buckets[index])}
      draw={(geometry) =>
        buckets.map((bucket, index) => (
          <Bar key={bucket.at} bucket={bucket} index={index} geometry={geometry} />
        ))
      }
    />
  );
}

export function TrafficLegend() {
  return (
    <span className="hidden items-center gap-3 text-xs full:flex">
      {LAYERS.map(([sign]) => (
        <Badge key={sign} sign={sign} word={sign} />
      ))}
      <Badge sign="degraded" word="fell back" />
    </span>
  );
}

function readout(bucket: Bucket | null | undefined): string {
  if (!bucket) return 'requests per minute';
  const parts = LAYERS.filter(([name]) => bucket[name] > 0).map(([name]) => `${bucket[name]} ${name}`);
  const fallbacks = bucket.fallbacks > 0 ? `, ${bucket.fallbacks} of them fell back` : '';
  return `${formatClock(bucket.at, false).slice(0, 5)}: ${parts.join(', ') || 'no request'}${fallbacks}`;
}

function Bar({ bucket, index, geometry }: { bucket: Bucket; index: number; geometry: Geometry }) {
  const { x, y, slot } = geometry;
  const width = Math.max(2, Math.min(28, slot - 4));
  const left = x(index) + (slot - width) / 2;
  let below = 0;
  const center = left + width / 2;
  const top = y(total(bucket)) - 3;
  return (
    <g>
      {LAYERS.map(([name, fill]) => {
        const from = below;
        below += bucket[name];
        if (bucket[name] === 0) return null;
        // A hair of the ground between layers keeps them apart for those who do not see the colours.
        const height = Math.max(1, y(from) - y(below) - 1);
        return <rect key={name} x={left} y={y(below)} width={width} height={height} className={fill} />;
      })}
      {bucket.fallbacks > 0 ? (
        <path d={`M${center - 4} ${top - 7}h8l-4 7Z`} className="fill-degraded-fill" />
      ) : null}
    </g>
  );
}
