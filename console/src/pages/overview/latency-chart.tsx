import type { Bucket } from '../../api/types.ts';
import { type Geometry, TimeChart } from '../../kit/chart.tsx';
import { formatClock, formatDuration } from '../../kit/format.ts';
import { logScale } from '../../kit/scale.ts';

/** Half of the answers were faster than p50, nineteen in twenty faster than p95. */
export function LatencyChart({ buckets }: { buckets: readonly Bucket[] }) {
  return (
    <TimeChart
      label="How long did answers take?"
      times={buckets.map(({ at }) => at)}
      scale={logScale(buckets.flatMap(({ p50Ms, p95Ms }) => [p50Ms ?? 0, p95Ms ?? 0]))}
      format={formatAxis}
      readout={(index) => readout(index === null ? null : buckets[index])}
      draw={(geometry) => (
        <>
          <Line values={buckets.map(({ p95Ms }) => p95Ms)} geometry={geometry} name="p95" dashed />
          <Line values={buckets.map(({ p50Ms }) => p50Ms)} geometry={geometry} name="p50" />
        </>
      )}
    />
  );
}

function formatAxis(ms: number): string {
  return ms < 1000 ? `${ms}\u202fms` : `${Number((ms / 1000).toFixed(1))}\u202fs`;
}

function readout(bucket: Bucket | null | undefined): string {
  if (!bucket) return 'solid p50, dashed p95';
  const time = formatClock(bucket.at, false).slice(0, 5);
  if (bucket.p50Ms === null || bucket.p95Ms === null) return `${time}: no request`;
  return `${time}: p50 ${formatDuration(bucket.p50Ms)}, p95 ${formatDuration(bucket.p95Ms)}`;
}

type LineProps = { values: readonly (number | null)[]; geometry: Geometry; name: string; dashed?: boolean };

function Line({ values, geometry: { x, y, slot }, name, dashed = false }: LineProps) {
  const at = (index: number) => x(index) + slot / 2;
  const path = values
    .map((value, index) => {
      if (value === null) return '';
      const starts = index === 0 || values[index - 1] === null;
      return `${starts ? 'M' : 'L'}${at(index).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join('');
  return (
    <g>
      <path
        d={path}
        fill="none"
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeDasharray={dashed ? '4 3' : undefined}
        className={dashed ? 'stroke-faint' : 'stroke-ink'}
      />
      {values.map((value, index) =>
        value === null ? null : (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a bucket's place is what it is
            key={`${name}-${index}`}
            cx={at(index)}
            cy={y(value)}
            r={1.75}
            className={dashed ? 'fill-faint' : 'fill-ink'}
          />
        ),
      )}
    </g>
  );
}
