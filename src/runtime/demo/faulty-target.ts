import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeSseData } from '../../lib/sse.ts';

/** How a model misbehaves: too busy, silent, gone in the middle of an answer, or not at all. */
export type Fault = 'busy' | 'silent' | 'cut' | 'none';

export type FaultyTarget = {
  /** As a deployment has it. */
  baseUrl: string;
  /** How the requests from now on are answered. */
  play(fault: Fault): void;
  close(): Promise<void>;
};

const MODEL = 'demo-model';
const TEXT = 'This answer came from the demonstration model, while it was well.';

/** A model on this machine that fails as it is told, over real HTTP, so that what is shown is what happens. */
export async function startFaultyTarget(): Promise<FaultyTarget> {
  let fault: Fault = 'none';
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => answer(response, fault));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    play(next) {
      fault = next;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(response: ServerResponse, fault: Fault): void {
  if (fault === 'silent') return;
  if (fault === 'busy') {
    const error = { message: 'Too many requests.', type: 'rate_limit_error', code: 'rate_limit_exceeded' };
    response.writeHead(429, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    return;
  }
  const words = TEXT.split(/(?<= )/);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const content of fault === 'cut' ? words.slice(0, 4) : words) {
    response.write(toChunk({ index: 0, delta: { role: 'assistant', content }, finish_reason: null }));
  }
  if (fault === 'cut') {
    // What was written reaches the client before the connection ends under it.
    setImmediate(() => response.destroy());
    return;
  }
  response.write(toChunk({ index: 0, delta: {}, finish_reason: 'stop' }));
  response.end(encodeSseData('[DONE]'));
}

function toChunk(choice: object): string {
  const chunk = {
    id: 'chatcmpl-demo',
    object: 'chat.completion.chunk',
    created: 0,
    model: MODEL,
    choices: [choice],
  };
  return encodeSseData(JSON.stringify(chunk));
}
