/** Builds dist/ from src/, and tells whether that is needed. Whole or not at all: a failed build leaves the old one. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const src = join(root, 'src');
const dist = join(root, 'dist');
const stamp = join(dist, '.stamp');

/** Whether something that dist/ is made of is newer than dist/. A folder's own time tells of files that are gone. */
export function isStale() {
  if (!existsSync(stamp)) return true;
  const builtAt = statSync(stamp).mtimeMs;
  const entries = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => !isTest(path));
  const inputs = [
    src,
    ...entries.map((path) => join(src, path)),
    ...['tsconfig.json', 'tsconfig.build.json', 'package.json'].map((name) => join(root, name)),
    fileURLToPath(import.meta.url),
  ];
  return inputs.some((path) => statSync(path).mtimeMs > builtAt);
}

/** @returns {boolean} whether it succeeded; the compiler has told why not */
export function build() {
  const startedAt = new Date();
  const fresh = join(root, `.dist-${process.pid}`);
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    if (!existsSync(tsc)) {
      console.error('The TypeScript compiler is not installed. Run: npm ci');
      return false;
    }
    const project = ['-p', join(root, 'tsconfig.build.json'), '--outDir', fresh];
    // The compiler's words go to stderr: stdout belongs to the command that is started after a build.
    const { status } = spawnSync(process.execPath, [tsc, ...project], { cwd: root, stdio: ['ignore', 2, 2] });
    if (status !== 0) return false;
    cpSync(src, fresh, { recursive: true, filter: (path) => !path.endsWith('.ts') });
    writeFileSync(join(fresh, '.stamp'), '');
    // As of the start: what was edited while the compiler ran is newer than the result.
    utimesSync(join(fresh, '.stamp'), startedAt, startedAt);
    replace(fresh);
    return true;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** @param {string} fresh */
function replace(fresh) {
  const old = `${fresh}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}

/** @param {string} path */
function isTest(path) {
  return path.endsWith('.test.ts') || path.endsWith('.contract.ts');
}
