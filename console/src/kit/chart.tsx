import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { formatClock } from './format.ts';

export type Geometry = {
  /** Of the area that is drawn in, in pixels. */
  width: number;
  height: number;
  /** The width of one bucket's place. */
  slot: number;
  /** The left edge of a bucket's place. */
  x: (index: number) => number;
  y: (value: number) => number;
};

type ChartProps = {
  /** The question that the chart answers. */
  label: string;
  /** The start of each bucket. */
  times: readonly string[];
  /** The largest value that is drawn. */
  max: number;
  format: (value: number) => string;
  /** What one bucket says; null is the chart at rest. */
  readout: (index: number | null) => string;
  draw: (geometry: Geometry) => ReactNode;
};

const HEIGHT = 112;
const AXIS = 48;
const TOP = 12;

/** A chart over time buckets. The pointer or the arrow keys choose a bucket, whose values stand in the line below. */
export function TimeChart({ label, times, max, format, readout, draw }: ChartProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const { frame, width } = useWidth();
  const inner = Math.max(0, width - AXIS);
  const slot = times.length === 0 ? 0 : inner / times.length;
  const top = niceCeiling(max);
  const geometry: Geometry = {
    width: inner,
    height: HEIGHT,
    slot,
    x: (index) => index * slot,
    y: (value) => TOP + (HEIGHT - TOP) * (1 - value / top),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setChosen((now) => Math.max(0, Math.min(times.length - 1, (now ?? times.length) + step)));
  };
  return (
    <div className="px-4 pt-1 pb-2">
      <div
        ref={frame}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={chosen ?? Math.max(0, times.length - 1)}
        aria-valuetext={readout(chosen)}
        onKeyDown={onKeyDown}
        onBlur={() => setChosen(null)}
        onPointerLeave={() => setChosen(null)}
        onPointerMove={(event) => {
          const left = event.currentTarget.getBoundingClientRect().left;
          const index = Math.floor((event.clientX - left) / slot);
          setChosen(index >= 0 && index < times.length ? index : null);
        }}
      >
        <svg width={width} height={HEIGHT + 18} aria-hidden="true" className="block overflow-visible text-xs">
          <Grid geometry={geometry} top={top} format={format} />
          {chosen === null ? null : (
            <rect x={geometry.x(chosen)} y={TOP} width={slot} height={HEIGHT - TOP} className="fill-hover" />
          )}
          {draw(geometry)}
          <TimeLabels geometry={geometry} times={times} />
        </svg>
      </div>
      <p className="truncate text-muted text-xs">{readout(chosen)}</p>
    </div>
  );
}

function Grid({
  geometry: { width, y },
  top,
  format,
}: {
  geometry: Geometry;
  top: number;
  format: (value: number) => string;
}) {
  return [0, top / 2, top].map((value) => (
    <g key={value}>
      <line x1={0} x2={width} y1={y(value) + 0.5} y2={y(value) + 0.5} className="stroke-line" />
      <text x={width + 6} y={y(value) + 4} className="fill-faint">
        {format(value)}
      </text>
    </g>
  ));
}

function TimeLabels({
  geometry: { x, width, slot },
  times,
}: {
  geometry: Geometry;
  times: readonly string[];
}) {
  const step = width < 360 ? 7 : 5;
  return times.map((at, index) =>
    index % step === 0 ? (
      <text key={at} x={x(index) + slot / 2} y={HEIGHT + 14} textAnchor="middle" className="fill-faint">
        {formatClock(at, false).slice(0, 5)}
      </text>
    ) : null,
  );
}

/** The next of 1, 2, 4, 5, 10 times a power of ten, so that half of it is readable as well. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 5, 10].find((one) => one * power >= value * 0.999) ?? 10;
  return step * power;
}

function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return { frame, width };
}
