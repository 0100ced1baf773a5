import {
  answer,
  answering,
  type BehaviourTable,
  framesOf,
  isObject,
  numberArgument,
  okReply,
} from './behaviour.ts';
import {
  inOrder,
  okPieces,
  type Reply,
  type ToolCall,
  textReply,
  toCompletion,
  toolDelta,
  toolReply,
} from './chunks.ts';
import { type Exchange, SSE } from './exchange.ts';
import { sampleOf } from './sample.ts';

const MIB = 2 ** 20;
const HUGE_PIECE = 'x'.repeat(2 ** 16);

/** Emoji with joiners, CJK, combining marks, and characters that only look like line ends. */
export const UNICODE_TEXT = 'Grüße 👩‍🚀 你好，世界 🎉 cafe\u0301 日本語\u2028line\u0085next 🇪🇺';

/** Answers that are well-formed on the wire; what they say may still be a trial for the caller. */
export const ANSWERS: BehaviourTable = {
  ok: {
    meaning: 'a good answer in 20 pieces; ok/200 for 200 pieces',
    play: answerOk,
  },
  counter: answering('"answer 1", then "answer 2", … for this model name', ({ invocation }) =>
    textReply(['answer ', String(invocation.nth)]),
  ),
  echo: answering('the request body, byte for byte, as the answer', ({ bodyText }) => textReply([bodyText])),
  'echo-length': answering('the length of the request body in bytes', ({ bodyText }) =>
    textReply([String(Buffer.byteLength(bodyText))]),
  ),
  unicode: answering('emoji, CJK and look-alike line ends', () => textReply([...UNICODE_TEXT])),
  'json-ok': answering('JSON of the schema in response_format, else {"title": …}', (exchange) =>
    textReply(pieces(JSON.stringify(requestedJson(exchange)))),
  ),
  'think-braces': answering('JSON that cannot be taken: braces in <think>, then doubled braces', () =>
    textReply(pieces('<think>{"a":1}</think> Here you go: {{"title":"x"}}')),
  ),
  'think-fenced': answering('a wrong JSON in <think>, the right one in a fence', () =>
    textReply(pieces('<think>maybe {"title":"wrong"}</think>```json\n{"title":"right"}\n```')),
  ),
  'reasoning-content': answering('thoughts in reasoning_content, then the answer', reasoningReply),
  'tools-two': answering(
    'calls the first two tools, arguments in pieces; text once it has results',
    (exchange) => (hasToolResults(exchange) ? okReply() : toolReply(calledTools(exchange))),
  ),
  'tools-broken': answering(
    'two calls without ids, index missing or 0, arguments as objects, finish_reason stop',
    (exchange) => (hasToolResults(exchange) ? okReply() : brokenToolReply(calledTools(exchange))),
  ),
  'tools-index-0': answering('two calls with ids, both under index 0, as older Ollama', (exchange) =>
    hasToolResults(exchange) ? okReply() : collidingToolReply(calledTools(exchange)),
  ),
  refusal: answering('a refusal instead of content', () => {
    const refusal = 'I can’t help with that.';
    return textReply([], {
      deltas: pieces(refusal).map((piece) => ({ refusal: piece })),
      message: { role: 'assistant', content: null, refusal },
      tokens: 7,
    });
  }),
  'length-finish': answering('an answer cut by its token limit: finish_reason length', () =>
    textReply(okPieces(5), { finishReason: 'length' }),
  ),
  'content-filter-finish': answering(
    'an answer that a safety system stops: finish_reason content_filter',
    () => textReply(okPieces(5), { finishReason: 'content_filter' }),
  ),
  'no-usage': answering('never reports usage', () => textReply(okPieces(), { usage: 'never' })),
  'usage-last': answering('reports usage in a last chunk even when not asked', () =>
    textReply(okPieces(), { usage: 'always' }),
  ),
  'empty-answer': answering('content of no characters, finish_reason stop', () => textReply([])),
  'huge-answer': answering('8 MiB of text; huge-answer/64 for 64 MiB', (exchange) =>
    textReply(Array(numberArgument(exchange, 8) * (MIB / HUGE_PIECE.length)).fill(HUGE_PIECE)),
  ),
};

/** Bodies and events of `ok`, made once per model name and size: it also stands behind benchmarks. */
const prepared = new Map<string, Buffer[]>();
const PREPARED_MAX = 256;

async function answerOk(exchange: Exchange): Promise<void> {
  if (exchange.embeddings) return answer(exchange, okReply());
  const { streaming, includeUsage, invocation } = exchange;
  const key = `${invocation.model} ${invocation.argument} ${streaming} ${includeUsage}`;
  let parts = prepared.get(key);
  if (parts === undefined) {
    const reply = okReply(numberArgument(exchange, okPieces().length));
    const texts = streaming
      ? inOrder(framesOf(exchange, reply))
      : [JSON.stringify(toCompletion(invocation.model, reply))];
    parts = texts.map((text) => Buffer.from(text));
    if (prepared.size >= PREPARED_MAX) prepared.clear();
    prepared.set(key, parts);
  }
  if (!streaming) return exchange.send(200, 'application/json', parts[0] ?? '');
  exchange.begin(SSE);
  for (const part of parts) await exchange.raw(part);
  exchange.end();
}

function reasoningReply(): Reply {
  const thoughts = ['The user ', 'wants a title. ', 'Maybe {"title":"wrong"}.'];
  const text = okPieces(5);
  const reply = textReply(text);
  return {
    ...reply,
    deltas: [...thoughts.map((piece) => ({ reasoning_content: piece })), ...reply.deltas],
    message: { ...reply.message, reasoning_content: thoughts.join('') },
    tokens: thoughts.length + text.length,
  };
}

/** Text in pieces of three characters, so that tags and fences are split. */
function pieces(text: string): string[] {
  return text.match(/.{1,3}/gsu) ?? [];
}

function requestedJson({ body }: Exchange): unknown {
  const format = body['response_format'];
  const wrapper = isObject(format) ? format['json_schema'] : undefined;
  return isObject(wrapper) && 'schema' in wrapper
    ? sampleOf(wrapper['schema'])
    : { title: 'A launch in ten days' };
}

function hasToolResults({ body }: Exchange): boolean {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  const last: unknown = messages.at(-1);
  return isObject(last) && last['role'] === 'tool';
}

/** Calls of the first two tools offered (the only one twice), with sample arguments; two invented ones if none is. */
function calledTools({ body }: Exchange): ToolCall[] {
  const offered = (Array.isArray(body['tools']) ? body['tools'] : [])
    .map((tool: unknown) => (isObject(tool) ? tool['function'] : undefined))
    .filter(isObject);
  const invented = [
    { name: 'get_weather', parameters: null },
    { name: 'get_time', parameters: null },
  ];
  const pool: { name?: unknown; parameters?: unknown }[] = offered.length > 0 ? offered : invented;
  return [0, 1].map((at) => {
    const tool = pool[at % pool.length];
    const sample = isObject(tool?.parameters)
      ? sampleOf(tool.parameters)
      : { city: at === 0 ? 'Zürich' : '東京' };
    return { id: `call_faulty_${at + 1}`, name: String(tool?.name), arguments: JSON.stringify(sample) };
  });
}

function brokenToolReply(calls: readonly ToolCall[]): Reply {
  const broken = calls.map((call) => ({
    function: { name: call.name, arguments: JSON.parse(call.arguments) },
  }));
  return {
    ...toolReply(calls),
    deltas: broken.map((call, at) => toolDelta(at === 0 ? call : { index: 0, ...call })),
    message: { role: 'assistant', content: '', tool_calls: broken },
    finishReason: 'stop',
  };
}

function collidingToolReply(calls: readonly ToolCall[]): Reply {
  return {
    ...toolReply(calls),
    deltas: calls.map(({ id, ...call }) => toolDelta({ index: 0, id, type: 'function', function: call })),
  };
}
