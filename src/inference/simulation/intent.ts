import { clip, englishShare } from './phrases.ts';

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

const ASKS =
  /^(?:please\s+)?(?:summari[sz]e|condense|shorten|recap|translate|compare|contrast|list|name|enumerate|suggest|brainstorm|recommend|give|plan|organi[sz]e|schedule|prepare|design|outline|develop|explain|describe|define|tell|write|draft|compose|create|generate|make|implement|fix|debug|refactor|build)\b/i;

/** The first sentence that is a question or begins with a verb of asking, else the first. */
export function askingSentence(text: string): string {
  const sentences = text.split(/(?<=[.!?。！？])\s+|\n+/u, 40).filter((sentence) => sentence.trim() !== '');
  const found = sentences.find(
    (sentence) => ASKS.test(withoutPoliteness(sentence)) || /[?？]$/u.test(sentence.trim()),
  );
  return (found ?? sentences[0] ?? '').trim();
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

export function toSubject(sentence: string): string {
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
    /^(?:list|name|enumerate|suggest|brainstorm|recommend)\b|^(?:give|what are|create|generate|write|propose|come up with)\b.*\b(?:ideas|options|examples|tips|reasons|ways|names|slogans|titles|suggestions)\b/i,
  ],
  [
    'plan',
    /^(?:plan|organi[sz]e|schedule|prepare|design|outline|develop)\b|\b(?:plan|roadmap|strategy|agenda)\b(?= for| to)/i,
  ],
  ['explanation', /^(?:explain|describe|define)\b|^tell (?:me |us )?(?:about|what|how|why)\b/i],
  [
    'draft',
    /^(?:write|draft|compose)\b|^(?:create|make|generate)\b.*\b(?:email|letter|post|story|poem|speech)\b/i,
  ],
];

export function toIntent(text: string, sentence: string): Intent {
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
const COUNT = `(\\d{1,2}|${COUNT_WORDS.slice(2).join('|')})`;
const COUNTED = new RegExp(
  `\\b${COUNT}\\s+(?:[\\p{L}-]+\\s+){0,2}?(?:ideas|options|examples|tips|reasons|ways|names|suggestions|items|steps|points|things|questions|bullets?|sentences|words|titles|slogans)\\b`,
  'iu',
);
const COUNTED_AFTER_VERB = new RegExp(
  `^(?:list|name|give(?: me)?|suggest|recommend)\\s+(?:exactly\\s+)?(?:the\\s+)?${COUNT}\\s`,
  'i',
);

export function askedCount(text: string): number | null {
  const said = (COUNTED.exec(text) ?? COUNTED_AFTER_VERB.exec(text))?.[1]?.toLowerCase();
  if (said === undefined) return null;
  const word = COUNT_WORDS.indexOf(said);
  return word >= 0 ? word : Number(said);
}
