import { capitalized, clip, named, type Phrase } from '../phrases.ts';
import type { Reading } from '../reading.ts';
import type { Generation, Place } from './generation.ts';

/** Texts that suit a property by its name, in the request's own words, best first. Never empty. */
export function suggestTexts(place: Place, generation: Generation): string[] {
  const { reading } = generation;
  const phrase = phraseAt(reading, place.variant);
  const subject = subjectOf(reading);
  const name = place.name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const found = BY_NAME.find(([pattern]) => pattern.test(name));
  const text = found
    ? found[1]({ reading, phrase, subject, variant: place.variant })
    : capitalized(phrase.text);
  return [text, capitalized(phrase.text), phrase.text, slug(phrase.text)];
}

type Wording = (about: { reading: Reading; phrase: Phrase; subject: string; variant: number }) => string;

const sentence: Wording = ({ phrase, subject, variant }) =>
  variant === 0 ? `Simulated text about ${subject}.` : `Simulated text about ${named(phrase)}.`;

const STEPS: readonly Wording[] = [
  ({ subject }) => `Write down what ${subject} should achieve.`,
  ({ phrase }) => `List what ${named(phrase)} needs first.`,
  ({ phrase }) => `Try ${named(phrase)} on a small scale.`,
  ({ phrase }) => `Ask someone who knows ${named(phrase)} what is missing.`,
  ({ subject }) => `Review what was learnt about ${subject} and decide what to keep.`,
];

const BY_NAME: readonly (readonly [RegExp, Wording])[] = [
  [/e-?mail/, ({ phrase }) => `${slug(phrase.text).replaceAll('-', '.')}@example.com`],
  [/\b(ur[li]|link|website|href)s?\b/, ({ phrase }) => `https://example.com/${slug(phrase.text)}`],
  [/\bphone|\btel\b/, ({ variant }) => `+1 555 01${String(variant % 100).padStart(2, '0')}`],
  [/date$|\bday\b/, ({ reading, variant }) => reading.dates[variant] ?? dateAt(variant)],
  [/time$|\bat$/, ({ variant }) => `${String(9 + (variant % 9)).padStart(2, '0')}:00`],
  [/\bids?$|\bslug|\bkey$|\bcode$/, ({ phrase, variant }) => `${slug(phrase.text)}-${variant + 1}`],
  [
    /city|town|country|place|location|region|destination/,
    ({ reading, phrase, variant }) => reading.names[variant] ?? capitalized(phrase.text),
  ],
  [/currency/, ({ reading }) => /\b(?:EUR|USD|GBP|CHF|JPY)\b/.exec(reading.text)?.[0] ?? 'EUR'],
  [/language|locale/, () => 'en'],
  [/version/, () => '1.0.0'],
  [/status|state\b/, () => 'draft'],
  [
    /author|person|owner|assignee|first ?name|last ?name|full ?name/,
    ({ variant }) => `Example Person ${variant + 1}`,
  ],
  [
    /step|task|action|todo|milestone|recommendation|next/,
    (about) => (STEPS[about.variant % STEPS.length] ?? sentence)(about),
  ],
  [/question/, ({ phrase }) => `What matters most about ${named(phrase)}?`],
  [/reason|why|rationale|explanation|justification/, ({ phrase }) => `The request names ${named(phrase)}.`],
  [
    /title|headline|subject|\bname$|label|heading/,
    ({ phrase, subject, variant }) => capitalized(variant === 0 ? clip(subject, 80) : phrase.text),
  ],
  [
    /summary|description|text|content|body|message|comment|note|detail|answer|response|result|abstract|bio|overview|thought|analysis/,
    sentence,
  ],
];

export function phraseAt(reading: Reading, index: number): Phrase {
  const { phrases } = reading;
  return phrases[index % Math.max(1, phrases.length)] ?? { text: 'request', article: 'the' };
}

function subjectOf(reading: Reading): string {
  return reading.subject || named(phraseAt(reading, 0));
}

/** Lower-case ASCII with hyphens; `request` where nothing is left. */
export function slug(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain.slice(0, 40).replace(/-+$/, '') || 'request';
}

/** Invented dates start with 2025, so that an answer does not depend on the day it is given. */
export function dateAt(variant: number): string {
  return new Date(Date.UTC(2025, 0, 1 + (variant % 3650))).toISOString().slice(0, 10);
}
