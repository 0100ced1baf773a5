import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { parsePattern } from './pattern.ts';

const atom = fc.constantFrom(
  'a',
  'Z',
  '0',
  '\\d',
  '\\w',
  '\\s',
  '\\.',
  '.',
  '[a-c]',
  '[^a-z]',
  '[\\d_]',
  '\\p{Lu}',
  '\\x41',
  '-',
);
const quantifier = fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}', '{2,}', '+?');
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 2 },
    atom,
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})`),
  ),
  pattern: fc
    .array(fc.array(fc.tuple(tie('part'), quantifier), { maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .map((branches) =>
      branches.map((items) => items.map(([item, times]) => item + times).join('')).join('|'),
    ),
}));

it('makes only texts that match', () => {
  fc.assert(
    fc.property(pattern, fc.nat({ max: 12 }), fc.nat(), (source, extra, stream) => {
      const random = createRandom('0123456789abcdef0123456789abcdef', stream);
      const parsed = parsePattern(`^(?:${source})$`);
      fc.pre(parsed !== null);
      const text = parsed?.sample(random.below, extra) ?? '';
      fc.pre(!parsed?.nested || text.length <= 20);
      expect(text).toMatch(new RegExp(`^(?:${source})$`, 'u'));
    }),
    { numRuns: 500 },
  );
});

it.each([
  '(?=a)',
  '(?!a)',
  '(?<=a)b',
  '(a)\\1',
  '\\bword',
  '(',
  '\\p{Script=Greek}',
  'a{99999}',
  '((a+)+)+',
  'x'.repeat(401),
])('gives up on %s', (source) => {
  expect(parsePattern(source)).toBeNull();
});

it.each([
  ['^(a+)+$', true],
  ['^(a|b)*$', true],
  ['^(?:\\d{1,3}\\.){3}$', true],
  ['^(?:[a-z]{2}-)*$', false],
  ['^[a-z]+(-x)*$', false],
])('tells whether %s may match slowly: %s', (source, nested) => {
  expect(parsePattern(source)?.nested).toBe(nested);
});
