/** How values stand on a chart's axis. */
export type Scale = {
  /** Values that have a line and a label. */
  ticks: readonly number[];
  /** From 0 at the foot of the chart to 1 at its top. */
  place: (value: number) => number;
};

/** From 0 to a round number at or above `max`. */
export function linearScale(max: number): Scale {
  const top = niceCeiling(max);
  return { ticks: [0, top / 2, top], place: (value) => value / top };
}

/** Whole powers of ten around the values: for what differs by factors, as durations do. */
export function logScale(values: readonly number[]): Scale {
  const positive = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...positive, 1000)) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive, 10)) - 1e-9));
  const step = high - low > 3 ? 2 : 1;
  const ticks = [];
  for (let power = low; power <= high; power += step) ticks.push(10 ** power);
  return {
    ticks,
    place: (value) => (value <= 0 ? 0 : Math.max(0, (Math.log10(value) - low) / (high - low))),
  };
}

/** The next of 1, 2, 3, 4, 5, 6, 8, 10 times a power of ten, so that half of it is readable as well. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= value * 0.999) ?? 10;
  return step * power;
}
