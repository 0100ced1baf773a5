import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNICODE_TEXT } from './answers.ts';
import { callUpstream, choicesOf, contentOf, eventsOf } from './call-upstream.ts';
import { okPieces, PROMPT_TOKENS } from './chunks.ts';
import { type FaultyUpstream, startFaultyUpstream } from './server.ts';

const STREAM = { stream: true };
let upstream: FaultyUpstream;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
});
afterAll(() => upstream.close());

async function message(model: string, body: Record<string, unknown> = {}) {
  const { text } = await callUpstream(upstream, model, body);
  const { choices, usage } = JSON.parse(text);
  return { ...choices[0].message, finish: choices[0].finish_reason, usage };
}

test('ok answers the same text whole and in as many pieces as its suffix says', async () => {
  const whole = await message('ok/30');
  const { text, writes } = await callUpstream(upstream, 'ok/30', STREAM);
  expect(whole).toMatchObject({ content: okPieces(30).join(''), finish: 'stop' });
  expect(contentOf(text)).toBe(whole.content);
  // Role, pieces, finish, [DONE].
  expect(writes).toHaveLength(33);
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
});

test.each([
  ['ok', true, true],
  ['ok', false, false],
  ['no-usage', true, false],
  ['usage-last', false, true],
])('%s with include_usage %s reports usage in a stream: %s', async (model, asked, reported) => {
  const { text } = await callUpstream(upstream, model, {
    stream: true,
    stream_options: { include_usage: asked },
  });
  const last = eventsOf(text).at(-1);
  const usage = { prompt_tokens: PROMPT_TOKENS, completion_tokens: 20, total_tokens: PROMPT_TOKENS + 20 };
  if (reported) expect(last).toMatchObject({ choices: [], usage });
  else expect(text).not.toContain('prompt_tokens');
});

test('a whole answer reports usage, unless it is no-usage', async () => {
  expect((await message('ok')).usage.completion_tokens).toBe(20);
  expect((await message('no-usage')).usage).toBeUndefined();
});

test('counter counts the requests of its own name', async () => {
  expect((await message('counter')).content).toBe('answer 1');
  expect((await message('counter')).content).toBe('answer 2');
  expect((await message('counter/other')).content).toBe('answer 1');
});

test('echo and echo-length answer with the body they got', async () => {
  const { content } = await message('echo', { user: 'Zürich' });
  expect(JSON.parse(content)).toMatchObject({ model: 'echo', user: 'Zürich' });
  const length = Number((await message('echo-length', { user: 'Zürich' })).content);
  expect(length).toBe(Buffer.byteLength(upstream.requests.at(-1)?.bodyText ?? ''));
});

test('unicode streams characters of several bytes', async () => {
  const { text } = await callUpstream(upstream, 'unicode', STREAM);
  expect(contentOf(text)).toBe(UNICODE_TEXT);
});

test('json-ok conforms to the schema asked for', async () => {
  const schema = {
    type: 'object',
    required: ['title', 'days', 'kind'],
    properties: {
      title: { type: 'string' },
      days: { type: 'integer', minimum: 10 },
      kind: { enum: ['launch', 'sale'] },
      steps: { type: 'array', minItems: 2, items: { type: 'boolean' } },
    },
  };
  const { content } = await message('json-ok', {
    response_format: { type: 'json_schema', json_schema: { name: 'plan', schema } },
  });
  expect(JSON.parse(content)).toEqual({ title: 'title', days: 10, kind: 'launch', steps: [true, true] });
  expect(JSON.parse((await message('json-ok')).content)).toHaveProperty('title');
});

test.each([
  ['think-braces', '<think>{"a":1}</think> Here you go: {{"title":"x"}}'],
  ['think-fenced', '<think>maybe {"title":"wrong"}</think>```json\n{"title":"right"}\n```'],
])('%s says it whole and with its tags split over chunks', async (model, expected) => {
  expect((await message(model)).content).toBe(expected);
  const { text } = await callUpstream(upstream, model, STREAM);
  expect(contentOf(text)).toBe(expected);
  expect(choicesOf(text).some(({ delta }) => delta.content?.includes('<think>'))).toBe(false);
});

test('reasoning-content keeps thoughts out of the content', async () => {
  const whole = await message('reasoning-content');
  const { text } = await callUpstream(upstream, 'reasoning-content', STREAM);
  const thoughts = choicesOf(text).map(({ delta }) => delta['reasoning_content'] ?? '');
  expect(thoughts.join('')).toBe(whole.reasoning_content);
  expect(contentOf(text)).toBe(whole.content);
});

test.each([
  ['length-finish', 'length'],
  ['content-filter-finish', 'content_filter'],
])('%s finishes with %s', async (model, reason) => {
  expect((await message(model)).finish).toBe(reason);
  const { text } = await callUpstream(upstream, model, STREAM);
  expect(choicesOf(text).at(-1)?.finish_reason).toBe(reason);
});

test('refusal refuses and says nothing else', async () => {
  const whole = await message('refusal');
  expect(whole).toMatchObject({ content: null, refusal: expect.stringContaining('can’t') });
  const { text } = await callUpstream(upstream, 'refusal', STREAM);
  const refusal = choicesOf(text).map(({ delta }) => delta['refusal'] ?? '');
  expect([refusal.join(''), contentOf(text)]).toEqual([whole.refusal, '']);
});

test('huge-answer has the size asked for', async () => {
  expect((await message('huge-answer/2')).content).toHaveLength(2 * 2 ** 20);
});

const TOOLS = ['search', 'book'].map((name) => ({
  type: 'function' as const,
  function: {
    name,
    parameters: { type: 'object', properties: { query: { type: 'string' }, count: { type: 'integer' } } },
  },
}));

test('tools-two is read by the official client, then answers in text', async () => {
  const client = new OpenAI({ baseURL: upstream.baseUrl, apiKey: 'none', maxRetries: 0 });
  const user = { role: 'user' as const, content: 'Hello' };
  const { choices } = await client.chat.completions
    .stream({ model: 'tools-two', messages: [user], tools: TOOLS })
    .finalChatCompletion();
  const calls = choices[0]?.message.tool_calls ?? [];
  expect(choices[0]?.finish_reason).toBe('tool_calls');
  expect(calls).toMatchObject([
    { id: 'call_faulty_1', function: { name: 'search', arguments: '{"query":"query","count":1}' } },
    { id: 'call_faulty_2', function: { name: 'book', arguments: '{"query":"query","count":1}' } },
  ]);
  const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'done' }));
  const answer = await client.chat.completions.create({
    model: 'tools-two',
    messages: [user, { role: 'assistant', tool_calls: calls }, ...results],
    tools: TOOLS,
  });
  expect(answer.choices[0]?.message.content).toBe(okPieces().join(''));
});

test('tools-broken breaks index, id, arguments and finish reason', async () => {
  const { text } = await callUpstream(upstream, 'tools-broken', { stream: true, tools: TOOLS });
  const calls = choicesOf(text).flatMap(({ delta }) => delta.tool_calls ?? []);
  const broken = { query: 'query', count: 1 };
  expect(calls).toEqual([
    { function: { name: 'search', arguments: broken } },
    { index: 0, function: { name: 'book', arguments: broken } },
  ]);
  expect(choicesOf(text).at(-1)?.finish_reason).toBe('stop');
  const whole = await message('tools-broken', { tools: TOOLS });
  expect(whole).toMatchObject({ finish: 'stop', tool_calls: [{ function: { arguments: broken } }, {}] });
});

test('tools-index-0 puts two whole calls under one index', async () => {
  const { text } = await callUpstream(upstream, 'tools-index-0', { stream: true, tools: TOOLS });
  const calls = choicesOf(text).flatMap(({ delta }) => delta.tool_calls ?? []);
  expect(calls.map(({ index, id }) => [index, id])).toEqual([
    [0, 'call_faulty_1'],
    [0, 'call_faulty_2'],
  ]);
});
