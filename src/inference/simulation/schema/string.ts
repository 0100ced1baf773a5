import { cut } from '../phrases.ts';
import { asNumber, type Generation, type Place, type SchemaNode, Unsatisfiable } from './generation.ts';
import { parsePattern } from './pattern.ts';
import { dateAt, phraseAt, slug, suggestTexts } from './wording.ts';

/** The most characters that are made, so that no schema can ask for endless work. */
const LONGEST = 100_000;

/** A string that the node admits: by its format, its pattern, else by the property's name. */
export function generateString(node: SchemaNode, place: Place, generation: Generation): string {
  const typed = { ...node, type: 'string' };
  const shortest = asNumber(node['minLength']) ?? 0;
  if (shortest > LONGEST) throw new Unsatisfiable(place.path, `minLength ${shortest} is over ${LONGEST}`);
  const candidates =
    typeof node['pattern'] === 'string'
      ? patterned(node, node['pattern'], place, generation)
      : typeof node['format'] === 'string' && Object.hasOwn(FORMATS, node['format'])
        ? formatted(node['format'], place, generation)
        : worded(node, place, generation);
  for (const candidate of candidates) {
    if (generation.accepts(candidate, typed)) return candidate;
  }
  throw new Unsatisfiable(place.path, `no text was found for ${describe(node)}`);
}

function describe(node: SchemaNode): string {
  const keywords = ['pattern', 'format', 'minLength', 'maxLength'].filter((keyword) => keyword in node);
  return keywords.map((keyword) => `${keyword} ${JSON.stringify(node[keyword])}`).join(', ');
}

function* worded(node: SchemaNode, place: Place, generation: Generation): Generator<string> {
  const shortest = asNumber(node['minLength']) ?? 0;
  const longest = Math.min(asNumber(node['maxLength']) ?? LONGEST, LONGEST);
  for (const text of suggestTexts(place, generation)) yield toLength(text, shortest, longest);
  // Many strings of few characters, as a list of unique ones may ask for.
  yield toLength(`${place.variant.toString(36)} ${phraseAt(generation.reading, 0).text}`, shortest, longest);
}

/** Cuts at a word's end, or repeats the text, so that its length in code points lies within the limits. */
function toLength(text: string, shortest: number, longest: number): string {
  const repeats = Math.ceil(shortest / (text.length + 1)) + 1;
  const whole =
    [...text].length >= shortest
      ? text
      : Array(repeats * 2)
          .fill(text)
          .join(' ');
  const points = [...whole];
  if (points.length <= longest) return whole;
  const head = points.slice(0, longest).join('');
  const atWord = head.slice(0, Math.max(0, head.lastIndexOf(' '))).replace(/[\s,;:-]+$/u, '');
  return [...atWord].length >= Math.max(shortest, longest / 2) ? atWord : head;
}

const ATTEMPTS = 24;
const LONGEST_WORDS = 60;
/** A pattern that may take exponential time is only ever matched with texts of this length. */
const LONGEST_NESTED = 20;

function* patterned(
  node: SchemaNode,
  source: string,
  place: Place,
  generation: Generation,
): Generator<string> {
  const pattern = parsePattern(source);
  if (!pattern)
    throw new Unsatisfiable(place.path, `the pattern ${JSON.stringify(source)} is beyond simulation`);
  const shortest = asNumber(node['minLength']) ?? 0;
  const longest = Math.min(
    asNumber(node['maxLength']) ?? LONGEST_WORDS,
    pattern.nested ? LONGEST_NESTED : LONGEST_WORDS,
  );
  const word = slug(phraseAt(generation.reading, place.variant).text);
  const forms = [word.replaceAll('-', '_'), word.toUpperCase(), word.replaceAll('-', '')];
  for (const text of [...suggestTexts(place, generation), ...forms]) yield cut(text, longest);
  let state = generation.offset(place) + place.variant * 7919;
  const choose = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const least = pattern.sample(choose, 0).length;
  for (let i = 0; i < ATTEMPTS; i++) {
    const needed = Math.max(0, shortest - least);
    const extra = i === 0 ? Math.max(4, needed) : i % 2 === 0 ? needed + (i >> 1) : i >> 1;
    const text = pattern.sample(choose, extra);
    if (pattern.nested && text.length > LONGEST_NESTED) continue;
    yield text;
    if (text.length < shortest && !pattern.nested) yield text + 'x'.repeat(shortest - text.length);
  }
}

type Format = (about: { word: string; place: Place; generation: Generation; hash: number }) => string;

const uri: Format = ({ word, generation }) =>
  /\bhttps?:\/\/[\w.~:/?#@!$&'()*+,;=%-]*[\w/]/.exec(generation.reading.text)?.[0] ??
  `https://example.com/${word}`;
const email: Format = ({ word, generation }) =>
  /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/i.exec(generation.reading.text)?.[0] ??
  `${word.replaceAll('-', '.')}@example.com`;
const hostname: Format = ({ word }) => `${word}.example.com`;
const pointer: Format = ({ word }) => `/${word}`;

const FORMATS: { readonly [format: string]: Format } = {
  date: ({ place, generation }) => generation.reading.dates[place.variant] ?? dateAt(place.variant),
  'date-time': ({ place, generation }) =>
    `${generation.reading.dates[place.variant] ?? dateAt(place.variant)}T09:00:00Z`,
  time: ({ place }) => `${String(9 + (place.variant % 12)).padStart(2, '0')}:00:00Z`,
  duration: ({ place }) => `PT${30 + place.variant}M`,
  email,
  'idn-email': email,
  hostname,
  'idn-hostname': hostname,
  uri,
  iri: uri,
  url: uri,
  'uri-reference': ({ word }) => `/${word}`,
  'iri-reference': ({ word }) => `/${word}`,
  'uri-template': ({ word }) => `https://example.com/${word}/{id}`,
  uuid: ({ hash, place }) => {
    const digits = (hash >>> 0).toString(16).padStart(8, '0');
    return `${digits}-0000-4000-8000-${place.variant.toString(16).padStart(12, '0')}`;
  },
  // Addresses that RFC 5737 and RFC 3849 keep for documentation.
  ipv4: ({ place }) => `192.0.2.${1 + (place.variant % 254)}`,
  ipv6: ({ place }) => `2001:db8::${(1 + (place.variant % 65534)).toString(16)}`,
  regex: ({ word }) => word,
  'json-pointer': pointer,
  'json-pointer-uri-fragment': ({ word }) => `#/${word}`,
  'relative-json-pointer': ({ word }) => `0/${word}`,
};

function* formatted(format: string, place: Place, generation: Generation): Generator<string> {
  const base = slug(phraseAt(generation.reading, place.variant).text);
  const hash = generation.offset(place);
  for (const word of [
    base,
    `${base}-${place.variant + 1}`,
    `${base}-${'x'.repeat(20)}`,
    'a',
    `a${place.variant}`,
  ]) {
    const text = FORMATS[format]?.({ word, place, generation, hash });
    if (text !== undefined) yield text;
  }
}
