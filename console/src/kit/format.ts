// Numbers as people read them: every one with its unit, digits grouped by a narrow no-break space.

const THIN = '\u202f';

/** @param ms milliseconds; the answer has three significant digits: `412 µs`, `26.9 ms`, `1.84 s`, `2 min 05 s` */
export function formatDuration(ms: number): string {
  if (ms < 0.9995) return ms < 0.0005 ? `0${THIN}ms` : `${Math.round(ms * 1000)}${THIN}µs`;
  if (ms < 999.5) return `${Number.isInteger(ms) ? ms : threeDigits(ms)}${THIN}ms`;
  const seconds = ms / 1000;
  if (seconds < 99.95) return `${threeDigits(seconds)}${THIN}s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)}${THIN}min ${pad(whole % 60)}${THIN}s`;
  return `${Math.floor(whole / 3600)}${THIN}h ${pad(Math.floor((whole % 3600) / 60))}${THIN}min`;
}

function threeDigits(value: number): string {
  const rounded = Number(value.toPrecision(3));
  return rounded.toFixed(rounded < 10 ? 2 : rounded < 100 ? 1 : 0);
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** A count with its digits grouped: `48 211`. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(\d{3})+$)/g, THIN);
}

/** A count for an axis or a narrow place: `1.2 k`, `48 k`, `3.1 M`. */
export function formatShortCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [value, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 9.95 ? Number(value.toFixed(1)) : Math.round(value)}${THIN}${unit}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes}${THIN}B`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${Number(value.toPrecision(3))}${THIN}${unit}`;
}

const SIGNS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£' };

/** Two decimals, or two significant digits below a cent, so that a cheap call never reads as free. */
export function formatMoney(amount: number, currency: string): string {
  const digits =
    amount === 0 || amount >= 0.01 ? amount.toFixed(2) : trimZeros(amount.toFixed(decimalsOf(amount)));
  const sign = SIGNS[currency];
  return sign === undefined ? `${digits}${THIN}${currency}` : `${sign}${digits}`;
}

function decimalsOf(amount: number): number {
  return Math.min(12, 1 - Math.floor(Math.log10(amount)));
}

function trimZeros(digits: string): string {
  return digits.replace(/0+$/, '');
}

/** `14:02:31.204`, in the reader's time zone. */
export function formatClock(time: string | number, withMilliseconds = true): string {
  const at = new Date(time);
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(pad).join(':');
  return withMilliseconds ? `${clock}.${String(at.getMilliseconds()).padStart(3, '0')}` : clock;
}

/** `2026-11-30 14:02:31.204 +01:00`: nothing left to guess. */
export function formatExact(time: string | number): string {
  const at = new Date(time);
  const offset = -at.getTimezoneOffset();
  const zone = `${offset < 0 ? '−' : '+'}${pad(Math.floor(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`;
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${formatClock(time)} ${zone}`;
}

/** How long ago: `now`, `12 s ago`, `3 min ago`, `5 h ago`, then the date. */
export function formatAgo(time: string | number, now: number): string {
  const at = new Date(time).getTime();
  const seconds = Math.round((now - at) / 1000);
  if (seconds < 5) return 'now';
  if (seconds < 60) return `${seconds}${THIN}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}${THIN}min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}${THIN}h ago`;
  return formatExact(at).slice(0, 16);
}

/** An id shortened in the middle: `01a2…d237`. */
export function formatId(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 4)}…${id.slice(-4)}`;
}

/** A share of a whole: `0 %`, `0.4 %`, `12 %`. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return `0${THIN}%`;
  const share = (part / whole) * 100;
  return `${share > 0 && share < 9.95 ? Number(share.toFixed(1)) : Math.round(share)}${THIN}%`;
}
