import { randomFillSync } from 'node:crypto';

// Random bytes are drawn 4 kB at a time: one system call per 400 ids instead of one per id.
const pool = new Uint8Array(4096);
let used = pool.length;
let lastMs = 0;
let counter = 0;
/** The first 13 characters of ids of `lastMs`. */
let prefix = '';
// Looked up, since writing numbers out takes longer than all else here.
const HEX = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));

/**
 * A UUIDv7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, then a 12-bit counter that keeps ids of one
 * millisecond in order within this process (§6.2, method 1), then random bits. When the clock steps back, or the counter
 * overflows, the last time is kept or advanced, so ids of one process always ascend.
 */
export function createId(now = Date.now()): string {
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
    prefix = toPrefix(now);
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
    prefix = toPrefix(lastMs);
  }
  const at = draw(8);
  const variant = ((pool[at] ?? 0) & 0x3f) | 0x80;
  return `${prefix}-7${HEX[counter >> 8]?.[1]}${HEX[counter & 0xff]}-${HEX[variant]}${byte(at + 1)}-${byte(at + 2)}${byte(at + 3)}${byte(at + 4)}${byte(at + 5)}${byte(at + 6)}${byte(at + 7)}`;
}

/** This many random bytes as hex digits: a W3C trace id is of 16 bytes, a span id of 8. Not for secrets: they stay in the pool. */
export function randomHex(bytes: number): string {
  const at = draw(bytes);
  let text = '';
  for (let index = at; index < at + bytes; index++) text += byte(index);
  return text;
}

/** Where in the pool this many bytes stand that nobody had. */
function draw(bytes: number): number {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return used - bytes;
}

function byte(at: number): string {
  return HEX[pool[at] ?? 0] ?? '00';
}

function toPrefix(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a UUID, so that it may be put to the database as one. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** The Unix milliseconds in a UUIDv7. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
