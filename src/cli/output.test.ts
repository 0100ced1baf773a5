import { describe, expect, it } from 'vitest';
import { paintFor } from './output.ts';

const terminal = { isTTY: true } as NodeJS.WriteStream;
const pipe = { isTTY: false } as NodeJS.WriteStream;

describe('paintFor', () => {
  it('colours on a terminal', () => {
    expect(paintFor(terminal, {})('red', 'no')).toBe('\u001B[31mno\u001B[0m');
  });

  it.each([
    ['the output is no terminal', pipe, {}],
    ['NO_COLOR is set', terminal, { NO_COLOR: '1' }],
    ['the terminal is dumb', terminal, { TERM: 'dumb' }],
  ])('does not colour when %s', (_, stream, env) => {
    expect(paintFor(stream, env)('red', 'no')).toBe('no');
  });

  it('colours when NO_COLOR is empty, as no-color.org says', () => {
    expect(paintFor(terminal, { NO_COLOR: '' })('red', 'no')).not.toBe('no');
  });
});
