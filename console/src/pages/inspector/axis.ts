/** The part of a run that is in view, in milliseconds from its start. */
export type View = { from: number; to: number };

/** Times at which the axis has a mark: round ones, about `count` of them. */
export function ticksOf({ from, to }: View, count: number): number[] {
  const step = niceStep((to - from) / count);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((one) => one * power >= rough) ?? 10;
  return step * power;
}

/** A time on an axis whose unit follows the whole, so that marks line up: `0`, `500 ms`, `1.5 s`. */
export function formatTick(ms: number, { from, to }: View): string {
  if (ms === 0) return '0';
  const step = (to - from) / 10;
  if (to < 1_000) return `${Number(ms.toFixed(step < 1 ? 2 : 0))}\u202fms`;
  return `${Number((ms / 1000).toFixed(step < 10 ? 3 : step < 100 ? 2 : 1))}\u202fs`;
}

/** Where a time stands in the view, as a share of its width; outside it is below 0 or above 1. */
export function placeOf(ms: number, { from, to }: View): number {
  return (ms - from) / (to - from);
}

/** The view closer (`factor` below 1) or farther around its middle, kept within the run. */
export function zoom(view: View, factor: number, extent: number): View {
  const width = Math.min(extent, (view.to - view.from) * factor);
  const middle = (view.from + view.to) / 2;
  const from = Math.max(0, Math.min(extent - width, middle - width / 2));
  return { from, to: from + width };
}
