import { readFileSync } from 'node:fs';

type ExpectedToolCall = {
  id: string;
  name: string;
  arguments: string;
};

/** What a reader must make of a stream, however its bytes are split. */
export type ExpectedAnswer = {
  text: string;
  /** From `reasoning_content`, `reasoning` or a `<think>` block that opens the answer. */
  reasoning?: string;
  refusal?: string;
  toolCalls?: readonly ExpectedToolCall[];
  /** After normalising: `tool_calls` whenever tools were called. */
  finishReason: string;
  usage?: { inputTokens: number; outputTokens: number };
};

export type RecordedStream = {
  name: string;
  /** What is peculiar to it. */
  about: string;
  expected: ExpectedAnswer;
};

/**
 * Whole streams in the shapes that servers really send, written by hand. Each is the file of its name with `.sse`;
 * {@link readRecordedStream} gives the bytes.
 */
export const RECORDED_STREAMS: readonly RecordedStream[] = [
  {
    name: 'openai-text-usage',
    about: 'OpenAI: usage null on each chunk, obfuscation, usage in a last chunk without choices',
    expected: {
      text: 'Fix the brakes first, then the chain.',
      finishReason: 'stop',
      usage: { inputTokens: 19, outputTokens: 8 },
    },
  },
  {
    name: 'openai-unicode',
    about: 'OpenAI: emoji with joiner and flag, CJK, a combining mark, U+2028 and U+0085 unescaped',
    expected: {
      text: '日本語で：自転車 🚲を直す。 👩‍🔧 naïve Zu\u0308rich 🇨🇭\u2028same\u0085line',
      finishReason: 'stop',
    },
  },
  {
    name: 'openai-tools-parallel',
    about: 'OpenAI: two parallel calls, arguments in pieces with escaped quotes',
    expected: {
      text: '',
      toolCalls: [
        { id: 'call_DdmO9pD3', name: 'get_weather', arguments: '{"city":"Zürich","days":3}' },
        {
          id: 'call_k8TqW1aB',
          name: 'find_parts',
          arguments: '{"query":"a \\"10-speed\\" chain","max price":null}',
        },
      ],
      finishReason: 'tool_calls',
      usage: { inputTokens: 81, outputTokens: 44 },
    },
  },
  {
    name: 'openai-refusal',
    about: 'OpenAI: a refusal in pieces, no content',
    expected: { text: '', refusal: "I'm sorry, I can't assist with that.", finishReason: 'stop' },
  },
  {
    name: 'openai-length',
    about: 'OpenAI: ended by the token limit',
    expected: { text: 'One two three', finishReason: 'length' },
  },
  {
    name: 'azure-filter-usage',
    about: 'Azure OpenAI: prompt_filter_results first, without choices; filter results on each chunk',
    expected: {
      text: 'Open at nine, close at six.',
      finishReason: 'stop',
      usage: { inputTokens: 23, outputTokens: 8 },
    },
  },
  {
    name: 'azure-async-filter',
    about: 'Azure OpenAI: annotation chunks whose choice has no delta, one after the finish reason',
    expected: { text: 'Colour the frame red.', finishReason: 'stop' },
  },
  {
    name: 'ollama-text-usage',
    about: 'Ollama: the role in every chunk, usage without choices',
    expected: {
      text: 'Sure! Start with a clean bench.',
      finishReason: 'stop',
      usage: { inputTokens: 31, outputTokens: 9 },
    },
  },
  {
    name: 'ollama-tools-index-0',
    about: 'Ollama, older: whole calls, both under index 0, finish_reason stop',
    expected: {
      text: '',
      toolCalls: [
        { id: 'call_ejieksiz', name: 'get_weather', arguments: '{"city":"Zürich"}' },
        { id: 'call_p3m7wq0a', name: 'get_weather', arguments: '{"city":"東京"}' },
      ],
      finishReason: 'tool_calls',
    },
  },
  {
    name: 'ollama-think-split',
    about: 'Ollama: <think> and </think> split over chunks; blank lines before the answer are not part of it',
    expected: {
      text: '{"title":"right"}',
      reasoning: '\nThe user wants a title. Maybe {"title":"wrong"}?\n',
      finishReason: 'stop',
    },
  },
  {
    name: 'ollama-reasoning-field',
    about: 'Ollama, newer: thoughts in `reasoning`',
    expected: { text: 'Hi there!', reasoning: 'Short and kind.', finishReason: 'stop' },
  },
  {
    name: 'llama-cpp-text-usage',
    about: 'llama.cpp: content null in the role chunk, timings beside usage',
    expected: {
      text: 'Hello, bike shop!',
      finishReason: 'stop',
      usage: { inputTokens: 14, outputTokens: 6 },
    },
  },
  {
    name: 'vllm-reasoning-usage',
    about: 'vLLM: reasoning_content, then text that opens with blank lines; stop_reason in the last chunk',
    expected: {
      text: '\n\nA bicycle.',
      reasoning: 'Two wheels, one bell.',
      finishReason: 'stop',
      usage: { inputTokens: 17, outputTokens: 11 },
    },
  },
  {
    name: 'vllm-tools-parallel',
    about: 'vLLM: a call opens without arguments, its pieces come without an id',
    expected: {
      text: '',
      toolCalls: [
        { id: 'chatcmpl-tool-9b1c', name: 'get_weather', arguments: '{"city": "Basel"}' },
        { id: 'chatcmpl-tool-44fe', name: 'get_time', arguments: '{"zone": "Europe/Zurich"}' },
      ],
      finishReason: 'tool_calls',
    },
  },
  {
    name: 'proxy-comments-crlf',
    about:
      'a proxy: CRLF, comments, pings, id, event and retry fields, blocks without data, usage beside a choice',
    expected: {
      text: 'Keep it rolling.',
      finishReason: 'stop',
      usage: { inputTokens: 9, outputTokens: 4 },
    },
  },
  {
    name: 'multi-line-data',
    about: 'each JSON over many data lines, no space after the colon',
    expected: { text: 'Line by line\n• done', finishReason: 'stop' },
  },
  {
    name: 'multi-line-data-cr',
    about: 'the same with a byte order mark and lone CR as line end',
    expected: { text: 'Line by line\n• done', finishReason: 'stop' },
  },
];

/** The bytes of a stream, as they came over the wire. */
export function readRecordedStream({ name }: RecordedStream): Buffer {
  return readFileSync(new URL(`${name}.sse`, import.meta.url));
}
