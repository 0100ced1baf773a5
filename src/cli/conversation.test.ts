import { describe, expect, it } from 'vitest';
import { TiercelError } from '../errors.ts';
import type { ChatChunk, ChatMessage } from '../inference/chat.ts';
import { Conversation } from './conversation.ts';

type Backend = ConstructorParameters<typeof Conversation>[0];

const HEARD = { text() {}, reasoning() {} };
const signal = new AbortController().signal;

function chunk(content: string): ChatChunk {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }];
  return { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices };
}

/** Answers each call with the next script; an error ends its stream. */
function scripted(scripts: (string | TiercelError)[][]): { backend: Backend; asked: ChatMessage[][] } {
  const asked: ChatMessage[][] = [];
  async function* play(parts: (string | TiercelError)[]) {
    for (const part of parts) {
      if (part instanceof TiercelError) throw part;
      yield chunk(part);
    }
  }
  const backend: Backend = {
    async chat({ messages }) {
      asked.push([...messages]);
      return { receiptId: `r${asked.length}`, chunks: play(scripts[asked.length - 1] ?? []) };
    },
    receipts: { get: async (id) => ({ id }) as never, list: async () => [] },
  };
  return { backend, asked };
}

describe('Conversation', () => {
  it('sends the system text and all turns before', async () => {
    const { backend, asked } = scripted([['Hel', 'lo'], ['Bye']]);
    const conversation = new Conversation(backend, 'auto', 'be brief');
    const first = await conversation.ask('hi', signal, HEARD);
    await conversation.ask('so long', signal, HEARD);
    expect(first).toMatchObject({ text: 'Hello', error: null, receipt: { id: 'r1' } });
    expect(asked[1]).toEqual([
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'so long' },
    ]);
  });

  it('gives what came of an answer that was cut, with its receipt, and forgets the turn', async () => {
    const cut = new TiercelError('upstream_truncated', 'cut');
    const { backend, asked } = scripted([['half', cut], ['whole']]);
    const conversation = new Conversation(backend, 'auto');
    expect(await conversation.ask('one', signal, HEARD)).toMatchObject({
      text: 'half',
      error: cut,
      receipt: { id: 'r1' },
    });
    await conversation.ask('two', signal, HEARD);
    expect(asked[1]).toEqual([{ role: 'user', content: 'two' }]);
  });

  it('keeps the system text when it is cleared', async () => {
    const { backend, asked } = scripted([['a'], ['b']]);
    const conversation = new Conversation(backend, 'auto', 'be brief');
    await conversation.ask('one', signal, HEARD);
    conversation.clear();
    await conversation.ask('two', signal, HEARD);
    expect(asked[1]?.map(({ content }) => content)).toEqual(['be brief', 'two']);
  });
});
