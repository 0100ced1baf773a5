import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TiercelError } from '../errors.ts';
import type { ChatTurn } from './backend/backend.ts';
import { converse } from './chat-terminal.ts';
import { Conversation } from './conversation.ts';

const CTRL_C = '\u0003';

let asked: ChatTurn[];
let said: string;

beforeEach(() => {
  asked = [];
  said = '';
  const hear = (text: string | Uint8Array) => {
    said += String(text);
    return true;
  };
  vi.spyOn(process.stderr, 'write').mockImplementation(hear);
  vi.spyOn(process.stdout, 'write').mockImplementation(hear);
});
afterEach(() => vi.restoreAllMocks());

/** Answers `ok` to everything but `wait`, which lasts until it is cancelled. */
function start() {
  const conversation = new Conversation(
    {
      async chat(turn) {
        asked.push(turn);
        if (turn.messages.at(-1)?.content === 'wait') {
          await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
          throw new TiercelError('client_closed', 'The call was cancelled.');
        }
        const choices = [{ index: 0, delta: { content: 'ok' }, finish_reason: null }];
        const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices } as const;
        return {
          receiptId: '',
          chunks: (async function* () {
            yield { ...chunk, choices: [...choices] };
          })(),
        };
      },
      receipts: { get: async () => null, list: async () => [] },
    },
    'auto',
  );
  const backend = {
    async plan(model: string) {
      if (model === 'nobody') throw new TiercelError('model_not_found', 'There is no model "nobody".');
      return { label: 'local', candidates: [], excluded: [] } as const as never;
    },
  };
  const input = new PassThrough();
  const left = converse(conversation, backend, { json: false, input, output: new PassThrough() });
  return {
    left,
    async type(text: string) {
      input.write(text);
      await sleep(20);
    },
  };
}

describe('converse', () => {
  it('asks each line, talks to another model from /model on, and leaves at /exit', async () => {
    const { type, left } = start();
    await type('one\r');
    await type('/model role:narrator\r');
    await type('/model nobody\r');
    await type('two\r');
    await type('/exit\r');
    await left;
    expect(asked.map(({ model }) => model)).toEqual(['auto', 'role:narrator']);
    expect(asked[1]?.messages).toHaveLength(3);
    expect(said).toContain('There is no model "nobody".');
  });

  it('forgets at /clear', async () => {
    const { type, left } = start();
    await type('one\r');
    await type('/clear\r');
    await type('two\r');
    await type('/exit\r');
    await left;
    expect(asked[1]?.messages.map(({ content }) => content)).toEqual(['two']);
  });

  it('cancels an answer at Ctrl-C and stays', async () => {
    const { type, left } = start();
    await type('wait\r');
    await type(CTRL_C);
    await type('two\r');
    await type('/exit\r');
    await left;
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect(said).toContain('cancelled');
  });

  it('leaves at the second Ctrl-C in a row, not at one with a line between', async () => {
    const { type, left } = start();
    await type(CTRL_C);
    await type('one\r');
    await type(CTRL_C);
    await type('two\r');
    expect(asked).toHaveLength(2);
    await type(CTRL_C);
    await type(CTRL_C);
    await left;
  });

  it('names the commands that there are when one is not', async () => {
    const { type, left } = start();
    await type('/modle x\r');
    await type('/exit\r');
    await left;
    expect(said).toContain('There is no command /modle.');
    expect(said).toContain('/model <name>');
  });
});
