import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../api/types.ts';
import { stepsOf } from './causal-tree.ts';

const event = (id: string, causeId?: string) => ({ id, causeId }) as TraceEvent;

describe('stepsOf', () => {
  it('goes from the root to the event and puts each effect below its cause', () => {
    const steps = stepsOf({
      path: [event('root'), event('cause', 'root'), event('asked', 'cause')],
      effects: [
        event('a', 'asked'),
        event('b', 'asked'),
        event('a1', 'a'),
        event('b1', 'b'),
        event('a2', 'a'),
      ],
    });
    expect(steps.map(({ event, depth }) => `${depth} ${event.id}`)).toEqual([
      '0 root',
      '1 cause',
      '2 asked',
      '3 a',
      '4 a1',
      '4 a2',
      '3 b',
      '4 b1',
    ]);
  });

  it('reads a chain that is thousands deep', () => {
    const effects = Array.from({ length: 9_000 }, (_, at) => event(`${at + 1}`, `${at}`));
    expect(stepsOf({ path: [event('0')], effects }).at(-1)).toMatchObject({ depth: 9_000 });
  });
});
