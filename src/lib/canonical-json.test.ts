import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

describe('canonicalJson', () => {
  it('gives the result of the example of RFC 8785 §3.2.2', () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts members by UTF-16 code units, as in RFC 8785 §3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const order = [...canonicalJson(value).matchAll(/:"([A-Z][a-z]+)/g)].map((match) => match[1]);
    expect(order).toEqual(['Carriage', 'One', 'Control', 'Latin', 'Euro', 'Emoji', 'Hebrew']);
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
  ])('writes the IEEE 754 double %s as %s (RFC 8785, appendix B)', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuses %s', (number) => {
    expect(() => canonicalJson({ deep: [number] })).toThrow(TypeError);
  });

  it.each(['\ud800', 'a\udc00b', '\udc00\ud800'])('refuses a lone surrogate in a value and a key', (text) => {
    expect(() => canonicalJson([text])).toThrow(/lone surrogate/);
    expect(() => canonicalJson({ [text]: 1 })).toThrow(/lone surrogate/);
  });

  it('takes a surrogate pair, and the letters of an escape', () => {
    expect(canonicalJson('\ud83d\ude00')).toBe('"\ud83d\ude00"');
    expect(canonicalJson('\\ud800')).toBe('"\\\\ud800"');
  });

  it('drops undefined members, turns undefined items into null, and calls toJSON', () => {
    expect(canonicalJson({ b: undefined, a: [undefined, () => 1], d: new Date(0) })).toBe(
      '{"a":[null,null],"d":"1970-01-01T00:00:00.000Z"}',
    );
  });

  it('refuses what has no JSON', () => {
    expect(() => canonicalJson(undefined)).toThrow(TypeError);
    expect(() => canonicalJson({ big: 1n })).toThrow(TypeError);
  });

  it('gives one text for one value whatever the order of members, and parses back to it', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (value === null || typeof value !== 'object') return value;
      const entries = Object.entries(value).reverse();
      return Object.fromEntries(entries.map(([key, member]) => [key, reversed(member)]));
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(JSON.stringify(JSON.parse(text))).toHaveLength(text.length);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
