/** A run of content words of the request, to be named in an answer. */
export type Phrase = {
  text: string;
  /** Whether the request itself sets an article before it, so that "the …" reads well. */
  article: 'the' | 'your' | null;
};

const STOP_WORDS = new Set(
  (
    'a about above after again all also am an and any are as at be because been before being below between both but by ' +
    'can could did do does doing down during each either every few for from further get give had has have having he her ' +
    'here hers him his how i if in into is it its just let like made make makes me more most much my need needs no nor ' +
    'not now of off on once one only or other our out over own per please same shall she should so some such tell than ' +
    'that the their them then there these they this those through to too under until up us use used using very want ' +
    'was we were what when where which while who whom why will with within without would you your yes exactly two ' +
    "three four five six seven eight nine ten write using i'm it's don't what's following"
  ).split(' '),
);

const ARTICLES = new Map<string, Phrase['article']>([
  ['a', 'the'],
  ['an', 'the'],
  ['the', 'the'],
  ['this', 'the'],
  ['my', 'your'],
  ['our', 'your'],
]);

const TOKEN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’_.-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*|[^\s]/gu;
const WORD = /^[\p{L}\p{N}]/u;
const BARE_NUMBER = /^\d[\d.,]*$/;
const LONGEST_RUN = 4;
const LONGEST_WORD = 40;

/**
 * The phrases of a text in order of appearance: runs of words between stop words and punctuation (the candidate
 * step of RAKE, Rose et al. 2010). When there are more than `limit`, the most frequent and longest stay.
 */
export function extractPhrases(text: string, limit: number): Phrase[] {
  const found = new Map<string, { phrase: Phrase; count: number; at: number }>();
  let run: string[] = [];
  let article: Phrase['article'] = null;
  const close = () => {
    if (run.length > 0) {
      const phrase = { text: run.slice(0, LONGEST_RUN).join(' '), article };
      const key = phrase.text.toLowerCase();
      const known = found.get(key);
      if (known) known.count++;
      else found.set(key, { phrase, count: 1, at: found.size });
    }
    run = [];
    article = null;
  };
  for (const [token] of text.matchAll(TOKEN)) {
    const lower = token.toLowerCase();
    if (!WORD.test(token)) close();
    else if (STOP_WORDS.has(lower)) {
      close();
      article = ARTICLES.get(lower) ?? null;
    } else if (!BARE_NUMBER.test(token)) run.push(cut(token, LONGEST_WORD));
  }
  close();
  return [...found.values()]
    .sort((a, b) => weight(b) - weight(a) || a.at - b.at)
    .slice(0, limit)
    .sort((a, b) => a.at - b.at)
    .map((entry) => entry.phrase);
}

function weight(entry: { phrase: Phrase; count: number }): number {
  return entry.count * 4 + entry.phrase.text.split(' ').length + (entry.phrase.article ? 2 : 0);
}

/** The phrase as part of an English sentence: with its article, or quoted where it is not surely a noun. */
export function named(phrase: Phrase): string {
  return phrase.article ? `${phrase.article} ${phrase.text}` : `“${phrase.text}”`;
}

/** The first `length` UTF-16 code units, one fewer where that would split a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** Shortens a text at a word's end and marks the cut. `length` counts the mark. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = cut(text, length - 1);
  const space = head.lastIndexOf(' ');
  return `${(space > length / 2 ? head.slice(0, space) : head).replace(/[\s,;:–-]+$/u, '')}…`;
}

export function capitalized(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  return text === '' ? text : first.toUpperCase() + text.slice(first.length);
}

/** How many of a text's words are English function words, from 0 to 1. */
export function englishShare(text: string): number {
  let words = 0;
  let english = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (!WORD.test(token)) continue;
    words++;
    if (STOP_WORDS.has(token.toLowerCase())) english++;
  }
  return words === 0 ? 1 : english / words;
}
