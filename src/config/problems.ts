import { TiercelError } from '../errors.ts';

/** One wrong setting. Several are gathered and reported together, so that a file is mended in one go. */
export type Problem = {
  /** The file with its line, the variable, the flag, or who changed it: `tiercel.yaml:3`, `TIERCEL_MODE`, `--mode`. */
  where?: string;
  path: string;
  /** What is wrong and what is allowed, as whole sentences. */
  text: string;
};

/** Throws `config_invalid` with every problem, one a line; does nothing when there are none. */
export function throwProblems(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const lines = [...new Set(problems.map(toLine))];
  const message =
    lines.length === 1 ? lines.join('') : `${lines.length} settings are wrong:\n  ${lines.join('\n  ')}`;
  throw new TiercelError('config_invalid', message, { param: first.path });
}

function toLine({ where, path, text }: Problem): string {
  return `${where === undefined ? '' : `${where} `}${path}: ${text}`;
}

/** `['deployments', '0', 'model']` as people write it: `deployments[0].model`. */
export function toPathText(path: readonly string[]): string {
  return path
    .map((part, index) =>
      /^\d+$/.test(part) && path[0] === 'deployments' ? `[${part}]` : index === 0 ? part : `.${part}`,
    )
    .join('');
}

// Values under these may hold a credential, also when it was put into the wrong field.
const CONFIDENTIAL = /(^|\.)(auth|databaseUrl|baseUrl)(\.|$)/;

/** The given value, quoted; only its kind where it could be or contain a credential. */
export function toShown(path: string, value: unknown): string {
  if (CONFIDENTIAL.test(path)) return 'the value';
  if (Array.isArray(value)) {
    if (value.some((item) => typeof item === 'object')) return 'a list';
  } else if (typeof value === 'object' && value !== null) {
    return 'a map';
  }
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

/** `Did you mean "x"?` with the nearest of the known names, or the list of them when none is near. */
export function suggest(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  if (nearest !== undefined) return `Did you mean "${nearest}"?`;
  return known.length === 0 ? 'There are none.' : `Use one of: ${known.join(', ')}.`;
}

/** The known name with the fewest edits from a misspelt one, or undefined when none is near enough to be meant. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(name.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** Levenshtein's distance, by rows. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
