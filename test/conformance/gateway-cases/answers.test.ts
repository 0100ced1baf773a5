import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../../apps/faulty-upstream/server.ts';
import type { ChatChunk, ChatRequest } from '../../../src/inference/chat.ts';
import { createCollector } from '../../../src/inference/chunks.ts';
import type { ChatCall } from '../../../src/inference/router.ts';
import { ask, type OpenRouter, openRouter, twoTiers } from '../../support/open-router.ts';

let upstream: FaultyUpstream;
let open: OpenRouter;

beforeAll(async () => {
  upstream = await startFaultyUpstream({});
});
afterAll(() => upstream.close());
afterEach(async () => {
  await open.close();
  upstream.reset();
});

function complete(more: Partial<ChatCall> = {}) {
  return open.router.complete({ model: 'auto', request: ask(), ...more });
}

async function streamed(more: Partial<ChatCall> = {}) {
  const result = await open.router.stream({ model: 'auto', request: ask(), ...more });
  const chunks: ChatChunk[] = [];
  for await (const read of result.chunks) chunks.push(...read);
  const collector = createCollector();
  for (const chunk of chunks) collector.push(chunk);
  return { chunks, completion: collector.completion(), receipt: await result.receipt };
}

const titled: ChatRequest['response_format'] = {
  type: 'json_schema',
  json_schema: {
    name: 'page',
    schema: {
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
      additionalProperties: false,
    },
  },
};

const tools: ChatRequest['tools'] = ['get_weather', 'find_parts'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { query: { type: 'string' } } } },
}));

describe('tool calls', () => {
  it.each(['tools-broken', 'tools-index-0', 'tools-two'])(
    'G17 of %s are two, well formed, streamed and whole',
    async (model) => {
      open = openRouter(twoTiers(upstream.baseUrl));
      upstream.script('gpt-x', [model]);
      const request = { ...ask(), tools };
      for (const { completion, receipt } of [await streamed({ request }), await complete({ request })]) {
        const calls = completion.choices[0]?.message.tool_calls ?? [];
        expect(calls.map((call) => call.function.name)).toEqual(['get_weather', 'find_parts']);
        expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
        for (const call of calls) expect(JSON.parse(call.function.arguments)).toBeTypeOf('object');
        expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
        expect(receipt.proof).toMatchObject({
          toolsOffered: ['get_weather', 'find_parts'],
          toolsCalled: ['get_weather', 'find_parts'],
        });
      }
      const deltas = (await streamed({ request })).chunks.flatMap(
        ({ choices }) => choices[0]?.delta.tool_calls ?? [],
      );
      expect(new Set(deltas.map(({ index }) => index))).toEqual(new Set([0, 1]));
      for (const delta of deltas) expect(delta.function.arguments).toBeTypeOf('string');
    },
  );
});

describe('a JSON answer', () => {
  const request: ChatRequest = { ...ask(), response_format: titled };

  it.each(['complete', 'stream'])(
    'G18 that is not valid is asked for once more, then the next candidate is asked (%s)',
    async (way) => {
      open = openRouter(twoTiers(upstream.baseUrl, { routing: 'local_first' }));
      upstream.script('llama3.2:3b', ['think-braces']);
      upstream.script('gpt-x', ['json-ok']);
      const { completion, receipt } =
        way === 'stream' ? await streamed({ request }) : await complete({ request });
      expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toHaveProperty('title');
      expect(
        receipt.attempts.map(({ deployment, errorCode, repairs }) => [deployment, errorCode, repairs]),
      ).toEqual([
        ['ollama', 'answer_invalid', []],
        ['ollama', 'answer_invalid', ['reask']],
        ['cloud', undefined, []],
      ]);
      expect(receipt.fallbackReason).toBe('answer_invalid');
      expect(upstream.requests[1]?.bodyText).toContain('not JSON');
      expect(open.breakers.view('ollama')).toEqual({ state: 'closed', failures: 0 });
    },
  );

  it('G18 is never given out when no candidate gets it right', async () => {
    open = openRouter(twoTiers(upstream.baseUrl, { defaults: { local: ['ollama'] } }));
    upstream.script('llama3.2:3b', ['think-braces']);
    await expect(complete({ request })).rejects.toMatchObject({ code: 'answer_invalid', status: 502 });
    await expect(open.router.stream({ model: 'auto', request })).rejects.toMatchObject({
      code: 'answer_invalid',
    });
    expect(open.receipts[0]?.usage.outputTokens).toBeGreaterThan(0);
  });

  it('G19 is looked for in the answer, not in the reasoning, and given out alone', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['think-fenced']);
    for (const { completion } of [await complete({ request }), await streamed({ request })]) {
      const message = completion.choices[0]?.message;
      expect(JSON.parse(message?.content ?? '')).toEqual({ title: 'right' });
      expect(message?.content).not.toContain('`');
      expect(message?.reasoning_content).toContain('wrong');
    }
  });

  it('is asked of simulation under the same contract', async () => {
    open = openRouter({ mode: 'simulation' });
    for (const { completion } of [await complete({ request }), await streamed({ request })]) {
      expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toEqual({ title: expect.any(String) });
    }
  });
});

describe('a parameter that a target cannot take', () => {
  it('G20 is repaired, the repairs compose, and the next request is right at the first send', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['params-picky']);
    const request: ChatRequest = { ...ask(), temperature: 0.2, max_tokens: 100 };
    const { receipt } = await complete({ request });
    const repairs = ['max_tokens_to_max_completion_tokens', 'drop_temperature'];
    expect(receipt.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'served']);
    expect(receipt.attempts[2]?.repairs).toEqual(repairs);
    expect(receipt.fallbackReason).toBeUndefined();
    expect(upstream.requests[2]?.body).toMatchObject({ max_completion_tokens: 100 });
    const next = await complete({ request });
    expect(next.receipt.attempts).toMatchObject([{ outcome: 'served', repairs }]);
    expect(upstream.requests).toHaveLength(4);
  });

  it('G21 keeps the contract in the prompt when response_format is refused, and the answer is checked', async () => {
    open = openRouter(twoTiers(upstream.baseUrl, { routing: 'local_first' }));
    upstream.script('llama3.2:3b', ['no-response-format']);
    const { receipt, completion } = await complete({
      request: { ...ask(), response_format: { type: 'json_object' } },
    });
    expect(receipt.served?.deployment).toBe('ollama');
    expect(receipt.attempts.at(-1)?.repairs).toEqual(['response_format_to_instruction']);
    expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toEqual({ title: 'right' });
    const sent = upstream.requests.at(-1)?.body;
    expect(sent).not.toHaveProperty('response_format');
    expect(JSON.stringify(sent)).toContain('JSON only');
  });

  it('is repaired whatever the order in which the target complains', async () => {
    const parameters = [
      'temperature',
      'top_p',
      'max_tokens',
      'parallel_tool_calls',
      'reasoning_effort',
      'json_schema',
      'developer',
    ];
    const request: ChatRequest = {
      messages: [
        { role: 'developer', content: 'Answer with a title.' },
        { role: 'user', content: 'Hello' },
      ],
      temperature: 0.2,
      top_p: 0.9,
      max_tokens: 100,
      parallel_tool_calls: false,
      reasoning_effort: 'low',
      response_format: titled,
    };
    open = openRouter(twoTiers(upstream.baseUrl));
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(parameters, { minLength: 1 }), async (order) => {
        await open.close();
        open = openRouter(
          twoTiers(upstream.baseUrl, { limits: { retriesPerTarget: 0 }, defaults: { live: ['cloud'] } }),
        );
        upstream.reset();
        upstream.script('gpt-x', [`picky/${order.join(',')}`]);
        // The picky upstream answers plain text, which is no JSON; what counts is that it was asked without a complaint left.
        await complete({ request }).catch(() => {});
        const rejected = open.receipts[0]?.attempts.filter(
          ({ errorCode }) => errorCode === 'upstream_unsupported_parameter',
        );
        expect(rejected).toHaveLength(order.length);
        expect(upstream.requests[order.length]?.status).toBe(200);
        round += 1;
      }),
      { numRuns: 40 },
    );
    expect(round).toBe(40);
  });
});

describe('embeddings', () => {
  const request = { input: ['one', 'two'] };

  it('pass through the same plan', async () => {
    open = openRouter(twoTiers(upstream.baseUrl));
    upstream.script('gpt-x', ['status-503']);
    upstream.script('llama3.2:3b', ['ok']);
    const { response, receipt } = await open.router.embed({ model: 'auto', request });
    expect(response.data).toHaveLength(2);
    expect(receipt).toMatchObject({
      kind: 'embeddings',
      served: { deployment: 'ollama' },
      fallbackReason: 'upstream_unavailable',
    });
    expect(upstream.requests.at(-1)).toMatchObject({ path: '/v1/embeddings', model: 'llama3.2:3b' });
  });

  it('are never simulated', async () => {
    open = openRouter({ mode: 'simulation', floor: 'always' });
    await expect(open.router.embed({ model: 'auto', request })).rejects.toMatchObject({
      code: 'embedder_unavailable',
      status: 503,
    });
    await expect(open.router.embed({ model: 'simulation', request })).rejects.toMatchObject({
      code: 'embedder_unavailable',
    });
  });
});
