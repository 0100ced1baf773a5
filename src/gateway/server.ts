import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import { TiercelError } from '../errors.ts';
import type { Log } from '../lib/log.ts';
import { errorHeaders, toErrorJson } from './error-response.ts';
import { toTiercelError } from './fault.ts';
import { parseJsonBody } from './json-body.ts';
import { requestIdOf } from './request-headers.ts';
import type { Access, Route } from './route.ts';
import type { SiteGuard } from './site-guard.ts';

export type ServerParts = {
  log: Log;
  maxBodyBytes: number;
  guard: SiteGuard;
  accessHook(access: Access): onRequestHookHandler;
  isStopping(): boolean;
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Fastify, set up so that every refusal is an OpenAI-shaped error and little happens per request. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { log, guard } = parts;
  const app = Fastify({
    logger: false,
    bodyLimit: parts.maxBodyBytes,
    genReqId: requestIdOf,
    requestIdHeader: false,
    // Ours answers in OpenAI's shape; Fastify's own would not.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // As Node's own default, which Fastify would switch off: how long a request may take to arrive.
    requestTimeout: 300_000,
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: (error, request, reply) => sendError(log, request, reply, error),
    clientErrorHandler: answerBadHttp,
  });
  app.decorateRequest('identity', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as TiercelError);
    }
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (parts.isStopping()) {
      reply.header('connection', 'close');
      done(new TiercelError('stopping', 'The server is shutting down.', { retryAfterMs: 1000 }));
      return;
    }
    try {
      guard.check(request.raw.headers);
      done();
    } catch (error) {
      done(error as TiercelError);
    }
  });
  app.setErrorHandler((error, request, reply) => sendError(log, request, reply, error));
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.raw.url?.split('?', 1) ?? [];
    const message = `There is no ${request.method} ${path.slice(0, 200)}. See GET /openapi.json.`;
    sendError(log, request, reply, new TiercelError('not_found', message));
  });
  return app;
}

/** Serves the routes; a method that a path does not have is answered with those that it has. */
export function addRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  accessHook: ServerParts['accessHook'],
): void {
  const methods = new Map<string, string[]>();
  for (const { method, path, access, answers, handle } of routes) {
    methods.set(path, [...(methods.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
    const status = answers[0]?.status ?? 200;
    app.route({
      method,
      url: path,
      onRequest: accessHook(access),
      async handler(request, reply) {
        const answer = await handle(request, reply);
        if (answer === undefined) return reply;
        reply.header('x-request-id', request.id).code(status).type(JSON_TYPE);
        return JSON.stringify(answer);
      },
    });
  }
  for (const [path, allowed] of methods) {
    const refused: onRequestHookHandler = (request, reply, done) => {
      reply.header('allow', allowed.join(', '));
      const message = `${path} takes ${allowed.join(', ')}, not ${request.method}.`;
      done(new TiercelError('method_not_allowed', message));
    };
    app.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url: path,
      onRequest: refused,
      handler: () => undefined,
    });
  }
}

function sendError(log: Log, request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
  const error = toTiercelError(thrown);
  if (error.code === 'internal_error') {
    const cause =
      error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : String(error.cause);
    log.error({ requestId: request.id, method: request.method, cause }, 'a request failed unexpectedly');
  } else {
    log.debug({ requestId: request.id, code: error.code }, 'a request was refused');
  }
  const headers = { ...errorHeaders(error), 'x-request-id': request.id };
  const body = toErrorJson(error);
  if (error.code === 'body_too_large') {
    reply.hijack();
    refuseBody(request, reply.raw, error.status, headers, body);
    return;
  }
  reply.code(error.status).headers(headers).send(body);
}

const LINGER_MS = 1000;

/**
 * Answers a client that is still sending, and hangs up. Closed at once, the connection would be reset under the client's
 * writes and the answer lost with it; so what still comes is thrown away for a moment first.
 */
function refuseBody(
  { raw }: FastifyRequest,
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string,
): void {
  response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.write(body);
  const timer = setTimeout(() => raw.socket.destroy(), LINGER_MS);
  response.once('close', () => clearTimeout(timer));
  raw.once('end', () => response.end());
  raw.resume();
}

/** What is not HTTP never reaches a route. */
function answerBadHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const message = tooLarge ? 'The request headers are too large.' : 'The request is not well-formed HTTP.';
  const body = toErrorJson(new TiercelError(tooLarge ? 'invalid_header' : 'invalid_request', message));
  socket.end(
    `HTTP/1.1 ${tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\n` +
      `content-type: ${JSON_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
