const OPEN = '<think>';
const CLOSE = '</think>';

export type SplitText = { reasoning: string; answer: string };

/** Separates a `<think>` block at the start of an answer that comes in pieces. */
export interface ReasoningSplitter {
  push(text: string): SplitText;
  /** What was held back as a possible tag when the stream ended. */
  end(): SplitText;
}

/**
 * Only a block that opens the answer is reasoning: a `<think>` further on is text about the tag. Before it is clear
 * whether the answer opens with one, and while a closing tag may be arriving, the few characters concerned are held back; the rest
 * goes on at once, so the work per piece does not grow with the answer.
 */
export function createReasoningSplitter(): ReasoningSplitter {
  let state: 'start' | 'thinking' | 'after' | 'answer' = 'start';
  let held = '';

  function push(text: string): SplitText {
    let reasoning = '';
    let rest = text;
    if (state === 'start') {
      held += rest;
      const trimmed = held.trimStart();
      if (trimmed.length < OPEN.length && OPEN.startsWith(trimmed)) return { reasoning: '', answer: '' };
      rest = held;
      held = '';
      state = trimmed.startsWith(OPEN) ? 'thinking' : 'answer';
      if (state === 'thinking') rest = trimmed.slice(OPEN.length);
    }
    if (state === 'thinking') {
      rest = held + rest;
      held = '';
      const close = rest.indexOf(CLOSE);
      if (close < 0) {
        held = tailThatMayBe(rest);
        return { reasoning: rest.slice(0, rest.length - held.length), answer: '' };
      }
      reasoning = rest.slice(0, close);
      rest = rest.slice(close + CLOSE.length);
      state = 'after';
    }
    if (state === 'after') {
      rest = rest.trimStart();
      if (rest !== '') state = 'answer';
    }
    return { reasoning, answer: rest };
  }

  function end(): SplitText {
    const text = held;
    held = '';
    return state === 'thinking' ? { reasoning: text, answer: '' } : { reasoning: '', answer: text };
  }

  return { push, end };
}

/** The longest end of `text` that is the beginning of the closing tag. */
function tailThatMayBe(text: string): string {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (CLOSE.startsWith(text.slice(-length))) return text.slice(-length);
  }
  return '';
}

/** The same for a whole answer. */
export function splitReasoning(text: string): SplitText {
  const splitter = createReasoningSplitter();
  const first = splitter.push(text);
  const last = splitter.end();
  return { reasoning: first.reasoning + last.reasoning, answer: first.answer + last.answer };
}
