import { type IncomingHttpHeaders, request } from 'node:http';

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; text: string; json: unknown };

export type RawRequest = {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
};

/** Sends exactly these headers, `Host` included, which `fetch` does not let one choose. */
export function send(url: string, given: RawRequest = {}): Promise<RawAnswer> {
  const { method = 'GET', path = '/', headers = {}, body } = given;
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(url), { method, path, headers, agent: false }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.once('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: toJson(text) });
      });
      incoming.once('error', reject);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Posts JSON and gives back the answer. */
export function post(
  url: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  return send(url, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

export const CHAT = '/v1/chat/completions';

export function hello(model: string, more: object = {}): object {
  return { model, messages: [{ role: 'user', content: 'Hello' }], ...more };
}
