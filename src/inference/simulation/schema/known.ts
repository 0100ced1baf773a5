import type { Reading } from '../reading.ts';

const MOST_RESULTS = 20;
const MOST_MEMBERS = 2000;

/**
 * Values that the request itself holds by name, so that a schema's `price` is the price that was said or that a
 * tool returned: members of tool results, and `name: value` in the text. Names are lower case without signs.
 */
export function knownValues(reading: Reading): ReadonlyMap<string, readonly unknown[]> {
  const known = new Map<string, unknown[]>();
  let left = MOST_MEMBERS;
  const add = (name: string, value: unknown) => {
    const key = name.toLowerCase().replace(/[^a-z0-9]/g, '');
    known.set(key, [...(known.get(key) ?? []), value].slice(0, 50));
  };
  const walk = (value: unknown, depth: number) => {
    if (typeof value !== 'object' || value === null || depth > 6) return;
    for (const [name, member] of Object.entries(value)) {
      if (left-- <= 0) return;
      if (!Array.isArray(value)) add(name, member);
      walk(member, depth + 1);
    }
  };
  for (const result of reading.results.slice(-MOST_RESULTS)) walk(parsed(result.text), 0);
  for (const [, name, said] of reading.text.matchAll(
    /(?:^|[\n,;.]\s*)([\p{L}][\p{L} _-]{1,30}):[ \t]*([^\n,;]{1,120})/gu,
  )) {
    const text = said?.trim() ?? '';
    if (!name || text === '') continue;
    const number = /^[-+]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
    if (number !== undefined) add(name, number);
    add(name, text.replace(/\.$/, ''));
  }
  return known;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
