let lastMs = Number.NaN;
let lastText = '';

/**
 * ISO 8601 in UTC of Unix milliseconds; a fraction of one is cut off. The last text is kept: what happens in one call falls
 * into few milliseconds, and a date is costly to write.
 *
 * @throws RangeError for what is no time
 */
export function isoTime(ms: number): string {
  const whole = Math.trunc(ms);
  if (whole !== lastMs) {
    lastText = new Date(whole).toISOString();
    lastMs = whole;
  }
  return lastText;
}
