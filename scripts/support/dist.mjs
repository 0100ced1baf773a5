/**
 * Builds dist/, and tells whether that is needed. Its two parts, the server (src/ by tsc) and the console (console/ by
 * Vite), are built at once, each whole or not at all: of one that fails the old build stays in place.
 */
import { spawn } from 'node:child_process';
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
const dist = join(root, 'dist');
const own = fileURLToPath(import.meta.url);

/** What dist/ is made of. Each part has a stamp of its own, so that only what has changed is built. */
const parts = {
  server: {
    stamp: '.stamp',
    folders: ['src'],
    files: ['tsconfig.json', 'tsconfig.build.json', 'package.json'],
  },
  console: {
    stamp: 'console/.stamp',
    folders: ['console'],
    files: ['tsconfig.json', 'package.json'],
  },
};
const hasConsole = existsSync(join(root, 'console/src/main.tsx'));

/** Whether something that dist/ is made of is newer than dist/. */
export function isStale() {
  return isPartStale(parts.server) || (hasConsole && isPartStale(parts.console));
}

/** @returns which of the parts were built; the compilers have told why not */
export async function build() {
  const startedAt = new Date();
  const fresh = join(root, `.dist-${process.pid}`);
  try {
    if (!existsSync(join(root, 'node_modules/typescript'))) {
      console.error('The TypeScript compiler is not installed. Run: npm ci');
      return { server: false, console: false };
    }
    const [server, page] = await Promise.all([
      buildServer(fresh, startedAt),
      !hasConsole || buildConsole(fresh, startedAt),
    ]);
    if (server) replace(fresh);
    return { server, console: page };
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

async function buildServer(fresh, startedAt) {
  const ok = await runTool('typescript/bin/tsc', ['-p', 'tsconfig.build.json', '--outDir', fresh]);
  if (!ok) return false;
  cpSync(join(root, 'src'), fresh, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  stampPart(fresh, parts.server, startedAt);
  return true;
}

async function buildConsole(fresh, startedAt) {
  const target = join(fresh, 'console');
  if (isPartStale(parts.console)) {
    if (await runTool('vite/bin/vite.js', ['build', 'console', '--outDir', target, '--logLevel', 'warn'])) {
      stampPart(fresh, parts.console, startedAt);
      return true;
    }
    console.error('The console could not be built.');
  }
  const built = join(dist, 'console');
  if (existsSync(built)) cpSync(built, target, { recursive: true, preserveTimestamps: true });
  return !isPartStale(parts.console);
}

/** Runs a package's program. Its words go to stderr: stdout belongs to the command that is started after a build. */
function runTool(program, args) {
  const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}

/** A folder's own time counts too: it tells of files that are gone. */
function isPartStale({ stamp, folders, files }) {
  const path = join(dist, stamp);
  if (!existsSync(path)) return true;
  const builtAt = statSync(path).mtimeMs;
  const inputs = folders.flatMap((folder) => [
    join(root, folder),
    ...readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => !/\.(test|contract)\.tsx?$/.test(name))
      .map((name) => join(root, folder, name)),
  ]);
  return [own, ...files.map((name) => join(root, name)), ...inputs].some(
    (input) => statSync(input).mtimeMs > builtAt,
  );
}

/** As of the start: what was edited while the compilers ran is newer than the result. */
function stampPart(fresh, { stamp }, startedAt) {
  const path = join(fresh, stamp);
  writeFileSync(path, '');
  utimesSync(path, startedAt, startedAt);
}

function replace(fresh) {
  const old = `${fresh}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}
