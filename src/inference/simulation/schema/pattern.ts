/**
 * Texts that match a regular expression, for the part of the language that schemas use: literals, classes,
 * escapes, groups, alternation, quantifiers and anchors. Look-around, back references
 * and a repeated group of varying length within another are beyond it.
 */
export type Pattern = {
  /** A text of the pattern. `extra` is how many repeats beyond the least its quantifiers take together. */
  sample(choose: (limit: number) => number, extra: number): string;
  /** Whether a group of varying length may repeat, so that a failing match may take exponential time. */
  nested: boolean;
};

type Item =
  | { kind: 'chars'; chars: readonly string[] }
  | { kind: 'group'; branches: readonly Item[][] }
  | { kind: 'repeat'; item: Item; min: number; max: number };

const MOST_REPEATS = 10_000;
/** Longer patterns are given up: matching them could take long. */
const LONGEST_SOURCE = 400;

/** Parses a pattern, or gives null when it is beyond this generator. */
export function parsePattern(source: string): Pattern | null {
  try {
    if (source.length > LONGEST_SOURCE) return null;
    new RegExp(source, 'u');
    const parser = new PatternParser(source);
    const branches = parser.alternation();
    return {
      nested: parser.nested > 0,
      sample: (choose, extra) => sampleGroup(branches, choose, { left: extra }),
    };
  } catch {
    return null;
  }
}

function sampleGroup(
  branches: readonly Item[][],
  choose: (limit: number) => number,
  extra: { left: number },
): string {
  const branch = branches[choose(branches.length)] ?? [];
  return branch.map((item) => sampleItem(item, choose, extra)).join('');
}

function sampleItem(item: Item, choose: (limit: number) => number, extra: { left: number }): string {
  switch (item.kind) {
    case 'chars':
      return item.chars[choose(item.chars.length)] ?? '';
    case 'group':
      return sampleGroup(item.branches, choose, extra);
    case 'repeat': {
      const more = Math.min(item.max - item.min, extra.left);
      extra.left -= more;
      let text = '';
      for (let i = 0; i < item.min + more; i++) text += sampleItem(item.item, choose, extra);
      return text;
    }
  }
}

const range = (from: string, to: string) => {
  const chars: string[] = [];
  const last = Math.min(to.codePointAt(0) ?? 0, (from.codePointAt(0) ?? 0) + 255);
  for (let code = from.codePointAt(0) ?? 0; code <= last; code++) chars.push(String.fromCodePoint(code));
  return chars;
};

const LOWER = range('a', 'z');
const UPPER = range('A', 'Z');
const DIGITS = range('0', '9');
const WORD = [...LOWER, ...DIGITS, ...UPPER, '_'];
const PRINTABLE = [...LOWER, ...DIGITS, ...UPPER, ...range(' ', '~').filter((char) => !/\w/.test(char))];

const CLASSES: { readonly [letter: string]: readonly string[] } = {
  d: DIGITS,
  w: WORD,
  s: [' '],
  D: PRINTABLE.filter((char) => !/\d/.test(char)),
  W: PRINTABLE.filter((char) => !/\w/.test(char)),
  S: PRINTABLE.filter((char) => char !== ' '),
  n: ['\n'],
  r: ['\r'],
  t: ['\t'],
};

const UNICODE_CLASSES: { readonly [property: string]: readonly string[] } = {
  L: LOWER,
  Letter: LOWER,
  Alphabetic: LOWER,
  Ll: LOWER,
  Lu: UPPER,
  N: DIGITS,
  Nd: DIGITS,
};

class PatternParser {
  readonly source: readonly string[];
  /** Groups of varying length that repeat, so far. */
  nested = 0;
  at = 0;
  /** Quantifiers of varying length so far. */
  quantified = 0;

  constructor(source: string) {
    this.source = [...source];
  }

  alternation(): Item[][] {
    const branches = [this.sequence()];
    while (this.take('|')) branches.push(this.sequence());
    return branches;
  }

  sequence(): Item[] {
    const items: Item[] = [];
    for (
      let char = this.source[this.at];
      char !== undefined && char !== '|' && char !== ')';
      char = this.source[this.at]
    ) {
      if (char === '^' || char === '$') {
        this.at++;
        continue;
      }
      const before = this.quantified;
      const nestedBefore = this.nested;
      items.push(this.quantifier(this.atom(), before, nestedBefore));
    }
    return items;
  }

  atom(): Item {
    const char = this.source[this.at++];
    switch (char) {
      case '(':
        return this.group();
      case '[':
        return { kind: 'chars', chars: this.charClass() };
      case '.':
        return { kind: 'chars', chars: LOWER };
      case '\\':
        return { kind: 'chars', chars: this.escape() };
      default:
        return { kind: 'chars', chars: [char ?? ''] };
    }
  }

  group(): Item {
    if (this.take('?')) {
      if (this.take('<')) {
        if (this.source[this.at] === '=' || this.source[this.at] === '!') throw new Error('look-behind');
        while (!this.take('>')) this.at++;
      } else if (!this.take(':')) throw new Error('look-ahead');
    }
    const branches = this.alternation();
    this.at++;
    return { kind: 'group', branches };
  }

  quantifier(item: Item, before: number, nestedBefore: number): Item {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(this.source.slice(this.at, this.at + 16).join(''));
    if (!found) return item;
    this.at += found[0].length;
    this.take('?');
    const [least, most] =
      found[1] === undefined
        ? ({ '*': [0, MOST_REPEATS], '+': [1, MOST_REPEATS], '?': [0, 1] }[found[0]] ?? [1, 1])
        : [Number(found[1]), found[3] ? Number(found[3]) : found[2] ? MOST_REPEATS : Number(found[1])];
    if ((least ?? 0) > MOST_REPEATS) throw new Error('too many repeats');
    const varies = item.kind === 'group' && (this.quantified > before || item.branches.length > 1);
    if (varies && (most ?? 0) > 1) {
      if (this.nested > nestedBefore) throw new Error('nested twice');
      this.nested++;
    }
    if (least !== most) this.quantified++;
    return { kind: 'repeat', item, min: least ?? 0, max: most ?? 0 };
  }

  charClass(): readonly string[] {
    const negated = this.take('^');
    const chars: string[] = [];
    while (!this.take(']')) {
      const start = this.classChars();
      if (start.length === 1 && this.source[this.at] === '-' && this.source[this.at + 1] !== ']') {
        this.at++;
        const end = this.classChars();
        chars.push(...range(start[0] ?? '', end[0] ?? ''));
      } else chars.push(...start);
    }
    const set = new Set(chars);
    const admitted = negated ? PRINTABLE.filter((char) => !set.has(char)) : readable(set);
    if (admitted.length === 0) throw new Error('no character left');
    return admitted;
  }

  classChars(): readonly string[] {
    const char = this.source[this.at++] ?? '';
    return char === '\\' ? this.escape() : [char];
  }

  escape(): readonly string[] {
    const char = this.source[this.at++] ?? '';
    if (char === 'u' || char === 'x') {
      const found = /^(?:\{([0-9a-f]+)\}|([0-9a-f]{4})|([0-9a-f]{2}))/i.exec(
        this.source.slice(this.at, this.at + 10).join(''),
      );
      if (!found) throw new Error('escape');
      const text = char === 'x' && found[2] ? found[2].slice(0, 2) : found[0];
      this.at += text.length;
      return [String.fromCodePoint(Number.parseInt(text.replace(/[{}]/g, ''), 16))];
    }
    if (char === 'p') {
      const found = /^\{(?:\w+=)?(\w+)\}/.exec(this.source.slice(this.at, this.at + 40).join(''));
      const chars = UNICODE_CLASSES[found?.[1] ?? ''];
      if (!found || !chars) throw new Error('property');
      this.at += found[0].length;
      return chars;
    }
    const chars = CLASSES[char];
    if (chars) return chars;
    if (/[a-zA-Z0-9]/.test(char)) throw new Error('back reference or boundary');
    return [char];
  }

  take(char: string): boolean {
    if (this.source[this.at] !== char) return false;
    this.at++;
    return true;
  }
}

/** Of a class, its letters and digits when it has any, because they read better. */
function readable(set: ReadonlySet<string>): readonly string[] {
  const plain = [...set].filter((char) => /[\p{L}\p{N}]/u.test(char));
  return plain.length > 0 ? plain : [...set];
}
