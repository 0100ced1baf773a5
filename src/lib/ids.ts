import { randomFillSync } from 'node:crypto';

// Random bytes are drawn 4 kB at a time: one system call per 400 ids instead of one per id.
const pool = new Uint8Array(4096);
let used = pool.length;
let lastMs = 0;
let counter = 0;

/**
 * A UUIDv7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, then a 12-bit counter that keeps ids of one
 * millisecond in order within this process (§6.2, method 1), then random bits. When the clock steps back, or the counter
 * overflows, the last time is kept or advanced, so ids of one process always ascend.
 */
export function createId(now = Date.now()): string {
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  if (used + 8 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const count = counter.toString(16).padStart(3, '0');
  let tail = '';
  for (let i = 0; i < 8; i++) {
    const byte = pool[used++] ?? 0;
    tail += (i === 0 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0');
  }
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${tail.slice(0, 4)}-${tail.slice(4)}`;
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
