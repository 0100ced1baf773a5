import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser, encodeSseComment, encodeSseData } from './sse.ts';

function parse(text: string, cuts: number[] = []) {
  const bytes = new TextEncoder().encode(text);
  const parser = createSseParser();
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...at, bytes.length].flatMap((end, i) => parser.feed(bytes.subarray(at[i - 1] ?? 0, end)));
}

describe('createSseParser', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\n'],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['lone CR', 'data: a\r\rdata: b\r\r'],
    ['mixed line ends', 'data: a\r\n\ndata: b\r\r\n'],
    ['comments and blocks without data', ': ping\n\nid: 7\n\ndata: a\n\nretry: 3000\n\n:x\ndata: b\n\n'],
    ['a byte order mark and no space', '\uFEFFdata:a\n\ndata:b\n\n'],
  ])('reads %s', (_, text) => {
    expect(parse(text)).toEqual([
      { event: '', data: 'a' },
      { event: '', data: 'b' },
    ]);
  });

  it('joins data lines, keeps the event name, and takes U+2028 and U+0085 for text', () => {
    expect(parse('event: e\ndata: a\u2028b\ndata: c\u0085d\n\n')).toEqual([
      { event: 'e', data: 'a\u2028b\nc\u0085d' },
    ]);
  });

  it('gives out an event that ends with CR before it knows whether LF follows', () => {
    const parser = createSseParser();
    expect(parser.feed(Buffer.from('data: a\r\n\r'))).toEqual([{ event: '', data: 'a' }]);
    expect(parser.feed(Buffer.from('\ndata: b\n\n'))).toEqual([{ event: '', data: 'b' }]);
  });

  it('drops what is left when the stream ends in the middle of an event', () => {
    expect(parse('data: a\n\ndata: {"half')).toEqual([{ event: '', data: 'a' }]);
  });

  it('refuses an event that grows without end', () => {
    const parser = createSseParser(100);
    expect(() => parser.feed(Buffer.from(`data: ${'x'.repeat(200)}`))).toThrow(RangeError);
  });

  it('gives the same events however the bytes are split', () => {
    const lineEnd = fc.constantFrom('\n', '\r', '\r\n');
    const value = fc.string({
      unit: fc.constantFrom('a', ' ', '🚲', '漢', 'é', ':', '\u2028'),
      maxLength: 8,
    });
    const line = fc.oneof(
      value.map((text) => `data: ${text}`),
      value.map((text) => `: ${text}`),
      fc.constantFrom('', '', 'id: 7', 'event: x', 'data'),
    );
    const stream = fc
      .array(fc.tuple(line, lineEnd).map(([text, end]) => text + end))
      .map((lines) => lines.join(''));
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 30 }), (text, cuts) => {
        expect(parse(text, cuts)).toEqual(parse(text));
      }),
    );
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = encodeSseComment('ping') + encodeSseData(JSON.stringify(value));
        expect(parse(text)).toEqual([{ event: '', data: JSON.stringify(value) }]);
      }),
    );
  });

  it('looks at each character of a long line once', () => {
    // 4 MB in 40-byte pieces: a parser that starts over at each piece would need 2·10¹¹ steps.
    const parser = createSseParser();
    const piece = Buffer.from('x'.repeat(40));
    parser.feed(Buffer.from('data: '));
    for (let i = 0; i < 100_000; i++) parser.feed(piece);
    expect(parser.feed(Buffer.from('\n\n'))[0]?.data).toHaveLength(4_000_000);
  });
});
