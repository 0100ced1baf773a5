import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../lib/canonical-json.ts';
import { createId } from '../lib/ids.ts';
import { readRecord } from './chain-check.ts';
import { type LooseEvent, seal, toEventText } from './event-text.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const anyEvent: fc.Arbitrary<LooseEvent> = fc.record(
  {
    id: fc.constant('').map(() => createId()),
    ts: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString()),
    runId: fc.uuid(),
    traceId: fc.stringMatching(/^[0-9a-f]{32}$/),
    spanId: fc.stringMatching(/^[0-9a-f]{16}$/),
    causeId: fc.uuid(),
    type: fc.stringMatching(/^[A-Z]{1,9}(_[A-Z]{1,9})?$/),
    actor: fc.oneof(text, fc.constant('","id":"x","hash":"')),
    tier: fc.constantFrom('live', 'local', 'simulation'),
    message: fc.oneof(text, fc.constant('a|b "c"\n😀')),
    payload: fc.dictionary(text, fc.jsonValue({ stringUnit: 'grapheme' })) as fc.Arbitrary<
      Record<string, unknown>
    >,
  },
  {
    requiredKeys: ['id', 'ts', 'runId', 'traceId', 'spanId', 'type', 'actor', 'message', 'payload'],
    noNullPrototype: true,
  },
);

/** RFC 8785 once more, by other means: sort while copying, then let JSON.stringify write. */
function independently(value: unknown): string {
  const sorted = (item: unknown): unknown => {
    if (typeof item !== 'object' || item === null) return item;
    if (Array.isArray(item)) return item.map(sorted);
    const entries = Object.entries(item).filter(([, member]) => member !== undefined);
    // Names that look like array indices come first in every object of JavaScript, so they are written out of line.
    return new Map(
      entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]),
    );
  };
  const write = (item: unknown): string => {
    if (item instanceof Map) {
      return `{${[...item].map(([key, member]) => `${JSON.stringify(key)}:${write(member)}`).join(',')}}`;
    }
    return Array.isArray(item) ? `[${item.map(write).join(',')}]` : JSON.stringify(item);
  };
  return write(sorted(value));
}

it('L06 writes an event as RFC 8785 does, and hashes that, whatever its fields hold', () => {
  fc.assert(
    fc.property(anyEvent, fc.nat(), (event, seq) => {
      const writer = createId();
      const prevHash = createHash('sha256').update(String(seq)).digest('hex');
      const { row, head } = seal(toEventText(event), writer, { seq, hash: prevHash });
      const hashed = { ...event, writer, seq: seq + 1, prevHash };
      expect(head).toEqual({
        seq: seq + 1,
        hash: createHash('sha256').update(independently(hashed)).digest('hex'),
      });
      expect(row.body).toBe(canonicalJson({ ...hashed, hash: head.hash }));
      expect(row.body).not.toMatch(/[\n\0]/);
      expect(readRecord(row.body)).toMatchObject({ isIntact: true, event: { seq: seq + 1 } });
    }),
    { numRuns: 500 },
  );
});

it('L06 keeps numbers as they are written by the standard', () => {
  const event: LooseEvent = {
    id: createId(),
    ts: '2026-01-01T00:00:00.000Z',
    runId: createId(),
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    type: 'X',
    actor: 'a|b',
    message: '"\n😀',
    payload: { b: -0, a: 1e21, c: 0.1 + 0.2, 'ä|': '\u2028' },
  };
  expect(toEventText(event).middle).toContain(
    '"payload":{"a":1e+21,"b":0,"c":0.30000000000000004,"ä|":"\u2028"}',
  );
});

it('finds every change of one character', () => {
  fc.assert(
    fc.property(anyEvent, fc.nat(), fc.constantFrom('x', '0', '"', ' '), (event, at, character) => {
      const { row } = seal(toEventText(event), createId(), { seq: 0, hash: '0'.repeat(64) });
      const place = at % row.body.length;
      const changed = row.body.slice(0, place) + character + row.body.slice(place + 1);
      fc.pre(changed !== row.body);
      const record = readRecord(changed);
      // A blank within the laid-out JSON changes nothing that is said.
      if (record?.isIntact) expect(JSON.parse(changed)).toEqual(JSON.parse(row.body));
    }),
    { numRuns: 500 },
  );
});
