/** `npm run check`: everything that can be held without running the product. Goes on after a failure. */
import { CHECKS, runStep } from './support/steps.mjs';

const failed = CHECKS.filter(([name, meaning]) => !runStep(name, meaning)).map(([name]) => name);
console.log(failed.length === 0 ? '\nAll checks pass.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
