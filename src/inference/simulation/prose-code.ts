import { clip } from './phrases.ts';
import type { Reading } from './reading.ts';

/** A stub in the language that the request names, which says of itself that it does nothing yet. */
export function toCode(reading: Reading): string {
  const language = LANGUAGES.find(([pattern]) => pattern.test(reading.text)) ?? LANGUAGES.at(-1);
  if (reading.text.includes('```')) {
    return 'Code was sent, and a simulation cannot judge it. Before asking a model, it helps to write down what the code should do, what it does instead, and the smallest input that shows the difference.';
  }
  const words = nameWords(reading);
  const task = clip(reading.subject.replace(/\s+/g, ' '), 80);
  const stub = language?.[1](words, task) ?? '';
  return `Working code needs a model. A stub to start from, named after the request:\n\n${stub}\n\nTo settle before it is filled in:\n- what it takes and gives back, with one example of each;\n- what happens for empty, very large and wrong input;\n- one test that fails today.`;
}

type Stub = (name: readonly string[], task: string) => string;

const snake = (name: readonly string[]) => name.join('_');
const camel = (name: readonly string[]) =>
  name.map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('');
const block = (language: string, lines: readonly string[]) =>
  [`\`\`\`${language}`, ...lines, '```'].join('\n');

const LANGUAGES: readonly (readonly [RegExp, Stub])[] = [
  [
    /\bpython\b|\.py\b/i,
    (name, task) =>
      block('python', [`def ${snake(name)}(value):`, `    # ${task}`, '    raise NotImplementedError']),
  ],
  [
    /\btypescript\b|\.tsx?\b/i,
    (name, task) =>
      block('ts', [
        `export function ${camel(name)}(value: unknown): unknown {`,
        `  // ${task}`,
        "  throw new Error('not implemented');",
        '}',
      ]),
  ],
  [
    /\brust\b/i,
    (name, task) =>
      block('rust', [`pub fn ${snake(name)}(value: &str) -> String {`, `    // ${task}`, '    todo!()', '}']),
  ],
  [/\bsql\b/i, (_name, task) => block('sql', [`-- ${task}`, 'SELECT NULL AS not_implemented;'])],
  [
    /\bbash|shell script\b/i,
    (name, task) =>
      block('bash', [`${snake(name)}() {`, `  # ${task}`, "  echo 'not implemented' >&2", '  return 1', '}']),
  ],
  [
    /./s,
    (name, task) =>
      block('js', [
        `function ${camel(name)}(value) {`,
        `  // ${task}`,
        "  throw new Error('not implemented');",
        '}',
      ]),
  ],
];

const NO_NAMES =
  /^(?:python|typescript|javascript|rust|sql|bash|function|code|script|class|program|method|shell)$/;

function nameWords(reading: Reading): readonly string[] {
  const words = reading.phrases
    .flatMap((phrase) => phrase.text.toLowerCase().split(/[^a-z0-9]+/))
    .filter((word) => /^[a-z]/.test(word) && !NO_NAMES.test(word));
  const [first = 'solution', ...others] = words.slice(0, 3);
  // "a function that reverses a list" names what it does: `reverse_list`.
  const verb = first.replace(/(?<=ch|sh|ss|x)es$|(?<=[^s])s$/, '');
  return [others.length > 0 ? verb : first, ...others];
}
