import type { ChatChunk, ChatCompletion, Choice, ChunkChoice, Delta } from '../chat.ts';
import type { ChunkStream, StreamRead } from '../model.ts';

const CHUNKS_PER_READ = 8;

/** A word with its space, or two short ones; code points stay whole. */
const PIECE = /\s*\S{1,4}\s+\S{1,24}|\s*\S{1,24}|\s+/gu;

/**
 * A whole answer as a stream: for each choice the role, pieces of a word or two, and the finish reason; then the usage in a chunk without choices. It never
 * waits, so the limits of `read` do not apply.
 */
export function createChunkStream(completion: ChatCompletion, signal: AbortSignal): ChunkStream {
  const chunks = toChunks(completion);
  let cancelled = false;
  let finished = false;
  return {
    read: async (): Promise<StreamRead> => {
      if (signal.aborted) {
        return { kind: 'failed', failure: { code: 'client_closed', message: 'The caller went away' } };
      }
      if (cancelled) return { kind: 'end', finished, malformed: 0 };
      const read: ChatChunk[] = [];
      while (read.length < CHUNKS_PER_READ) {
        const next = chunks.next();
        if (next.done) break;
        read.push(next.value);
      }
      if (read.length > 0) return { kind: 'chunks', chunks: read, malformed: 0 };
      finished = true;
      return { kind: 'end', finished, malformed: 0 };
    },
    cancel: () => {
      cancelled = true;
    },
  };
}

function* toChunks(completion: ChatCompletion): Generator<ChatChunk> {
  const { id, created, model, usage } = completion;
  const chunk = (choices: ChunkChoice[]): ChatChunk => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices,
  });
  for (const choice of completion.choices) {
    for (const delta of toDeltas(choice)) yield chunk([{ index: choice.index, delta, finish_reason: null }]);
    yield chunk([{ index: choice.index, delta: {}, finish_reason: choice.finish_reason }]);
  }
  yield { ...chunk([]), usage: usage ?? null };
}

function* toDeltas(choice: Choice): Generator<Delta> {
  const { content, tool_calls: calls = [] } = choice.message;
  yield { role: 'assistant', content: content === null ? null : '' };
  for (const [piece] of (content ?? '').matchAll(PIECE)) yield { content: piece };
  for (const [index, call] of calls.entries()) {
    const { id, type } = call;
    yield { tool_calls: [{ index, id, type, function: { name: call.function.name, arguments: '' } }] };
    for (const [piece] of call.function.arguments.matchAll(PIECE)) {
      yield { tool_calls: [{ index, id, type, function: { arguments: piece } }] };
    }
  }
}
