import type { ChatMessage, ChatRequest, ToolCall } from '../chat.ts';
import { clip, cut, englishShare, extractPhrases, type Phrase } from './phrases.ts';

export type Intent =
  | 'empty'
  | 'greeting'
  | 'foreign'
  | 'summary'
  | 'translation'
  | 'comparison'
  | 'code'
  | 'list'
  | 'plan'
  | 'explanation'
  | 'draft'
  | 'question'
  | 'other';

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
  return whole.length <= HEAD + TAIL ? whole : `${cut(whole, HEAD)}\n${whole.slice(-TAIL)}`;
}

function countImages(message: ChatMessage): number {
  if (!Array.isArray(message.content)) return 0;
  return message.content.filter((part) => part?.type === 'image_url' || part?.type === 'input_image').length;
}

const ASKS =
  /^(?:please\s+)?(?:summari[sz]e|condense|shorten|recap|translate|compare|contrast|list|name|enumerate|suggest|brainstorm|recommend|give|plan|organi[sz]e|schedule|prepare|design|outline|develop|explain|describe|define|tell|write|draft|compose|create|generate|make|implement|fix|debug|refactor|build)\b/i;

/** The first sentence that is a question or begins with a verb of asking, else the first. */
function askingSentence(text: string): string {
  const sentences = text.split(/(?<=[.!?。！？])\s+|\n+/u, 40).filter((sentence) => sentence.trim() !== '');
  const found = sentences.find(
    (sentence) => ASKS.test(withoutPoliteness(sentence)) || /[?？]$/u.test(sentence.trim()),
  );
  return (found ?? sentences[0] ?? '').trim();
}

function rest(text: string, sentence: string): string {
  return text.replace(sentence, '');
}

const POLITENESS =
  /^(?:(?:hi|hello|hey)\b(?: there)?[,!]?|please|kindly|(?:can|could|would|will) you(?: please)?|i(?: want| need|'d like| would like)(?: you)? to|help me(?: to)?|let's|we need to)[\s,]+/i;

function withoutPoliteness(sentence: string): string {
  let text = sentence.trim();
  for (let i = 0; i < 4 && POLITENESS.test(text); i++) text = text.replace(POLITENESS, '');
  return text;
}

const LEADING_VERB =
  /^(?:summari[sz]e|condense|shorten|recap|translate|compare|contrast|list|name|enumerate|suggest|brainstorm|recommend|give|plan|organi[sz]e|schedule|prepare|design|outline|develop|explain|describe|define|tell|write|draft|compose|create|generate|make|implement|fix|debug|refactor|build)\s+(?:(?:me|us)\s+)?(?:about\s+)?/i;

function toSubject(sentence: string): string {
  const bare = withoutPoliteness(sentence).replace(LEADING_VERB, '');
  return clip(bare.replace(/[\s.?!:;,。！？]+$/u, '').replace(/\s+/g, ' '), 120);
}

const QUESTION =
  /^(?:why|how|what|which|who|whom|whose|where|when|is|are|was|were|do|does|did|can|could|should|will|would|has|have|may)\b/i;
const CODE =
  /\b(?:function|code|script|class|regex|regular expression|sql|query|program|python|javascript|typescript|rust|bash|unit tests?)\b/i;

const INTENTS: readonly (readonly [Intent, RegExp])[] = [
  ['summary', /^(?:summari[sz]e|condense|shorten|recap)\b|\btl;?dr\b|\b(?:a|the) summary of\b/i],
  ['translation', /^translate\b/i],
  ['comparison', /^(?:compare|contrast)\b|\bversus\b|\bvs\.?\s|\bdifferences? between\b/i],
  [
    'list',
    /^(?:list|name|enumerate|suggest|brainstorm|recommend)\b|^(?:give|what are)\b.*\b(?:ideas|options|examples|tips|reasons|ways|names|suggestions)\b/i,
  ],
  [
    'plan',
    /^(?:plan|organi[sz]e|schedule|prepare|design|outline|develop)\b|\b(?:plan|roadmap|strategy|agenda)\b(?= for| to)/i,
  ],
  ['explanation', /^(?:explain|describe|define|tell)\b/i],
  [
    'draft',
    /^(?:write|draft|compose)\b|^(?:create|make|generate)\b.*\b(?:email|letter|post|story|poem|speech)\b/i,
  ],
];

function toIntent(text: string, sentence: string): Intent {
  if (text === '') return 'empty';
  if (/^(?:hi|hello|hey|good (?:morning|evening|day)|thanks?|thank you)\b[^.?]{0,20}[.!]?$/i.test(text))
    return 'greeting';
  const bare = withoutPoliteness(sentence);
  if (
    text.includes('```') ||
    (CODE.test(sentence) &&
      /^(?:write|implement|code|fix|debug|refactor|create|build|make|generate|add)\b/i.test(bare))
  ) {
    return 'code';
  }
  const found = INTENTS.find(([, pattern]) => pattern.test(bare));
  if (found) return found[0];
  if (isForeign(text)) return 'foreign';
  return QUESTION.test(bare) || sentence.endsWith('?') ? 'question' : 'other';
}

/** Not in English, as far as its letters and function words show. Too little text to tell counts as English. */
function isForeign(text: string): boolean {
  const sample = text.slice(0, 600);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters > 0 && latin < letters / 2) return true;
  return sample.split(/\s+/, 5).length >= 4 && englishShare(sample) < 0.15;
}

const COUNT_WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const COUNTED = new RegExp(
  `\\b(\\d{1,2}|${COUNT_WORDS.slice(2).join('|')})\\s+(?:[\\p{L}-]+\\s+){0,2}?(?:ideas|options|examples|tips|reasons|ways|names|suggestions|items|steps|points|things|questions|bullets?|sentences|words|titles|slogans)\\b`,
  'iu',
);

function askedCount(text: string): number | null {
  const said = COUNTED.exec(text)?.[1]?.toLowerCase();
  if (said === undefined) return null;
  const word = COUNT_WORDS.indexOf(said);
  return word >= 0 ? word : Number(said);
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
