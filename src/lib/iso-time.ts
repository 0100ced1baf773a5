let lastSecond = Number.NaN;
/** Of `lastSecond`, up to and with the point before the milliseconds. */
let prefix = '';

/**
 * ISO 8601 in UTC of Unix milliseconds; a fraction of one is cut off. The second is kept from one call to the next: a date is
 * costly to write, and what is written down here has mostly just happened.
 *
 * @throws RangeError for what is no time
 */
export function isoTime(ms: number): string {
  const whole = Math.trunc(ms);
  const second = Math.floor(whole / 1000);
  if (second !== lastSecond) {
    prefix = new Date(second * 1000).toISOString().slice(0, -'000Z'.length);
    lastSecond = second;
  }
  return `${prefix}${String(whole - second * 1000).padStart(3, '0')}Z`;
}
