import { expect, it } from 'vitest';
import { estimateTokens } from './tokens.ts';

it.each([
  ['', 0],
  ['a', 1],
  ['four', 1],
  ['fives', 2],
])('estimates %j as %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});
