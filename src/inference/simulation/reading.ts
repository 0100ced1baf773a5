import type { ChatMessage, ChatRequest, ToolCall } from '../chat.ts';
import { askedCount, askingSentence, type Intent, toIntent, toSubject } from './intent.ts';
import { cut, extractPhrases, type Phrase } from './phrases.ts';

export type ToolResult = { tool: string; text: string };

/** What simulation understands of a request: enough to compose from, read in one bounded pass. */
export type Reading = {
  /** The last user message, its middle left out when it is long. */
  text: string;
  intent: Intent;
  /** What is asked, without politeness and verb: `a launch for a bike repair shop`. */
  subject: string;
  phrases: Phrase[];
  /** Numbers in the text, without those of dates. */
  numbers: number[];
  /** ISO dates in the text. */
  dates: string[];
  /** How many items the text asks for, when it says so. */
  count: number | null;
  images: number;
  /** Words with a capital inside a sentence: most are names. */
  names: string[];
  /** The part that a system prompt sets ("You are a …"). */
  persona: string | null;
  /** Results of the tools called since the last user message. */
  results: ToolResult[];
  /** Calls made since the last user message, in order. */
  calls: ToolCall[];
  /** Whether the last message is a tool's result. */
  afterTool: boolean;
};

const HEAD = 6000;
const TAIL = 2000;
const PHRASES = 8;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Reads a request. Only the first 6,000 and last 2,000 characters of a message are looked at. */
export function readRequest(request: ChatRequest): Reading {
  const { messages } = request;
  const userAt = messages.findLastIndex((message) => message.role === 'user');
  const user = messages[userAt];
  const text = user ? boundedText(user) : '';
  const intentText = text.trim();
  const sentence = askingSentence(intentText);
  const subject = toSubject(sentence);
  let phrases = extractPhrases(`${subject}\n${rest(intentText, sentence)}`, PHRASES);
  if (phrases.length === 0) phrases = earlierPhrases(messages, userAt);
  const dates = text.match(/\b\d{4}-\d\d-\d\d\b/g) ?? [];
  const numbers =
    text.replace(/\b\d{4}-\d\d-\d\d\b/g, ' ').match(/(?<![\w.])\d{1,12}(?:\.\d{1,6})?(?![\w]|\.\d)/g) ?? [];
  return {
    text: intentText,
    intent: toIntent(intentText, sentence),
    subject: subject || (phrases[0]?.text ?? ''),
    phrases,
    numbers: numbers.slice(0, 20).map(Number),
    dates: dates.slice(0, 20),
    count: askedCount(intentText),
    names: (text.match(/(?<=[\p{Ll}\d,]\s)\p{Lu}[\p{Ll}\p{M}]+(?:\s\p{Lu}[\p{Ll}\p{M}]+)*/gu) ?? []).slice(
      0,
      20,
    ),
    images: user ? countImages(user) : 0,
    persona: readPersona(messages),
    ...readTurn(messages, userAt),
  };
}

/** The text of a message, its parts joined by line feeds, its middle left out when it is long. */
function boundedText(message: ChatMessage): string {
  const { content } = message;
  const whole =
    typeof content === 'string'
      ? content
      : Array.isArray(content)
        ? content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('\n')
        : '';
  const bounded = whole.length <= HEAD + TAIL ? whole : `${cut(whole, HEAD)}\n${whole.slice(-TAIL)}`;
  return bounded.replace(LONE_SURROGATE, '\ufffd');
}

function countImages(message: ChatMessage): number {
  if (!Array.isArray(message.content)) return 0;
  return message.content.filter((part) => part?.type === 'image_url' || part?.type === 'input_image').length;
}

function rest(text: string, sentence: string): string {
  return text.replace(sentence, '');
}

function earlierPhrases(messages: readonly ChatMessage[], before: number): Phrase[] {
  for (let i = before - 1; i >= 0 && i > before - 12; i--) {
    const message = messages[i];
    if (message?.role !== 'user') continue;
    const phrases = extractPhrases(toSubject(askingSentence(boundedText(message).trim())), PHRASES);
    if (phrases.length > 0) return phrases;
  }
  return [];
}

/** Never repeated when it says that the answer comes from a model, because none was asked. */
const CLAIMS_MODEL = /\b(?:models?|ai|llm|gpt|assistant|chatbot|bot)\b/i;

function readPersona(messages: readonly ChatMessage[]): string | null {
  for (const message of messages) {
    if (message.role !== 'system' && message.role !== 'developer') continue;
    const found =
      /\byou(?:'re| are)\s+((?:an?|the)\s[^.,;:\n]{2,60}?)(?=[.,;:\n]|\s(?:who|that|which|with)\b|$)/i.exec(
        boundedText(message),
      );
    if (found?.[1] && !CLAIMS_MODEL.test(found[1])) return found[1].replace(/\s+/g, ' ');
  }
  return null;
}

function readTurn(
  messages: readonly ChatMessage[],
  userAt: number,
): Pick<Reading, 'results' | 'calls' | 'afterTool'> {
  const results: ToolResult[] = [];
  const calls: ToolCall[] = [];
  for (const message of messages.slice(userAt + 1)) {
    if (message.role === 'assistant') calls.push(...(message.tool_calls ?? []));
    if (message.role !== 'tool' && message.role !== 'function') continue;
    const made = calls.find((call) => call.id === message.tool_call_id);
    results.push({ tool: made?.function.name ?? message.name ?? 'tool', text: boundedText(message) });
  }
  const last = messages.at(-1)?.role;
  return { results, calls, afterTool: last === 'tool' || last === 'function' };
}
