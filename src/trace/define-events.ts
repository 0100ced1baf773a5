import type { EventCatalogue } from './event.ts';

const TYPE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

/**
 * Makes a catalogue of event types: `{ ORDER_PLACED: { meaning: 'An order was taken.', payload: z.strictObject({ … }) } }`.
 *
 * @throws TypeError when a type is not written in SCREAMING_SNAKE or has no meaning
 */
export function defineEvents<const Events extends EventCatalogue>(events: Events): Events {
  for (const [type, { meaning }] of Object.entries(events)) {
    if (!TYPE.test(type)) throw new TypeError(`The event type "${type}" is not in SCREAMING_SNAKE.`);
    if (meaning.trim() === '') throw new TypeError(`The event type ${type} has no meaning.`);
  }
  return events;
}
