import type { ServerResponse } from 'node:http';
import type { StreamResult } from '../inference/router.ts';
import type { Log } from '../lib/log.ts';
import { encodeSseData } from '../lib/sse.ts';
import { answerHeaders } from './answer-headers.ts';
import { drained } from './drained.ts';
import { toErrorJson } from './error-response.ts';
import { toTiercelError } from './fault.ts';

/**
 * Sends a stream from its point of commit on: one write for each read from the target, waiting while the client is slower.
 * What fails now ends it with one error event and without `[DONE]`.
 */
export async function sendStream(
  response: ServerResponse,
  requestId: string,
  result: StreamResult,
  { includeReceipt, log }: { includeReceipt: boolean; log: Log },
): Promise<void> {
  const headers = answerHeaders(result, requestId, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  response.writeHead(200, headers);
  try {
    let id = '';
    for await (const chunks of result.chunks) {
      let text = '';
      for (const chunk of chunks) text += encodeSseData(JSON.stringify(chunk));
      if (!response.write(text)) await drained(response);
      if (response.destroyed) return;
      id = chunks[0]?.id ?? id;
    }
    if (includeReceipt) response.write(await receiptEvent(result, id));
    response.end(encodeSseData('[DONE]'));
  } catch (thrown) {
    const error = toTiercelError(thrown);
    if (error.code === 'internal_error') {
      log.error({ requestId, cause: String(error.cause) }, 'a stream failed unexpectedly');
    }
    response.end(encodeSseData(toErrorJson(error)));
  }
}

async function receiptEvent({ receipt, served }: StreamResult, id: string): Promise<string> {
  const tiercel = await receipt;
  const created = Math.floor(Date.parse(tiercel.startedAt) / 1000);
  const chunk = { id, object: 'chat.completion.chunk', created, model: served.model, choices: [], tiercel };
  return encodeSseData(JSON.stringify(chunk));
}
