import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

let upstream: FaultyUpstream;
let gateway: OpenGateway;
let client: OpenAI;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
  const live = (id: string, model: string) =>
    ({ id, tier: 'live', baseUrl: upstream.baseUrl, auth: { type: 'none' }, model }) as const;
  gateway = await openGateway({
    mode: 'live',
    routing: 'cloud_first',
    deployments: [
      live('cloud', 'ok'),
      live('tools', 'tools-two'),
      live('json', 'json-ok'),
      live('busy', 'status-429'),
      live('cut', 'cut-after-5'),
      { ...live('ollama', 'tools-broken'), tier: 'local' },
    ],
    defaults: { live: ['cloud'], local: ['ollama'] },
    roles: { narrator: { simulator: true, live: [], local: [] } },
  });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const messages = [{ role: 'user' as const, content: 'Plan a launch' }];
const tool = (name: string) => ({
  type: 'function' as const,
  function: { name, parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } },
});

async function readStream(model: string, more: object = {}) {
  const stream = await client.chat.completions.create({ model, messages, stream: true, ...more });
  let text = '';
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    text += chunk.choices[0]?.delta.content ?? '';
  }
  return { text, chunks };
}

describe('the official openai client', () => {
  it.each([
    ['live', 'auto'],
    ['simulation', 'simulation'],
  ])('reads whole answers of the %s tier', async (tier, model) => {
    const { data, response } = await client.chat.completions.create({ model, messages }).withResponse();
    expect(data.choices[0]?.message.content).toEqual(expect.stringMatching(/\w+/));
    expect(data.usage?.total_tokens).toBeGreaterThan(0);
    expect(response.headers.get('x-tiercel-tier')).toBe(tier);
    expect(response.headers.get('x-tiercel-model')).toBe(data.model);
    expect(response.headers.get('x-tiercel-fallback')).toBe('none');
  });

  it.each(['auto', 'simulation'])('reads the stream of %s as the same text', async (model) => {
    const whole = await client.chat.completions.create({ model, messages });
    const { text } = await readStream(model);
    expect(text).toBe(whole.choices[0]?.message.content);
  });

  it('gets usage in the last chunk when it asks for it, and only then', async () => {
    const asked = await readStream('auto', { stream_options: { include_usage: true } });
    expect(asked.chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    const plain = await readStream('auto');
    expect(plain.chunks.every(({ usage }) => !usage)).toBe(true);
  });

  it.each([
    ['live', 'tools'],
    ['local', 'ollama'],
  ])('gets two parallel tool calls of the %s tier, whole and streamed', async (_tier, model) => {
    const tools = [tool('recall'), tool('search')];
    const whole = await client.chat.completions.create({ model, messages, tools });
    const calls = whole.choices[0]?.message.tool_calls ?? [];
    expect(whole.choices[0]?.finish_reason).toBe('tool_calls');
    expect(calls.map((call) => call.type === 'function' && call.function.name)).toEqual(['recall', 'search']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);

    const { chunks } = await readStream(model, { tools });
    const deltas = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    for (const index of [0, 1]) {
      const text = deltas
        .filter((delta) => delta.index === index)
        .map((delta) => delta.function?.arguments ?? '');
      expect(JSON.parse(text.join(''))).toEqual(expect.any(Object));
    }
  });

  it.each(['json', 'simulation'])('gets an answer of the schema it gave from %s', async (model) => {
    const { choices } = await client.chat.completions.create({
      model,
      messages,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'plan',
          strict: true,
          schema: {
            type: 'object',
            properties: { title: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
            required: ['title', 'days'],
            additionalProperties: false,
          },
        },
      },
    });
    const answer = JSON.parse(choices[0]?.message.content ?? '');
    expect(answer).toEqual({ title: expect.any(String), days: expect.any(Number) });
  });

  it('gets embeddings, which its default encoding packs', async () => {
    const { data } = await client.embeddings.create({ model: 'cloud', input: ['one', 'two'] });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([8, 8]);
  });

  it('is told that simulation has no embeddings', async () => {
    await expect(client.embeddings.create({ model: 'simulation', input: 'x' })).rejects.toMatchObject({
      status: 503,
      code: 'embedder_unavailable',
    });
  });

  it('lists models and looks one up', async () => {
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toEqual([
      'auto',
      'role:narrator',
      'cloud',
      'tools',
      'json',
      'busy',
      'cut',
      'ollama',
      'simulation',
    ]);
    expect(await client.models.retrieve('role:narrator')).toMatchObject({
      id: 'role:narrator',
      object: 'model',
      tiercel: { kind: 'role', tier: 'live', label: 'hybrid' },
    });
  });

  it('sees its own errors as its own classes', async () => {
    await expect(client.chat.completions.create({ model: 'nothing', messages })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
    await expect(client.chat.completions.create({ model: 'busy', messages })).rejects.toBeInstanceOf(
      OpenAI.RateLimitError,
    );
  });

  it('throws when a stream is cut, and never takes it for a whole one', async () => {
    await expect(readStream('cut')).rejects.toThrow(/ended|cut|closed|reset/i);
  });
});
