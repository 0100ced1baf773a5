#!/usr/bin/env node
import { existsSync } from 'node:fs';

const REQUIRED = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const entry = new URL('../dist/cli/main.js', import.meta.url);

if (major < REQUIRED[0] || (major === REQUIRED[0] && minor < REQUIRED[1])) {
  console.error(`Tiercel needs Node.js ${REQUIRED.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(2);
}
if (!existsSync(entry)) await buildClone();
const { main } = await import(entry.href);
await main(process.argv.slice(2));

/** A clone has the sources and not yet dist/; a published package has dist/ and not the sources. */
async function buildClone() {
  const builder = new URL('../scripts/support/dist.mjs', import.meta.url);
  const compiler = new URL('../node_modules/typescript/package.json', import.meta.url);
  if (existsSync(builder) && existsSync(compiler)) {
    console.error('Building dist/ …');
    const { build } = await import(builder.href);
    const { server } = await build();
    if (server) return;
  } else {
    console.error('Tiercel is not built: dist/ is missing. Run: npm ci && npm run build');
  }
  process.exit(2);
}
