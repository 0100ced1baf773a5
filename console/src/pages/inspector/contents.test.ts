import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { ReceiptWithContents } from '../../api/types.ts';
import { answerOf, requestOf, toCurl } from './contents.ts';

function receipt(contents: ReceiptWithContents['contents'], streamed = false): ReceiptWithContents {
  return { kind: 'chat', requested: 'auto', streamed, contents } as ReceiptWithContents;
}

describe('answerOf', () => {
  it('reads text, reasoning and tool calls of the kept choices', () => {
    const message = {
      content: 'Yes.',
      reasoning_content: 'Because.',
      tool_calls: [{ id: 'c1', function: { name: 'recall', arguments: '{"q":1}' } }],
    };
    expect(answerOf(receipt({ answer: JSON.stringify([{ index: 0, message }]) }))).toEqual({
      kind: 'full',
      value: {
        text: 'Yes.',
        refusal: null,
        reasoning: 'Because.',
        reasoningSummary: null,
        toolCalls: [{ id: 'c1', name: 'recall', arguments: '{"q":1}' }],
      },
    });
  });

  it('tells a digest from nothing', () => {
    expect(answerOf(receipt({ answer: 'sha256:ab' }))).toEqual({ kind: 'digest', digest: 'sha256:ab' });
    expect(answerOf(receipt({}))).toEqual({ kind: 'none' });
    expect(requestOf(receipt({ request: '{"cut' }))).toEqual({ kind: 'none' });
  });
});

describe('toCurl', () => {
  it('gives a command that sends the same bytes, whatever quotes they hold', () => {
    const request = { messages: [{ role: 'user', content: `it's "$HOME" \`x\` \\ 50%\n` }] };
    const command =
      toCurl(receipt({ request: JSON.stringify(request) }, true), 'http://127.0.0.1:4040') ?? '';
    const shell = `curl() { for last; do :; done; printf %s "$last"; }; ${command}`;
    const sent = execFileSync('sh', ['-c', shell], { encoding: 'utf8' });
    expect(JSON.parse(sent)).toEqual({ model: 'auto', ...request, stream: true });
  });

  it('has nothing to give when the request was not kept', () => {
    expect(toCurl(receipt({ request: 'sha256:ab' }), 'http://x')).toBeNull();
  });
});
