/**
 * Builders of OpenAI's chat-completion shapes. A {@link Reply} says what the model answers;
 * {@link toCompletion} and {@link toFrames} put it on the wire, whole or as server-sent events.
 */

export type Json = Record<string, unknown>;

export type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number };

/** Reported for every prompt, whatever its length: a constant is easy to expect in a test. */
export const PROMPT_TOKENS = 12;

/** What the model answers. */
export type Reply = {
  /** `delta` of each chunk between the role chunk and the finish chunk. */
  deltas: readonly Json[];
  /** `message` of the answer that is not streamed. */
  message: Json;
  finishReason: string;
  /** Completion tokens reported. */
  tokens: number;
  /** `asked` follows `stream_options.include_usage`. */
  usage: 'asked' | 'never' | 'always';
};

export type ToolCall = { id: string; name: string; arguments: string };

const WORDS =
  'The upstream is well and answers in small pieces, one word after another, so that a stream has some length.'.split(
    ' ',
  );

/** The words of the `ok` answer, repeated until there are `count` pieces; joined they are the answer's text. */
export function okPieces(count = WORDS.length): string[] {
  return Array.from({ length: count }, (_, at) => (at === 0 ? '' : ' ') + (WORDS[at % WORDS.length] ?? ''));
}

/** An answer in text, streamed piece by piece. */
export function textReply(pieces: readonly string[], changes: Partial<Reply> = {}): Reply {
  return {
    deltas: pieces.map((content) => ({ content })),
    message: { role: 'assistant', content: pieces.join(''), refusal: null },
    finishReason: 'stop',
    tokens: pieces.length,
    usage: 'asked',
    ...changes,
  };
}

/** An answer that calls tools, each call's arguments streamed in pieces of five characters, as OpenAI does. */
export function toolReply(calls: readonly ToolCall[]): Reply {
  const deltas = calls.flatMap((call, index) => [
    toolDelta({ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }),
    ...(call.arguments.match(/.{1,5}/gsu) ?? []).map((piece) =>
      toolDelta({ index, function: { arguments: piece } }),
    ),
  ]);
  const whole = calls.map(({ id, ...rest }) => ({ id, type: 'function', function: rest }));
  return {
    deltas,
    message: { role: 'assistant', content: null, refusal: null, tool_calls: whole },
    finishReason: 'tool_calls',
    tokens: deltas.length,
    usage: 'asked',
  };
}

/** A delta that carries the given tool-call fragments. */
export function toolDelta(...fragments: readonly Json[]): Json {
  return { tool_calls: fragments };
}

/** One `chat.completion.chunk`. */
export function toChunk(model: string, delta: Json, finishReason: string | null = null): Json {
  return {
    ...envelope(model, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  };
}

/** The whole answer as one `chat.completion`. */
export function toCompletion(model: string, reply: Reply): Json {
  return {
    ...envelope(model, 'chat.completion'),
    choices: [{ index: 0, message: reply.message, logprobs: null, finish_reason: reply.finishReason }],
    ...(reply.usage === 'never' ? {} : { usage: usageOf(reply) }),
  };
}

/** The parts of a stream, each a complete event, so that a behaviour can cut, bend or reorder them. */
export type Frames = {
  role: string;
  content: readonly string[];
  finish: string;
  usage: string;
  done: string;
};

/**
 * The answer as server-sent events. `usage` is empty unless the caller asked (`includeUsage`) or the reply
 * reports it always; when asked, every other chunk carries `usage: null`, as OpenAI's do.
 */
export function toFrames(model: string, reply: Reply, includeUsage: boolean): Frames {
  const asked = includeUsage && reply.usage !== 'never';
  const chunk = (delta: Json, finishReason: string | null = null): string =>
    sseEvent({ ...toChunk(model, delta, finishReason), ...(asked ? { usage: null } : {}) });
  return {
    role: chunk({ role: 'assistant', content: '', refusal: null }),
    content: reply.deltas.map((delta) => chunk(delta)),
    finish: chunk({}, reply.finishReason),
    usage:
      asked || reply.usage === 'always'
        ? sseEvent({ ...envelope(model, 'chat.completion.chunk'), choices: [], usage: usageOf(reply) })
        : '',
    done: 'data: [DONE]\n\n',
  };
}

/** All events of a stream in order. */
export function inOrder(frames: Frames): string[] {
  const { role, content, finish, usage, done } = frames;
  return [role, ...content, finish, ...(usage === '' ? [] : [usage]), done];
}

/** One event with the value as JSON on a single `data` line. */
export function sseEvent(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** OpenAI's error object. */
export function errorBody(message: string, type: string, code: string | null, param: string | null = null) {
  return { error: { message, type, param, code } };
}

function envelope(model: string, object: string): Json {
  return { id: 'chatcmpl-faulty', object, created: 1_767_225_600, model, system_fingerprint: 'fp_faulty' };
}

function usageOf(reply: Reply): Usage {
  return {
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens: reply.tokens,
    total_tokens: PROMPT_TOKENS + reply.tokens,
  };
}
