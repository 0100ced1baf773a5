import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isObject } from './behaviour.ts';
import { errorBody, type Json } from './chunks.ts';
import { ClientGone, Exchange } from './exchange.ts';
import { listBehaviours, parseModel, type Step } from './grammar.ts';
import { guide } from './guide.ts';
import { modelNotFound } from './rejections.ts';

/** A request as it arrived, and how it ended. */
export type RecordedRequest = {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  bodyText: string;
  /** Null if the body is not a JSON object. */
  body: Json | null;
  model: string | null;
  /** Arrival of the whole body, in ms since the epoch. */
  at: number;
  /** When the answer was over or the connection closed; null while it lasts. */
  endedAt: number | null;
  /** Null if no header was sent. */
  status: number | null;
  /** The client closed before the end of the answer. */
  aborted: boolean;
};

export type FaultyUpstreamOptions = {
  /** 0, the default, takes a free one. */
  port?: number;
  host?: string;
  /** Off for benchmarks. On, the last 10,000 requests are kept. */
  record?: boolean;
  /** Called when a request is over. */
  onEnd?: (request: RecordedRequest) => void;
};

export type FaultyUpstream = {
  url: string;
  /** `url` with `/v1`, as a client's base URL. */
  baseUrl: string;
  /** Oldest first. */
  requests: RecordedRequest[];
  openSockets: () => number;
  /** Connections accepted since the start or the last {@link reset}. */
  connections: () => number;
  /** Makes any model name play these behaviours, one a request, the last repeated. Throws on an unknown one. */
  script: (model: string, behaviours: readonly string[]) => void;
  /** Forgets requests, counts and scripts. Open connections go on. */
  reset: () => void;
  close: () => Promise<void>;
};

/** What is known of one model name: the steps it plays and how far it is. */
type Sequence = { steps: readonly Step[]; played: number; firstAt: number | null };

const KEPT_REQUESTS = 10_000;

/**
 * Starts an OpenAI-compatible server that misbehaves as the model name says (`status-503+ok`); {@link guide} lists how.
 * Rejects if the port is taken.
 */
export async function startFaultyUpstream(options: FaultyUpstreamOptions = {}): Promise<FaultyUpstream> {
  const { port = 0, host = '127.0.0.1', record = true, onEnd } = options;
  const requests: RecordedRequest[] = [];
  const sequences = new Map<string, Sequence>();
  const sockets = new Set<Socket>();
  let accepted = 0;

  const keep = (recorded: RecordedRequest): void => {
    if (requests.length >= KEPT_REQUESTS) requests.splice(0, KEPT_REQUESTS / 10);
    requests.push(recorded);
  };

  const server = createServer((request, response) => {
    readBody(request, (bodyText) => {
      const body = parseObject(bodyText);
      const exchange = respond(request, response, bodyText, body, sequences, url);
      if (!record && onEnd === undefined) return;
      const recorded = toRecord(request, bodyText, body);
      if (record) keep(recorded);
      response.once('close', () => {
        recorded.endedAt = Date.now();
        recorded.status = response.headersSent ? response.statusCode : null;
        recorded.aborted = !response.writableFinished && exchange?.brokenHere !== true;
        onEnd?.(recorded);
      });
    });
  });
  // Idle connections are the client's to close: a pool under test must not lose one to this side's timer.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;

  return {
    url,
    baseUrl: `${url}/v1`,
    requests,
    openSockets: () => sockets.size,
    connections: () => accepted,
    script: (model, behaviours) => {
      const steps = behaviours.flatMap((name) => {
        const parsed = parseModel(name);
        if (parsed === null) throw new Error(`No behaviour is named '${name}'.`);
        return parsed;
      });
      sequences.set(model, { steps, played: 0, firstAt: null });
    },
    reset: () => {
      requests.length = 0;
      sequences.clear();
      accepted = 0;
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Answers one request; returns the exchange when a behaviour plays. */
function respond(
  request: IncomingMessage,
  response: ServerResponse,
  bodyText: string,
  body: Json | null,
  sequences: Map<string, Sequence>,
  url: string,
): Exchange | undefined {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (request.method === 'GET' && path === '/') return void sendText(response, guide(url));
  if (request.method === 'GET' && path.endsWith('/models')) return void sendJson(response, 200, modelList());
  if (request.method !== 'POST' || !/\/(chat\/completions|embeddings)$/.test(path)) {
    const message = `Unknown request URL: ${request.method} ${path}.`;
    return void sendJson(response, 404, errorBody(message, 'invalid_request_error', 'unknown_url'));
  }
  const model = body?.['model'];
  if (body === null || typeof model !== 'string') {
    const message = body === null ? 'The body is not a JSON object.' : 'You must provide a model parameter.';
    return void sendJson(response, 400, errorBody(message, 'invalid_request_error', null));
  }
  const sequence = sequenceOf(model, sequences);
  const step = sequence?.steps[Math.min(sequence.played, sequence.steps.length - 1)];
  if (sequence === null || step === undefined) {
    return void sendJson(response, 404, modelNotFound(model));
  }
  sequence.played += 1;
  sequence.firstAt ??= performance.now();
  const exchange = new Exchange(request, response, bodyText, body, {
    model,
    argument: step.argument,
    numbers: step.numbers,
    nth: sequence.played,
    sinceFirstMs: performance.now() - sequence.firstAt,
  });
  void play(step, exchange);
  return exchange;
}

async function play(step: Step, exchange: Exchange): Promise<void> {
  try {
    if (step.delayMs > 0) await exchange.pause(step.delayMs);
    await step.behaviour.play(exchange);
  } catch (error) {
    if (!(error instanceof ClientGone)) throw error;
  }
}

function sequenceOf(model: string, sequences: Map<string, Sequence>): Sequence | null {
  const known = sequences.get(model);
  if (known !== undefined) return known;
  const steps = parseModel(model);
  if (steps === null) return null;
  const sequence = { steps, played: 0, firstAt: null };
  sequences.set(model, sequence);
  return sequence;
}

function readBody(request: IncomingMessage, onWhole: (text: string) => void): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.once('end', () => onWhole(Buffer.concat(parts).toString('utf8')));
  // A client that goes away while it sends has no answer to get; without a listener it would end the process.
  request.once('error', () => {});
}

function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function toRecord(request: IncomingMessage, bodyText: string, body: Json | null): RecordedRequest {
  const model = body?.['model'];
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    bodyText,
    body,
    model: typeof model === 'string' ? model : null,
    at: Date.now(),
    endedAt: null,
    status: null,
    aborted: false,
  };
}

function modelList(): Json {
  const data = listBehaviours().map(({ name, meaning }) => ({
    id: name,
    object: 'model',
    created: 0,
    owned_by: 'faulty-upstream',
    description: meaning,
  }));
  return { object: 'list', data };
}

function sendJson(response: ServerResponse, status: number, value: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
