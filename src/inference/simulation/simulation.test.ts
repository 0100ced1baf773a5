import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatChunk, ChatCompletion, ChatRequest, ToolDefinition } from '../chat.ts';
import type { AttemptCall } from '../model.ts';
import { createSimulation, SIMULATION_MODEL } from './simulation.ts';

const BIKE = 'Plan a launch for a bike repair shop';
const simulation = createSimulation();

function callOf(
  request: ChatRequest,
  role: string | null = null,
  signal = new AbortController().signal,
): AttemptCall {
  return {
    candidate: { tier: 'simulation', deployment: 'simulation', model: SIMULATION_MODEL, target: null },
    request,
    role,
    limits: { connectMs: 1, headerMs: 1, firstTokenMs: 1, idleMs: 1 },
    deadlineAt: Number.POSITIVE_INFINITY,
    signal,
  };
}

function said(text: string, more: Partial<ChatRequest> = {}): ChatRequest {
  return { messages: [{ role: 'user', content: text }], ...more };
}

async function complete(
  request: ChatRequest,
  role: string | null = null,
  provider = simulation,
): Promise<ChatCompletion> {
  const completed = await provider.complete(callOf(request, role));
  if (completed.kind === 'failed') throw new Error(completed.failure.message);
  return completed.completion;
}

async function textOf(
  request: ChatRequest,
  role: string | null = null,
  provider = simulation,
): Promise<string> {
  return (await complete(request, role, provider)).choices[0]?.message.content ?? '';
}

async function chunksOf(request: ChatRequest): Promise<ChatChunk[]> {
  const streaming = await simulation.stream(callOf(request));
  if (streaming.kind === 'failed') throw new Error(streaming.failure.message);
  const chunks: ChatChunk[] = [];
  for (;;) {
    const read = await streaming.stream.read(1, 'idleMs');
    if (read.kind === 'failed') throw new Error(read.failure.message);
    if (read.kind === 'end') {
      expect(read.finished).toBe(true);
      return chunks;
    }
    chunks.push(...read.chunks);
  }
}

const weather: ToolDefinition = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } },
      required: ['city', 'unit'],
      additionalProperties: false,
    },
  },
};
const clock: ToolDefinition = { type: 'function', function: { name: 'get_time' } };

async function callsOf(request: ChatRequest, role: string | null = null, provider = simulation) {
  const { choices } = await complete(request, role, provider);
  return (choices[0]?.message.tool_calls ?? []).map((call) => ({
    tool: call.function.name,
    arguments: JSON.parse(call.function.arguments) as unknown,
  }));
}

describe('an answer in prose', () => {
  it('plans in the words of the request and says first that no model was asked', async () => {
    expect(await textOf(said(BIKE))).toBe(`Simulated answer: no model was asked.

An outline for “a launch for a bike repair shop”, from the words of the request alone:

1. Aim. Agree on the one result of the launch that matters most to the bike repair shop, and on how it will be measured.
2. People. Name who decides about the launch, who does the work, and who will notice the result.
3. Scope. Choose the smallest version of the launch that is still worth doing, and leave out the rest.
4. Limits. Set a date and a budget; the request names neither.
5. Trial. Try it once on a small scale, and note everything that goes wrong.
6. Review. Afterwards, hold the result against the sentence from step 1 and decide what to keep.`);
  });

  it('drafts a letter with its gaps marked', async () => {
    expect(
      await textOf(said('Can you please write an email to my landlord about the broken heater?')),
    ).toBe(`Simulated answer: no model was asked.

A draft with the gaps marked:

Subject: The broken heater

Hello,

I am writing about the broken heater. [Say what has happened, and since when.]

[Say what you ask for, and by what date.]

Thank you,
[name]`);
  });

  it('summarises by choosing sentences of the text', async () => {
    const text =
      'Summarize the following text:\n\nThe river Thames flows through London. It is 346 km long and starts in Gloucestershire. Many bridges cross the river Thames in London. Ducks live there. The Thames was once very dirty but the river was cleaned in the 1960s.';
    expect(await textOf(said(text))).toBe(`Simulated answer: no model was asked.

The 3 sentences that hold most of the text’s frequent words, word for word:

- The river Thames flows through London.
- Many bridges cross the river Thames in London.
- The Thames was once very dirty but the river was cleaned in the 1960s.`);
  });

  it('does not pretend to know the answer to a question', async () => {
    const text = await textOf(said('What is the capital of France?'));
    expect(text).toContain('the question “What is the capital of France?” stays open');
    expect(text).toContain('“capital” and “France”');
  });

  it('gives a stub for code, named after the request', async () => {
    const text = await textOf(said('Write a Python function that reverses a linked list'));
    expect(text).toContain('def reverse_linked_list(value):');
    expect(text).toContain('raise NotImplementedError');
  });

  it('gives as many items as were asked for', async () => {
    const text = await textOf(said('Generate three slogans for our coffee brand'));
    expect(text.match(/^\d\. .*your coffee brand/gm)).toHaveLength(3);
  });

  it('says it again in the language of the request where it knows the sentence', async () => {
    const text = await textOf(said('Schreibe mir bitte einen Plan für die Eröffnung einer Fahrradwerkstatt'));
    expect(text).toContain('Es wurde kein Modell befragt.');
    expect(text).toContain('Eröffnung einer Fahrradwerkstatt');
  });

  it('names the role and the part, but never plays a model', async () => {
    const asked = (system: string): ChatRequest => ({
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: BIKE },
      ],
    });
    expect(await textOf(asked('You are a strict tax advisor who hates jokes.'), 'advisor')).toMatch(
      /^Simulated answer for the role “advisor”: no model was asked\. The system prompt sets the part of a strict tax advisor;/,
    );
    expect(await textOf(asked('You are a large language model named Zed.'))).not.toContain('language model');
  });

  it('says that images were not looked at', async () => {
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ];
    expect(await textOf({ messages: [{ role: 'user', content }] })).toContain('has not been looked at');
  });

  it('begins with the disclosure, ends in bounded length and never fails, whatever is said', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.lorem({ maxCount: 60 }),
      fc.constantFrom(
        '\ud800',
        ' ',
        '?',
        'list',
        'write an email',
        'x'.repeat(50_000),
        'a b '.repeat(50_000),
      ),
    );
    await fc.assert(
      fc.asyncProperty(text, async (words) => {
        const answer = await textOf(said(words));
        expect(answer).toMatch(/^Simulated answer: no model was asked\./);
        expect(answer.length).toBeLessThan(4000);
        expect(answer).not.toMatch(/undefined|\[object|NaN/);
      }),
      { numRuns: 300 },
    );
  });
});

describe('determinism', () => {
  it('gives the same bytes for the same role, messages, tools, schema and seed', async () => {
    const request = fc.record({
      messages: fc.array(
        fc.record({ role: fc.constantFrom('system' as const, 'user' as const), content: fc.lorem() }),
        { minLength: 1, maxLength: 4 },
      ),
      seed: fc.nat(),
      tools: fc.constantFrom<ToolDefinition[]>([], [weather]),
      temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(request, fc.double({ min: 0, max: 2, noNaN: true }), async (asked, temperature) => {
        const first = JSON.stringify(await complete(asked, 'narrator'));
        const reordered = Object.fromEntries(
          Object.entries({ ...asked, temperature }).reverse(),
        ) as ChatRequest;
        expect(JSON.stringify(await complete(reordered, 'narrator', createSimulation()))).toBe(first);
      }),
      { numRuns: 100 },
    );
  });

  it('gives other ids and other wording for another seed', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => complete(said(BIKE, { seed }))));
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(6);
    expect(new Set(answers.map((answer) => answer.choices[0]?.message.content)).size).toBeGreaterThan(1);
  });
});

describe('limits of an answer', () => {
  it.each(['max_tokens', 'max_completion_tokens'])('cuts at %s and says so', async (limit) => {
    const { choices, usage } = await complete(said(BIKE, { [limit]: 5 }));
    expect(choices[0]).toMatchObject({
      finish_reason: 'length',
      message: { content: 'Simulated answer: no' },
    });
    expect(usage).toMatchObject({
      completion_tokens: 5,
      prompt_tokens: 9,
      total_tokens: 14,
      source: 'simulated',
    });
  });

  it('ends before the first stop sequence', async () => {
    const { choices } = await complete(said(BIKE, { stop: ['2. ', ' no model', ''] }));
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Simulated answer:' } });
  });

  it('gives n choices, each reproducible', async () => {
    const { choices } = await complete(said(BIKE, { n: 8 }));
    expect(choices.map((choice) => choice.index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(choices[0]?.message.content).toBe(await textOf(said(BIKE)));
    expect(new Set(choices.map((choice) => choice.message.content)).size).toBeGreaterThan(1);
  });

  it.each([0, 1.5, 129])('refuses n = %d', async (n) => {
    expect(await simulation.complete(callOf(said(BIKE, { n })))).toMatchObject({
      kind: 'failed',
      failure: { code: 'invalid_request' },
    });
  });

  it('fails rather than cut JSON', async () => {
    const format = { response_format: { type: 'json_object' as const } };
    for (const limit of [{ max_tokens: 3 }, { stop: '"title"' }]) {
      expect(await simulation.complete(callOf(said(BIKE, { ...format, ...limit })))).toMatchObject({
        failure: { code: 'answer_invalid' },
      });
    }
  });
});

describe('JSON', () => {
  it('satisfies a schema with the words of the request', async () => {
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' }, steps: { type: 'array', items: { type: 'string' } } },
      required: ['title', 'steps'],
      additionalProperties: false,
    };
    const value = JSON.parse(
      await textOf(
        said(BIKE, {
          response_format: { type: 'json_schema', json_schema: { name: 'plan', schema, strict: true } },
        }),
      ),
    );
    expect(value).toEqual({
      title: 'A launch for a bike repair shop',
      steps: [
        'Write down what a launch for a bike repair shop should achieve.',
        'List what the bike repair shop needs first.',
        'Try the launch on a small scale.',
      ],
    });
  });

  it('fails with the path when a schema cannot be satisfied', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 2, maximum: 1 } },
      required: ['n'],
    };
    expect(
      await simulation.complete(
        callOf(said(BIKE, { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } })),
      ),
    ).toMatchObject({
      kind: 'failed',
      failure: { code: 'answer_invalid', message: expect.stringContaining('$.n') },
    });
  });

  it.each<[string, string[]]>([
    [BIKE, ['simulated', 'title', 'summary', 'topics']],
    ['Describe Lisbon as JSON with the keys "city", "population" and "tags"', ['city', 'population', 'tags']],
    ['Answer like {"answer": "…", "sources": [{"url": "…"}]}', ['answer', 'sources']],
  ])('makes an object of the shape that the request shows: %s', async (text, keys) => {
    const value = JSON.parse(await textOf(said(text, { response_format: { type: 'json_object' } })));
    expect(Object.keys(value)).toEqual(keys);
  });
});

describe('tools', () => {
  const question = 'How is the weather in Lisbon, in celsius?';

  it('calls the required tool with arguments from the request', async () => {
    const request = said(question, {
      tools: [clock, weather],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    });
    expect(await callsOf(request)).toEqual([
      { tool: 'get_weather', arguments: { city: 'Lisbon', unit: 'celsius' } },
    ]);
    expect((await complete(request)).choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: null },
    });
    expect(await callsOf(said(question, { tools: [clock, weather], tool_choice: 'required' }))).toEqual([
      { tool: 'get_time', arguments: {} },
    ]);
  });

  it('calls no tool by itself unless the request names it', async () => {
    expect(await callsOf(said(question, { tools: [weather] }))).toEqual([]);
    expect(await callsOf(said('Use get_weather for Lisbon', { tools: [weather] }))).toHaveLength(1);
    expect(
      await callsOf(said('Use get_weather for Lisbon', { tools: [weather], tool_choice: 'none' })),
    ).toEqual([]);
    expect(await callsOf(said('Use get_weather_2 for Lisbon', { tools: [weather] }))).toEqual([]);
  });

  it('reports what a tool returned', async () => {
    const text = await textOf({
      tools: [weather],
      messages: [
        { role: 'user', content: 'Use get_weather for Lisbon' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: '{"temperature":21,"sky":"clear"}' },
      ],
    });
    expect(text).toBe(
      'Simulated answer: no model was asked.\n\nThe tool `get_weather` returned:\n- temperature: 21\n- sky: clear',
    );
  });

  const scripted = createSimulation({
    scripts: {
      guide: [
        {
          when: { says: ['weather'] },
          call: [
            { tool: 'get_weather', arguments: { city: '{topic}', days: '{number}' } },
            { tool: 'get_time' },
          ],
        },
        { when: { returned: ['rain'] }, say: 'Take an umbrella.' },
        { say: 'All is well: {topic}.' },
      ],
    },
  });

  it('follows the role’s script, one call after the other where calls may not be parallel', async () => {
    const request = said('weather for 3 days', { tools: [weather, clock], parallel_tool_calls: false });
    const first = (await complete(request, 'guide', scripted)).choices[0]?.message;
    expect(await callsOf(request, 'guide', scripted)).toEqual([
      { tool: 'get_weather', arguments: { city: 'weather for 3 days', days: 3 } },
    ]);
    const id = first?.tool_calls?.[0]?.id ?? '';
    const second: ChatRequest = {
      ...request,
      messages: [
        ...request.messages,
        { ...first, role: 'assistant' },
        { role: 'tool', tool_call_id: id, content: 'rain' },
      ],
    };
    expect(await callsOf(second, 'guide', scripted)).toEqual([{ tool: 'get_time', arguments: {} }]);
    const called = (await complete(second, 'guide', scripted)).choices[0]?.message;
    expect(called?.tool_calls?.[0]?.id).not.toBe(id);
    const third: ChatRequest = {
      ...request,
      messages: [...second.messages, { ...called, role: 'assistant' }, { role: 'tool', content: '9' }],
    };
    expect(await textOf(third, 'guide', scripted)).toBe('Take an umbrella.');
  });

  it('makes all calls of a step at once, and only of tools that are offered', async () => {
    expect(
      (await callsOf(said('weather', { tools: [weather, clock] }), 'guide', scripted)).map(
        (call) => call.tool,
      ),
    ).toEqual(['get_weather', 'get_time']);
    expect(
      (await callsOf(said('weather', { tools: [clock] }), 'guide', scripted)).map((call) => call.tool),
    ).toEqual(['get_time']);
    expect(await textOf(said('Tell me about bees', { tools: [clock] }), 'guide', scripted)).toBe(
      'All is well: bees.',
    );
  });
});

describe('a stream', () => {
  it('gives the text of the whole answer, the role first and the usage last', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constant(BIKE), fc.string({ unit: 'grapheme' })),
        fc.integer({ min: 1, max: 3 }),
        fc.nat({ max: 200 }),
        async (text, n, limit) => {
          const request = said(text, { n, max_tokens: limit });
          const whole = await complete(request);
          const chunks = await chunksOf(request);
          for (const choice of whole.choices) {
            const own = chunks.flatMap((chunk) =>
              chunk.choices.filter((part) => part.index === choice.index),
            );
            expect(own[0]?.delta.role).toBe('assistant');
            expect(own.map((part) => part.delta.content ?? '').join('')).toBe(choice.message.content);
            expect(
              own.filter((part) => part.finish_reason !== null).map((part) => part.finish_reason),
            ).toEqual([choice.finish_reason]);
            expect(own.at(-1)?.finish_reason).toBe(choice.finish_reason);
          }
          expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage, id: whole.id });
          expect(chunks.filter((chunk) => chunk.usage)).toHaveLength(1);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('gives tool calls in pieces that make the whole', async () => {
    const request = said('Lisbon', { tools: [weather], tool_choice: 'required' });
    const whole = (await complete(request)).choices[0]?.message.tool_calls?.[0];
    const deltas = (await chunksOf(request)).flatMap((chunk) =>
      chunk.choices.flatMap((choice) => choice.delta.tool_calls ?? []),
    );
    expect(deltas[0]).toMatchObject({ index: 0, id: whole?.id, function: { name: 'get_weather' } });
    expect(deltas.map((delta) => delta.function.arguments).join('')).toBe(whole?.function.arguments);
  });

  it('gives several chunks a read, and ends unfinished when cancelled', async () => {
    const streaming = await simulation.stream(callOf(said(BIKE)));
    if (streaming.kind === 'failed') throw new Error(streaming.failure.message);
    expect(await streaming.stream.read(1, 'firstTokenMs')).toMatchObject({
      kind: 'chunks',
      chunks: { length: 8 },
    });
    streaming.stream.cancel();
    expect(await streaming.stream.read(1, 'idleMs')).toEqual({ kind: 'end', finished: false, malformed: 0 });
  });

  it('fails once the caller has gone away', async () => {
    const gone = new AbortController();
    const streaming = await simulation.stream(callOf(said(BIKE), null, gone.signal));
    gone.abort();
    const failure = { kind: 'failed', failure: { code: 'client_closed' } };
    expect(streaming.kind === 'streaming' && (await streaming.stream.read(1, 'idleMs'))).toMatchObject(
      failure,
    );
    expect(await simulation.complete(callOf(said(BIKE), null, gone.signal))).toMatchObject(failure);
  });
});
