import { spawnSync } from 'node:child_process';

/** What `npm run check` does, in order: npm scripts by name, with what each one holds. */
export const CHECKS = [
  ['engines', 'no dependency of the default install needs a newer Node'],
  ['lint', 'Biome: lint and format'],
  ['types', 'TypeScript, tests and examples included'],
  ['directions', 'rooms import only downwards'],
  ['unused', 'Knip: no file, export or dependency is unused'],
  ['docs:check', 'papers agree with the code'],
];

/** Runs an npm script with its output passed on. @returns {boolean} whether it succeeded */
export function runStep(name, meaning) {
  console.log(`\n— ${name}: ${meaning}`);
  const { status } = spawnSync('npm', ['run', '--silent', name], { stdio: 'inherit' });
  if (status !== 0) console.log(`— ${name} failed`);
  return status === 0;
}
