import type { BodyReader } from '../../egress/model.ts';
import { createSseParser, type SseEvent } from '../../lib/sse.ts';
import type { ChatChunk } from '../chat.ts';
import type { AttemptFailure, ChunkStream, StreamRead } from '../model.ts';
import { failureFromHttp } from './http-failure.ts';
import { createChunkNormaliser, isRecord } from './normalise.ts';
import { failureFromTransport } from './transport-failure.ts';

// After the finish reason come only usage and [DONE]; a server that keeps the line open holds up nobody for longer.
const AFTER_FINISH_MS = 1000;

/**
 * The chunks of one event stream. Reads go on until `[DONE]`, the end of the body, or a failure. What was parsed before
 * a failure is given out first and the failure by the next read, so nothing that arrived is lost.
 */
export function createChunkStream(body: BodyReader, target: string, model: string): ChunkStream {
  const parser = createSseParser();
  const normaliser = createChunkNormaliser(model);
  let ended: StreamRead | null = null;

  function end(proper: boolean, chunks: ChatChunk[], malformed: number): void {
    const finished = proper || normaliser.finished;
    const rest = normaliser.flush(finished);
    if (rest) chunks.push(rest);
    ended = { kind: 'end', finished, malformed: chunks.length > 0 ? 0 : malformed };
    body.cancel();
  }

  function fail(failure: AttemptFailure, chunks: ChatChunk[]): void {
    if (normaliser.finished) {
      end(true, chunks, 0);
      return;
    }
    const rest = normaliser.flush(false);
    if (rest) chunks.push(rest);
    ended = { kind: 'failed', failure };
    body.cancel();
  }

  function take(events: SseEvent[]): { chunks: ChatChunk[]; malformed: number } {
    const chunks: ChatChunk[] = [];
    let malformed = 0;
    for (const { data } of events) {
      if (data.trim() === '[DONE]') {
        end(true, chunks, malformed);
        break;
      }
      const value = parse(data);
      if (isRecord(value) && value.error !== undefined && value.error !== null) {
        fail(failureFromHttp(target, 200, {}, value), chunks);
        break;
      }
      const chunk = normaliser.normalise(value);
      if (chunk) chunks.push(chunk);
      else malformed += 1;
    }
    return { chunks, malformed };
  }

  async function read(limitMs: number, limit: 'firstTokenMs' | 'idleMs'): Promise<StreamRead> {
    // Keep-alive comments are no chunks: the limit counts over all network reads of this one.
    const until = performance.now() + limitMs;
    while (!ended) {
      const left = Math.max(0, until - performance.now());
      const part = await body.read(normaliser.finished ? Math.min(left, AFTER_FINISH_MS) : left);
      if (part.kind === 'data') {
        const { chunks, malformed } = feed(part.bytes);
        if (chunks.length > 0) return { kind: 'chunks', chunks, malformed };
        if (malformed > 0 && !ended) return { kind: 'chunks', chunks, malformed };
      } else {
        const chunks: ChatChunk[] = [];
        if (part.kind === 'end') end(false, chunks, 0);
        else fail(failureFromTransport(target, part, { limit, limitMs }), chunks);
        if (chunks.length > 0) return { kind: 'chunks', chunks, malformed: 0 };
      }
    }
    return ended;
  }

  function feed(bytes: Uint8Array): { chunks: ChatChunk[]; malformed: number } {
    try {
      return take(parser.feed(bytes));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const chunks: ChatChunk[] = [];
      fail(
        { code: 'upstream_invalid_response', message: `${target} sent an event that is too large.` },
        chunks,
      );
      return { chunks, malformed: 0 };
    }
  }

  return { read, cancel: () => body.cancel() };
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
