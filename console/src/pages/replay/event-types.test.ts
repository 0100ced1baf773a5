import { expect, it } from 'vitest';
import { EVENTS } from '../../../../src/trace/events.ts';
import { CORE_TYPES } from './event-types.ts';

it('offers every type that the gateway emits', () => {
  expect(CORE_TYPES).toEqual(Object.keys(EVENTS));
});
