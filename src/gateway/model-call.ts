import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { TiercelError } from '../errors.ts';
import type { Caller } from '../inference/call.ts';
import type { Receipt } from '../inference/receipt.ts';
import { answerHeaders, type Head } from './answer-headers.ts';
import type { GatewayParts } from './parts.ts';
import { traceOf } from './request-headers.ts';

/**
 * Runs a call to a model for the request's caller. It is aborted when the caller goes away, and counted when it fails.
 */
export function runModelCall(
  { calls, metrics }: GatewayParts,
  request: FastifyRequest,
  response: ServerResponse,
  work: (caller: Caller) => Promise<void>,
): Promise<void> {
  const principal = request.identity?.principal ?? 'local';
  return calls.run(response, async (signal) => {
    try {
      await work({ principal, signal, ...traceOf(request.raw.headers) });
    } catch (error) {
      if (error instanceof TiercelError && error.details.receiptId) {
        metrics.observeFailed(error.details.receiptId);
      }
      throw error;
    }
  });
}

/** Sends a whole answer, serialised once and past Fastify: this is the hot path. */
export function sendAnswer(
  response: ServerResponse,
  requestId: string,
  answer: object,
  receipt: Receipt,
  includeReceipt: boolean,
): void {
  const body = JSON.stringify(includeReceipt ? { ...answer, tiercel: receipt } : answer);
  const headers = answerHeaders(headOf(receipt), requestId, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.writeHead(200, headers).end(body);
}

function headOf({ id, served, fallbackReason }: Receipt): Head {
  if (served === null) throw new Error('A call that was answered was served by somebody.');
  return { receiptId: id, served, fallbackReason: fallbackReason ?? null };
}
