import { createEgress } from '../../egress/egress.ts';
import type { Opened } from '../../egress/model.ts';
import { ERRORS, type ErrorCode, TiercelError } from '../../errors.ts';
import type { ChatChunk } from '../../inference/chat.ts';
import { createSseParser } from '../../lib/sse.ts';
import type { ChatTurn, OpenAnswer } from './backend.ts';

const HEALTH_MS = 2000;
// A call may walk a whole plan before its first output; the server's own limits end it.
const CALL_MS = 3_600_000;
const MAX_BODY_BYTES = 256 * 1024 * 1024;

export type ServerClient = {
  readonly url: string;
  isHealthy(): Promise<boolean>;
  /** The JSON answer. @throws TiercelError with the server's code, or `server_not_running` when it does not answer */
  send<Answer>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Answer>;
  /** A long answer as it comes. @throws TiercelError as `send`, and `upstream_truncated` when it is cut short */
  read(path: string): AsyncGenerator<string, void, void>;
  chat(turn: ChatTurn): Promise<OpenAnswer>;
  close(): Promise<void>;
};

/** Speaks to a running server as its local administrator. */
export function createServerClient({ url, token }: { url: string; token: string }): ServerClient {
  const rules = { localOnly: false, allow: [], allowPrivate: [], declared: [new URL(url).origin] };
  const egress = createEgress({ rules: () => rules });

  async function open(
    {
      method,
      path,
      body,
      signal,
    }: { method: Method; path: string; body?: object | undefined; signal?: AbortSignal },
    limitMs: number,
  ): Promise<Opened> {
    const opened = await egress.open({
      method,
      url: `${url.replace(/\/$/, '')}${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      purpose: 'command line',
      scope: 'declared',
      limits: { connectMs: HEALTH_MS, headerMs: limitMs },
      deadlineAt: performance.now() + limitMs,
      ...(signal === undefined ? {} : { signal }),
    });
    if (opened.kind === 'opened') return opened;
    if (opened.failure.reason === 'aborted')
      throw new TiercelError('client_closed', 'The call was cancelled.');
    throw new TiercelError('server_not_running', `The server does not answer: ${opened.failure.message}`);
  }

  return {
    url,
    async isHealthy() {
      try {
        const { status, body } = await open({ method: 'GET', path: '/healthz' }, HEALTH_MS);
        body.cancel();
        return status === 200;
      } catch {
        return false;
      }
    },
    async send(method, path, body) {
      const opened = await open({ method, path, body }, CALL_MS);
      const text = await textOf(opened);
      if (opened.status >= 400) throw toError(opened, text);
      return (text === '' ? undefined : JSON.parse(text)) as never;
    },
    async *read(path) {
      const opened = await open({ method: 'GET', path }, CALL_MS);
      if (opened.status >= 400) throw toError(opened, await textOf(opened));
      yield* readParts(opened);
    },
    async chat({ model, messages, signal }) {
      const body = { model, messages, stream: true };
      const opened = await open({ method: 'POST', path: '/v1/chat/completions', body, signal }, CALL_MS);
      if (opened.status >= 400) throw toError(opened, await textOf(opened));
      return { receiptId: opened.headers['x-tiercel-receipt'] ?? '', chunks: readChunks(opened) };
    },
    close: () => egress.close(),
  };
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

async function textOf({ body }: Opened): Promise<string> {
  const read = await body.text(CALL_MS, MAX_BODY_BYTES);
  if (read.kind === 'text') return read.text;
  throw new TiercelError('server_not_running', `The server's answer was cut short: ${read.message}`);
}

async function* readParts({ body }: Opened): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  try {
    while (true) {
      const read = await body.read(CALL_MS);
      if (read.kind === 'failed') throw new TiercelError('upstream_truncated', read.message);
      if (read.kind === 'end') return;
      yield decoder.decode(read.bytes, { stream: true });
    }
  } finally {
    body.cancel();
  }
}

async function* readChunks({ body }: Opened): AsyncGenerator<ChatChunk, void, void> {
  const parser = createSseParser();
  try {
    while (true) {
      const read = await body.read(CALL_MS);
      if (read.kind === 'end') return;
      if (read.kind === 'failed') {
        const cancelled = read.reason === 'aborted';
        throw new TiercelError(cancelled ? 'client_closed' : 'upstream_truncated', read.message);
      }
      for (const { data } of parser.feed(read.bytes)) {
        if (data === '[DONE]') continue;
        const event = JSON.parse(data) as ChatChunk | { error: ErrorBody };
        if ('error' in event) throw fromBody(event.error as ErrorBody);
        yield event;
      }
    }
  } finally {
    body.cancel();
  }
}

type ErrorBody = { message?: string; code?: string; param?: string | null };

function toError({ status, headers }: Opened, text: string): TiercelError {
  const receiptId = headers['x-tiercel-receipt'];
  try {
    return fromBody((JSON.parse(text) as { error: ErrorBody }).error, receiptId);
  } catch {
    return new TiercelError('internal_error', `The server answered ${status}.`);
  }
}

function fromBody({ message = '', code = '', param }: ErrorBody, receiptId?: string): TiercelError {
  const known = Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : 'internal_error';
  return new TiercelError(known, message, {
    ...(param ? { param } : {}),
    ...(receiptId === undefined ? {} : { receiptId }),
  });
}
