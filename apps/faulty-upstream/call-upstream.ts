import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { FaultyUpstream } from './server.ts';

/** What came over the wire, for tests of the upstream itself. */
export type Heard = {
  status: number;
  headers: IncomingHttpHeaders;
  /** One entry per HTTP chunk, which is one write of the server. */
  writes: string[];
  text: string;
  /** `cut`: the connection ended before the body did. */
  ending: 'clean' | 'cut';
};

/** Calls a model over a connection of its own; rejects if the connection ends without an answer. */
export async function callUpstream(
  upstream: FaultyUpstream,
  model: string,
  body: Record<string, unknown> = {},
  { path = '/chat/completions', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Heard> {
  const call = request(upstream.baseUrl + path, { method: 'POST', agent: false, headers });
  call.end(JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], ...body }));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  const ending = await new Promise<Heard['ending']>((resolve) => {
    response.once('end', () => resolve('clean'));
    response.once('error', () => resolve('cut'));
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    // Latin-1 keeps single bytes of a split character apart; the whole text is decoded at once.
    writes: parts.map((part) => part.toString('latin1')),
    text: Buffer.concat(parts).toString('utf8'),
    ending,
  };
}

/** The JSON of each event of a stream with plain line ends, `[DONE]` left out. */
export function eventsOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: ') && event !== 'data: [DONE]')
    .map((event) => JSON.parse(event.slice(6)));
}

/** One choice as it may stand in a chunk. */
type Choice = {
  delta: { content?: string; tool_calls?: Record<string, unknown>[]; [key: string]: unknown };
  finish_reason: string | null;
};

export function choicesOf(text: string): Choice[] {
  return eventsOf(text).flatMap((event) => (event['choices'] ?? []) as Choice[]);
}

export function contentOf(text: string): string {
  return choicesOf(text)
    .map(({ delta }) => delta.content ?? '')
    .join('');
}
