import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { formatClock } from './format.ts';
import type { Scale } from './scale.ts';

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
  scale: Scale;
  /** Of the drawing, in pixels. */
  height?: number;
  format: (value: number) => string;
  /** What one bucket says; null is the chart at rest. */
  readout: (index: number | null) => string;
  draw: (geometry: Geometry) => ReactNode;
};

const AXIS = 48;
const TOP = 12;

/** A chart over time buckets. The pointer or the arrow keys choose a bucket, whose values stand in the line below. */
export function TimeChart({ label, times, scale, height = 112, format, readout, draw }: ChartProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const { frame, width } = useWidth();
  const inner = Math.max(0, width - AXIS);
  const slot = times.length === 0 ? 0 : inner / times.length;
  const geometry: Geometry = {
    width: inner,
    height,
    slot,
    x: (index) => index * slot,
    y: (value) => TOP + (height - TOP) * (1 - scale.place(value)),
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
        <svg width={width} height={height + 18} aria-hidden="true" className="block overflow-visible text-xs">
          <Grid geometry={geometry} ticks={scale.ticks} format={format} />
          {chosen === null ? null : (
            <rect x={geometry.x(chosen)} y={TOP} width={slot} height={height - TOP} className="fill-hover" />
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
  ticks,
  format,
}: {
  geometry: Geometry;
  ticks: readonly number[];
  format: (value: number) => string;
}) {
  return ticks.map((value) => (
    <g key={value}>
      <line x1={0} x2={width} y1={y(value) + 0.5} y2={y(value) + 0.5} className="stroke-line" />
      <text x={width + 6} y={y(value) + 4} className="fill-faint">
        {format(value)}
      </text>
    </g>
  ));
}

function TimeLabels({
  geometry: { x, width, height, slot },
  times,
}: {
  geometry: Geometry;
  times: readonly string[];
}) {
  const step = width < 360 ? 7 : 5;
  return times.map((at, index) => {
    if (index % step !== 0) return null;
    const [place, anchor] =
      index === 0
        ? ([0, 'start'] as const)
        : index === times.length - 1
          ? ([width, 'end'] as const)
          : ([x(index) + slot / 2, 'middle'] as const);
    return (
      <text key={at} x={place} y={height + 14} textAnchor={anchor} className="fill-faint">
        {formatClock(at, false).slice(0, 5)}
      </text>
    );
  });
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
