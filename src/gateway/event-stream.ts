import type { ServerResponse } from 'node:http';
import type { ChainedEvent } from '../trace/event.ts';
import type { TailOptions } from '../trace/event-tail.ts';
import type { Ledger } from '../trace/ledger.ts';
import { drained } from './drained.ts';

/** Proxies and browsers give up a connection that is silent for some minute. */
const HEARTBEAT_MS = 15_000;

/**
 * Sends events as they are stored, each with its id, by which a client goes on after a cut. Resolves when the client has gone away or
 * a stop was asked for. A client that is slower than the events is waited for.
 */
export async function sendEvents(
  response: ServerResponse,
  requestId: string,
  ledger: Ledger,
  { options, stopping }: { options: TailOptions; stopping: AbortSignal },
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
  });
  const write = async (text: string) => {
    if (!response.write(text)) await drained(response);
  };
  const end = await ledger.tail((event) => write(toSse(event)), options);
  // Now, and not before, the client may count on hearing of all that happens.
  await write(': open\n\n');
  const heartbeat = setInterval(() => void write(': alive\n\n'), HEARTBEAT_MS);
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    stopping.addEventListener('abort', () => resolve(), { once: true });
    if (stopping.aborted || response.destroyed) resolve();
  });
  clearInterval(heartbeat);
  end();
  response.end();
}

function toSse(event: ChainedEvent): string {
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
}
