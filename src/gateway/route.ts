import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/**
 * Who may call a route. `open`: anyone. `loopback`: anyone while the server is bound to loopback, else as `key`. `key`:
 * whoever a key names, or the local user on loopback. `admin`: of those, admins.
 */
export type Access = 'open' | 'loopback' | 'key' | 'admin';

export type Answer = {
  status: number;
  description: string;
  /** A schema for JSON, or the content type of what is not JSON. */
  content: z.ZodType | { type: string };
  /** Whether it may also come as server-sent events. */
  streamed?: true;
  /** Names of answer headers, with what they hold. */
  headers?: Readonly<Record<string, string>>;
};

/** A header that a route reads, for the description. */
export type RequestHeader = { name: string; description: string; schema: z.ZodType };

/**
 * One route: what Fastify serves and what `/openapi.json` describes are both made from it, so that they cannot differ.
 */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As `/api/receipts/:id`. */
  path: string;
  access: Access;
  operation: string;
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  requestHeaders?: readonly RequestHeader[];
  answers: readonly Answer[];
  errors: readonly ErrorCode[];
  /** What it returns is sent as JSON with the first answer's status, unless it sent an answer itself. */
  handle(request: FastifyRequest, reply: FastifyReply): unknown;
};
