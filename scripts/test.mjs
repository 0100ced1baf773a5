/**
 * `npm test`: all that CI runs, in order, each step also when an earlier one failed. Ends with the line
 * `N passed, N failed`, which counts every test and every step that is not a test run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKS, runStep } from './support/steps.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const results = join(root, 'test-results');
const browserTests = 'test/browser';
process.chdir(root);
rmSync(results, { recursive: true, force: true });
mkdirSync(results);

const total = { passed: 0, failed: 0 };
for (const [name, meaning] of [...CHECKS, ['build', 'dist/ from src/']]) count(runStep(name, meaning));
add(runTests('tests', ['--exclude', `${browserTests}/**`], {}));
if (existsSync(browserTests)) runBrowserTests();

const summary = `${total.passed} passed, ${total.failed} failed`;
writeFileSync(join(results, 'summary.txt'), `${summary}\n`);
console.log(`\n${summary}`);
process.exitCode = total.failed === 0 ? 0 : 1;

function runBrowserTests() {
  const browser = findBrowser();
  if (browser === null) {
    console.log('\n*** LEFT OUT: the tests in a browser. No Chromium found; CHROMIUM_PATH names one. ***');
    return;
  }
  add(runTests('browser', [browserTests], { CHROMIUM_PATH: browser }));
}

/** Vitest prints as it goes; its JSON report is what is counted. */
function runTests(name, args, env) {
  console.log(`\n— ${name}: vitest ${args.join(' ')}`);
  const report = join(results, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters],
    {
      stdio: 'inherit',
      env: { ...process.env, ...env },
    },
  );
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const unloaded = testResults.filter(
    ({ status: state, assertionResults }) => state === 'failed' && assertionResults.length === 0,
  );
  const failed = numFailedTests + unloaded.length;
  // A run can fail without a failing test: an error outside of all, a worker that died.
  return { passed: numPassedTests, failed: status !== 0 && failed === 0 ? 1 : failed };
}

function findBrowser() {
  const known = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const paths = [process.env['CHROMIUM_PATH'], ...known.map((name) => `/usr/bin/${name}`)];
  return paths.find((path) => path && existsSync(path)) ?? null;
}

function count(ok) {
  add(ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
}

function add({ passed, failed }) {
  total.passed += passed;
  total.failed += failed;
}
