/**
 * `npm run build`. With `--if-stale` nothing is built when dist/ is up to date, and a console that does not build is no
 * failure, as for `npm start`: the server works without it.
 */
import { build, isStale } from './support/dist.mjs';

const ifStale = process.argv.includes('--if-stale');
if (!ifStale || isStale()) {
  const built = await build();
  if (!built.server || !(built.console || ifStale)) process.exitCode = 1;
}
