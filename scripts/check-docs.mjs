/** Holds the papers to the code: the error reference, the paths that papers name, and README's length. Run through tsx. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventsMarkdown } from '../src/trace/events-markdown.ts';
import { toErrorsDocument } from './support/error-table.mjs';
import { finish } from './support/finish.mjs';

const PAPERS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];
const README_LINES = 120;
const TOP_FOLDERS = ['.ci', 'apps', 'bench', 'bin', 'console', 'docs', 'scripts', 'src', 'test'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const problems = [];

if (read('docs/errors.md') !== toErrorsDocument()) {
  problems.push('docs/errors.md differs from src/errors.ts. Run: npm run docs');
}
if (read('docs/events.md') !== eventsMarkdown()) {
  problems.push('docs/events.md differs from src/trace/events.ts. Run: npm run docs');
}
for (const paper of PAPERS) {
  const text = read(paper);
  if (text === null) problems.push(`${paper} is missing`);
  else problems.push(...faultsOfPaths(paper, text));
}
const length = read('README.md')?.trimEnd().split('\n').length ?? 0;
if (length > README_LINES) problems.push(`README.md has ${length} lines; ${README_LINES} are allowed`);
finish('docs', problems);

/** Words in backticks that look like a path of this repository and lead nowhere. */
function faultsOfPaths(paper, text) {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/`([^`\s]+)`/g)]
      .map(([, word = '']) => word.replace(/[:#].*$/, ''))
      .filter(
        (word) =>
          TOP_FOLDERS.includes(word.split('/')[0] ?? '') && word.includes('/') && !/[*<{…]/.test(word),
      )
      .filter((word) => !existsSync(join(root, word)))
      .map((word) => `${paper}:${index + 1} names ${word}, which does not exist`),
  );
}

function read(path) {
  const absolute = join(root, path);
  return existsSync(absolute) ? readFileSync(absolute, 'utf8') : null;
}
