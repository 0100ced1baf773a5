import { describe, expect, it } from 'vitest';
import type { ReceiptWithContents, Span } from '../../api/types.ts';
import { exchangeOf } from './tool-exchange.ts';

const CALL = {
  id: 'call_1',
  type: 'function',
  function: { name: 'recall', arguments: '{"query":"spokes"}' },
};
const TOOL = {
  type: 'function',
  function: { name: 'recall', description: 'What is known.', parameters: {} },
};

function receipt(request: object, message: object, toolsOffered: string[] = []): ReceiptWithContents {
  const contents = { request: JSON.stringify(request), answer: JSON.stringify([{ message }]) };
  const proof = { toolsOffered, toolsCalled: [] };
  return { contents, proof } as unknown as ReceiptWithContents;
}

const asks = receipt({ messages: [], tools: [TOOL] }, { tool_calls: [CALL] }, ['recall']);
const brings = receipt(
  {
    messages: [
      { role: 'assistant', tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_1', content: '{"hits":3}' },
    ],
  },
  { content: 'Three.' },
);

describe('exchangeOf', () => {
  it('gives the tools offered and called, with their arguments', () => {
    const { offered, called } = exchangeOf(asks, { receipts: [asks], spans: [] });
    expect(offered).toEqual([{ name: 'recall', description: 'What is known.', parameters: {} }]);
    expect(called).toEqual([
      { id: 'call_1', name: 'recall', arguments: '{"query":"spokes"}', result: { given: false } },
    ]);
  });

  it('finds the result in the later call of the run that brings it', () => {
    expect(exchangeOf(asks, { receipts: [asks, brings], spans: [] }).called[0]?.result).toEqual({
      given: true,
      value: '{"hits":3}',
    });
    expect(exchangeOf(brings, { receipts: [asks, brings], spans: [] }).brought).toMatchObject([
      { name: 'recall', result: { given: true } },
    ]);
  });

  it('takes the result of a tool that was run here from its span', () => {
    const span = { kind: 'tool', detail: { callId: 'call_1', result: { hits: 3 } } } as unknown as Span;
    const { called } = exchangeOf(asks, { receipts: [asks], spans: [span] });
    expect(called[0]?.result).toEqual({ given: true, value: { hits: 3 } });
  });

  it('keeps the names where the contents were not kept', () => {
    const bare = {
      contents: { request: 'sha256:00', answer: 'sha256:11' },
      proof: { toolsOffered: ['recall'], toolsCalled: ['recall'] },
    } as unknown as ReceiptWithContents;
    const { offered, called, kept } = exchangeOf(bare, { receipts: [bare], spans: [] });
    expect(kept).toBe('digest');
    expect([...offered, ...called].map(({ name }) => name)).toEqual(['recall', 'recall']);
  });
});
