import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RECORDED_STREAMS, readRecordedStream } from '../../../test/support/streams/recorded-streams.ts';
import type { BodyRead, BodyReader } from '../../egress/model.ts';
import { createCollector } from '../chunks.ts';
import type { StreamRead } from '../model.ts';
import { createChunkStream } from './chunk-stream.ts';

/** A body whose reads are given; after them it ends, or fails as told. */
function bodyOf(pieces: Uint8Array[], last: BodyRead = { kind: 'end' }): BodyReader & { cancelled: boolean } {
  const left = [...pieces];
  return {
    cancelled: false,
    async read() {
      const bytes = left.shift();
      return bytes ? { kind: 'data', bytes: Buffer.from(bytes) } : last;
    },
    async text() {
      throw new Error('A stream is not read as text.');
    },
    cancel() {
      this.cancelled = true;
    },
  };
}

async function readAll(pieces: Uint8Array[], last?: BodyRead) {
  const body = bodyOf(pieces, last);
  const stream = createChunkStream(body, 'target', 'model');
  const collector = createCollector();
  let malformed = 0;
  let end: StreamRead;
  for (;;) {
    end = await stream.read(1000, 'idleMs');
    if (end.kind !== 'failed') malformed += end.malformed;
    if (end.kind !== 'chunks') break;
    for (const chunk of end.chunks) collector.push(chunk);
  }
  const { choices, usage } = collector.completion();
  return { choices, usage, malformed, end, cancelled: body.cancelled };
}

function cut(bytes: Buffer, cuts: number[]): Buffer[] {
  const at = [...new Set(cuts.map((one) => one % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...at, bytes.length].map((end, i) => bytes.subarray(at[i - 1] ?? 0, end));
}

const event = (value: object) => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
const text = (content: string, finish: string | null = null) =>
  event({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  });
const DONE = Buffer.from('data: [DONE]\n\n');

describe.each(RECORDED_STREAMS)('the recorded stream $name', ({ name, expected }) => {
  const bytes = readRecordedStream({ name, expected, about: '' });

  it('is read as what it says', async () => {
    const { choices, usage, end } = await readAll([bytes]);
    const message = choices[0]?.message;
    expect(message?.content ?? '').toBe(expected.text);
    expect(message?.reasoning_content).toBe(expected.reasoning);
    expect(message?.refusal ?? undefined).toBe(expected.refusal);
    expect(choices[0]?.finish_reason).toBe(expected.finishReason);
    const calls = message?.tool_calls?.map(({ function: { name: called, arguments: args } }) => ({
      name: called,
      arguments: args,
    }));
    expect(calls).toEqual(
      expected.toolCalls?.map(({ name: called, arguments: args }) => ({ name: called, arguments: args })),
    );
    if (expected.usage) {
      expect(usage).toMatchObject({
        prompt_tokens: expected.usage.inputTokens,
        completion_tokens: expected.usage.outputTokens,
      });
    }
    expect(end).toMatchObject({ kind: 'end', finished: true });
  });

  it('gives the same answer for any split of its bytes', async () => {
    const { choices: whole, usage } = await readAll([bytes]);
    const withoutMadeIds = (choices: typeof whole) =>
      JSON.stringify(choices).replaceAll(/call_[0-9a-f]{32}/g, 'call_made');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 60 }), async (cuts) => {
        const split = await readAll(cut(bytes, cuts));
        expect(withoutMadeIds(split.choices)).toBe(withoutMadeIds(whole));
        expect(split.usage).toEqual(usage);
      }),
      { numRuns: 40 },
    );
    const byByte = await readAll([...bytes].map((byte) => Buffer.of(byte)));
    expect(withoutMadeIds(byByte.choices)).toBe(withoutMadeIds(whole));
  });
});

describe('createChunkStream', () => {
  it('gives out what arrived before a cut, then the failure, again and again', async () => {
    const stream = createChunkStream(
      bodyOf([text('a')], { kind: 'failed', reason: 'reset', message: '' }),
      'target',
      'm',
    );
    expect((await stream.read(1, 'idleMs')).kind).toBe('chunks');
    const failed = { kind: 'failed', failure: { code: 'upstream_truncated' } };
    expect(await stream.read(1, 'idleMs')).toMatchObject(failed);
    expect(await stream.read(1, 'idleMs')).toMatchObject(failed);
  });

  it('takes an end without finish reason and without [DONE] for a cut', async () => {
    expect((await readAll([text('a')])).end).toMatchObject({ kind: 'end', finished: false });
  });

  it('takes a finish reason for the end, with no [DONE] and whatever comes of the connection', async () => {
    expect((await readAll([text('a', 'stop')])).end).toMatchObject({ finished: true });
    const silent: BodyRead = { kind: 'failed', reason: 'idle_timeout', message: '' };
    expect((await readAll([text('a', 'stop')], silent)).end).toMatchObject({ kind: 'end', finished: true });
  });

  it('adds the finish reason that a server left out before its [DONE]', async () => {
    const { choices, end } = await readAll([text('a'), DONE]);
    expect(choices[0]?.finish_reason).toBe('stop');
    expect(end).toMatchObject({ finished: true });
  });

  it('frees the connection once the answer is whole', async () => {
    expect((await readAll([text('a', 'stop'), DONE])).cancelled).toBe(true);
  });

  it('skips and counts what does not parse', async () => {
    const { choices, malformed } = await readAll([
      text('a'),
      Buffer.from('data: {"half\n\ndata: 7\n\n'),
      text('b', 'stop'),
      DONE,
    ]);
    expect(choices[0]?.message.content).toBe('ab');
    expect(malformed).toBe(2);
  });

  it('fails on an error in the stream, in the words of our table', async () => {
    const error = event({ error: { message: 'x', code: 'insufficient_quota' } });
    expect((await readAll([text('a'), error])).end).toMatchObject({
      kind: 'failed',
      failure: { code: 'upstream_rate_limited', httpStatus: 200 },
    });
  });

  it('gives every chunk one id when the server gives none', async () => {
    const stream = createChunkStream(
      bodyOf([
        event({ choices: [{ index: 0, delta: { content: 'a' } }] }),
        event({ choices: [{ index: 0, delta: { content: 'b' } }] }),
      ]),
      't',
      'm',
    );
    const ids: string[] = [];
    for (let i = 0; i < 2; i++) {
      const read = await stream.read(1, 'idleMs');
      if (read.kind === 'chunks') ids.push(...read.chunks.map((chunk) => chunk.id));
    }
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});
