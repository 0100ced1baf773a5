import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearScale, logScale, niceCeiling } from './scale.ts';

const positive = fc.double({ min: 1e-3, max: 1e9, noNaN: true });

describe('niceCeiling', () => {
  it('is at least the value and at most about twice it', () => {
    fc.assert(
      fc.property(positive, (value) => {
        const top = niceCeiling(value);
        return top >= value * 0.998 && top <= value * 2.01;
      }),
    );
  });
});

describe('scales', () => {
  it('keep every value between foot and top', () => {
    fc.assert(
      fc.property(fc.array(positive, { minLength: 1, maxLength: 20 }), (values) => {
        const log = logScale(values);
        const linear = linearScale(Math.max(...values));
        return values.every(
          (value) =>
            log.place(value) >= 0 &&
            log.place(value) <= 1.001 &&
            linear.place(value) >= 0 &&
            linear.place(value) <= 1.002,
        );
      }),
    );
  });

  it('give an axis when there is nothing to show', () => {
    expect(logScale([]).ticks.length).toBeGreaterThan(1);
    expect(linearScale(0).ticks).toEqual([0, 0.5, 1]);
  });

  it('marks whole powers of ten', () => {
    expect(logScale([12, 900]).ticks).toEqual([10, 100, 1000]);
    expect(logScale([1, 90_000]).ticks).toEqual([1, 100, 10_000]);
  });
});
