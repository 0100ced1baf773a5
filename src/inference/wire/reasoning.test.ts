import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReasoningSplitter, splitReasoning } from './reasoning.ts';

describe('splitReasoning', () => {
  it.each([
    ['<think>hm</think>Yes.', 'hm', 'Yes.'],
    ['\n <think>hm</think>\n\nYes.', 'hm', 'Yes.'],
    ['<think></think>Yes.', '', 'Yes.'],
    ['<think>never closed', 'never closed', ''],
    ['Write <think> to think.', '', 'Write <think> to think.'],
    ['<thin', '', '<thin'],
    ['a < b', '', 'a < b'],
    ['<think>a</thin</think>b</think>', 'a</thin', 'b</think>'],
    ['', '', ''],
  ])('splits %j', (text, reasoning, answer) => {
    expect(splitReasoning(text)).toEqual({ reasoning, answer });
  });

  it('gives the same however the text is cut', () => {
    const piece = fc.constantFrom('<think>', '</think>', '<thi', 'nk>', '</', ' ', 'a', '🚲', '{"a":1}', '<');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (pieces, cuts) => {
          const text = pieces.join('');
          const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
          const splitter = createReasoningSplitter();
          const parts = [...at, text.length].map((end, i) => splitter.push(text.slice(at[i - 1] ?? 0, end)));
          parts.push(splitter.end());
          expect({
            reasoning: parts.map((part) => part.reasoning).join(''),
            answer: parts.map((part) => part.answer).join(''),
          }).toEqual(splitReasoning(text));
        },
      ),
    );
  });
});
