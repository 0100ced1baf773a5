import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EmbeddedStream } from './embedded-stream.ts';

function toMessage(type: string, body: Uint8Array): Buffer {
  const message = Buffer.alloc(type.length + 4 + body.length);
  message.write(type, 'latin1');
  message.writeUInt32BE(4 + body.length, type.length);
  message.set(body, type.length + 4);
  return message;
}

/** Connects a stream, writes the pieces, and gives the flights that arrive at the far end. */
async function toFlights(pieces: readonly Buffer[], count: number): Promise<Buffer[]> {
  const { port1, port2 } = new MessageChannel();
  const flights: Buffer[] = [];
  const arrived = new Promise<void>((resolve) => {
    port2.on('message', (flight: Uint8Array) => {
      flights.push(Buffer.from(flight));
      if (flights.length === count) resolve();
    });
  });
  const stream = new EmbeddedStream(() => port1);
  stream.connect();
  await once(stream, 'connect');
  for (const piece of pieces) stream.write(piece);
  await arrived;
  stream.destroy();
  return flights;
}

it('sends whole flights, however the bytes were split when written', async () => {
  const body = fc.uint8Array({ maxLength: 40 });
  const flight = fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom('P', 'B', 'D', 'E', 'C'), body), { maxLength: 4 }),
      fc.constantFrom('S', 'Q', 'H'),
      body,
    )
    .map(([messages, end, last]) =>
      Buffer.concat([...messages.map(([type, bytes]) => toMessage(type, bytes)), toMessage(end, last)]),
    );
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.array(flight, { maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      async (startup, rest, cuts) => {
        const flights = [toMessage('', startup), ...rest];
        const bytes = Buffer.concat(flights);
        const edges = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].sort(
          (a, b) => a - b,
        );
        const pieces = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        expect(await toFlights(pieces, flights.length)).toEqual(flights);
      },
    ),
    { numRuns: 200 },
  );
});

it('fails the connection when the database has ended', async () => {
  const stream = new EmbeddedStream(() => {
    throw new Error('ended');
  });
  stream.connect();
  const [error] = await once(stream, 'error');
  expect(error).toMatchObject({ message: 'ended' });
  expect(stream.destroyed).toBe(true);
});

it('closes when the far end closes', async () => {
  const { port1, port2 } = new MessageChannel();
  const stream = new EmbeddedStream(() => port1);
  stream.connect();
  await once(stream, 'connect');
  port2.close();
  await once(stream, 'close');
  expect(stream.destroyed).toBe(true);
});
