import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from './chunks.ts';

/** Headers of an answer that streams events, and of one whose JSON is written in parts. */
export const SSE = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
export const JSON_BODY = { 'content-type': 'application/json' };

/** Ends a behaviour whose client went away; the server swallows it. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** What a behaviour was called with, beyond the request itself. */
export type Invocation = {
  /** The model name as the client sent it. */
  model: string;
  /** Text after `/` in the behaviour's name, as `200` in `ok/200`. */
  argument: string | undefined;
  /** Numbers in the behaviour's name, as `[429, 2]` for `status-429-retry-2`. */
  numbers: readonly number[];
  /** 1 for the first request to this model name, then 2, … */
  nth: number;
  /** Milliseconds since the first request to this model name. */
  sinceFirstMs: number;
};

/**
 * One request and its answer, as a behaviour sees them. Everything that waits (a write, a pause, a hang) rejects
 * with {@link ClientGone} once the client has closed, so a behaviour is a straight line without checks.
 */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly invocation: Invocation;
  readonly bodyText: string;
  readonly body: Json;
  #gone = false;
  #brokenHere = false;
  #abandon: (() => void) | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    bodyText: string,
    body: Json,
    invocation: Invocation,
  ) {
    this.request = request;
    this.response = response;
    this.bodyText = bodyText;
    this.body = body;
    this.invocation = invocation;
    response.once('close', () => {
      this.#gone = true;
      clearTimeout(this.#timer);
      this.#abandon?.();
    });
  }

  get streaming(): boolean {
    return this.body['stream'] === true;
  }

  get embeddings(): boolean {
    return (this.request.url ?? '').split('?', 1)[0]?.endsWith('/embeddings') === true;
  }

  get includeUsage(): boolean {
    const wanted = this.body['stream_options'];
    return typeof wanted === 'object' && wanted !== null && 'include_usage' in wanted
      ? wanted.include_usage === true
      : false;
  }

  /** Whether this side broke the connection, so that its closing is not the client's doing. */
  get brokenHere(): boolean {
    return this.#brokenHere;
  }

  /** A whole answer with its length, sent at once. */
  send(
    status: number,
    contentType: string,
    payload: string | Buffer,
    headers: Record<string, string> = {},
  ): void {
    this.response.writeHead(status, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(payload),
      ...headers,
    });
    this.response.end(payload);
  }

  json(status: number, value: unknown, headers: Record<string, string> = {}): void {
    this.send(status, 'application/json', JSON.stringify(value), headers);
  }

  /** The header of an answer whose body follows by {@link raw}; it is on the wire when this returns. */
  begin(headers: Record<string, string | number>): void {
    this.response.writeHead(200, headers);
    this.response.flushHeaders();
  }

  /** Writes bytes and waits until they have left this process. */
  raw(bytes: string | Buffer): Promise<void> {
    return this.#until((resume) => this.response.write(bytes, () => resume()));
  }

  /** Writes bytes past node's HTTP layer, for answers that are not well-formed HTTP or come piecemeal. */
  socketRaw(bytes: string): Promise<void> {
    return this.#until((resume) => this.request.socket.write(bytes, () => resume()));
  }

  end(): void {
    this.response.end();
  }

  /** Closes the connection in the middle; bytes already written still arrive. */
  destroy(): void {
    this.#brokenHere = true;
    this.request.socket.destroy();
  }

  /** Closes the connection by a TCP reset. */
  reset(): void {
    this.#brokenHere = true;
    this.request.socket.resetAndDestroy();
  }

  pause(ms: number): Promise<void> {
    return this.#until((resume) => {
      this.#timer = setTimeout(resume, ms);
    });
  }

  /** Silence until the client closes. */
  hang(): Promise<void> {
    return this.#until(() => {});
  }

  #until(start: (resume: () => void) => void): Promise<void> {
    if (this.#gone) return Promise.reject(new ClientGone());
    return new Promise((resolve, reject) => {
      this.#abandon = () => reject(new ClientGone());
      start(resolve);
    });
  }
}
