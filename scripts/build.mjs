/** `npm run build`. With `--if-stale` nothing is built when dist/ is up to date. */
import { build, isStale } from './support/dist.mjs';

const needed = !process.argv.includes('--if-stale') || isStale();
process.exitCode = !needed || (await build()) ? 0 : 1;
