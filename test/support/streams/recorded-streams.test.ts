import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RECORDED_STREAMS, readRecordedStream } from './recorded-streams.ts';

/** The fields of a chunk that any of the recorded servers sends. */
type Chunk = {
  choices: {
    delta?: {
      content?: string | null;
      reasoning_content?: string;
      reasoning?: string;
      refusal?: string | null;
      tool_calls?: { id?: string; function: { name?: string; arguments?: string } }[];
    };
    finish_reason: string | null;
  }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
};

/** Reads a whole stream the slow and plain way, so that the expectations do not rest on the code they test. */
function chunksOf(bytes: Buffer): Chunk[] {
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n');
  const payloads = text.split('\n\n').map((block) =>
    block
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5))
      .join('\n'),
  );
  expect(
    payloads
      .filter((payload) => payload !== '')
      .at(-1)
      ?.trim(),
  ).toBe('[DONE]');
  return payloads
    .filter((payload) => payload !== '' && payload.trim() !== '[DONE]')
    .map((payload) => JSON.parse(payload));
}

test.each(RECORDED_STREAMS)('$name says what its index entry expects', (recorded) => {
  const { expected } = recorded;
  const chunks = chunksOf(readRecordedStream(recorded));
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta ?? {}));
  const content = deltas.map((delta) => delta.content ?? '').join('');
  const thoughts = deltas.map((delta) => delta.reasoning_content ?? delta.reasoning ?? '').join('');
  const [, inTags = '', answer = content] = /^<think>(.*?)<\/think>\s*(.*)$/s.exec(content) ?? [];
  const calls: { id: string; name: string; arguments: string }[] = [];
  for (const { id, function: call } of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
    if (id !== undefined) calls.push({ id, name: call.name ?? '', arguments: '' });
    const open = calls.at(-1);
    if (open !== undefined) open.arguments += call.arguments ?? '';
  }
  const finishes = chunks.flatMap(({ choices }) => choices.flatMap((choice) => choice.finish_reason ?? []));
  const usage = chunks.flatMap((chunk) => chunk.usage ?? []).at(-1);

  expect(answer).toBe(expected.text);
  expect(thoughts + inTags).toBe(expected.reasoning ?? '');
  expect(deltas.map((delta) => delta.refusal ?? '').join('')).toBe(expected.refusal ?? '');
  expect(calls).toEqual(expected.toolCalls ?? []);
  expect(calls.length > 0 ? ['tool_calls'] : finishes).toEqual([expected.finishReason]);
  expect(usage && { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }).toEqual(
    expected.usage,
  );
});

test('every file has an entry', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.sse'));
  expect(files.sort()).toEqual(RECORDED_STREAMS.map(({ name }) => `${name}.sse`).sort());
});
