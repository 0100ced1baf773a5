import { describe, expect, it } from 'vitest';
import { createToolCallDeltas } from './tool-call-deltas.ts';

function normalise(deltas: unknown[]) {
  const calls = createToolCallDeltas();
  return deltas.map((delta) => calls.normalise(delta));
}

describe('createToolCallDeltas', () => {
  it('passes proper deltas on and repeats index and id on each', () => {
    expect(
      normalise([
        { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
        { index: 0, function: { arguments: '{"x"' } },
        { index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
        { index: 0, function: { arguments: ':1}' } },
      ]).map((one) => [one?.index, one?.id, one?.function]),
    ).toEqual([
      [0, 'a', { name: 'f', arguments: '' }],
      [0, 'a', { arguments: '{"x"' }],
      [1, 'b', { name: 'g', arguments: '{}' }],
      [0, 'a', { arguments: ':1}' }],
    ]);
  });

  it.each([
    [
      'no index, no id, objects',
      [{ function: { name: 'f', arguments: { a: 1 } } }, { function: { name: 'f', arguments: {} } }],
    ],
    [
      'both under index 0, no id',
      [
        { index: 0, function: { name: 'f', arguments: '{"a":1}' } },
        { index: 0, function: { name: 'f', arguments: '{}' } },
      ],
    ],
    [
      'both under index 0, ids',
      [
        { index: 0, id: 'x', function: { name: 'f', arguments: '{"a":1}' } },
        { index: 0, id: 'y', function: { name: 'f', arguments: '{}' } },
      ],
    ],
  ])('tells two calls apart with %s', (_, deltas) => {
    const calls = normalise(deltas);
    expect(calls.map((one) => one?.index)).toEqual([0, 1]);
    expect(new Set(calls.map((one) => one?.id)).size).toBe(2);
    expect(calls.map((one) => one?.function.arguments)).toEqual(['{"a":1}', '{}']);
  });

  it('continues the right call when both share index 0 and only the first delta of each has an id', () => {
    const calls = normalise([
      { index: 0, id: 'x', function: { name: 'f', arguments: '{' } },
      { index: 0, function: { arguments: '}' } },
      { index: 0, id: 'y', function: { name: 'g', arguments: '[' } },
      { index: 0, function: { arguments: ']' } },
    ]);
    expect(calls.map((one) => one?.id)).toEqual(['x', 'x', 'y', 'y']);
  });

  it('does not start a new call when a server repeats id and name on every delta', () => {
    const repeated = { index: 0, id: 'x', function: { name: 'f', arguments: 'a' } };
    expect(normalise([repeated, repeated]).map((one) => one?.index)).toEqual([0, 0]);
  });

  it('drops what is no function call', () => {
    expect(normalise([null, 'x', {}, { function: null }])).toEqual([null, null, null, null]);
  });
});
