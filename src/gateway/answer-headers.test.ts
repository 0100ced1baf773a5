import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHeaderValue } from './answer-headers.ts';

describe('toHeaderValue', () => {
  it('leaves a model’s usual name as it is', () => {
    expect(toHeaderValue('meta-llama/Llama-3.2:3b_instruct')).toBe('meta-llama/Llama-3.2:3b_instruct');
  });

  it.each([
    ['x\r\nset-cookie: a=1', 'x??set-cookie: a=1'],
    ['mödel', 'm?del'],
    ['模型', '??'],
  ])('makes %j safe', (name, expected) => {
    expect(toHeaderValue(name)).toBe(expected);
  });

  it('gives a value of bounded length that any header may hold, whatever a target calls its model', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const value = toHeaderValue(name);
        validateHeaderValue('x-tiercel-model', value);
        expect(value).toMatch(/^[\x20-\x7e]{0,200}$/);
      }),
    );
  });
});
