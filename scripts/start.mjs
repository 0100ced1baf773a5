/** `npm start`: builds when something changed, then serves in this same process. Arguments are those of `tiercel serve`. */
import { build, isStale } from './support/dist.mjs';

if (isStale()) {
  console.error('Building dist/ …');
  const { server } = await build();
  if (!server) process.exit(1);
}
process.argv.splice(2, 0, 'serve');
await import('../bin/tiercel.js');
