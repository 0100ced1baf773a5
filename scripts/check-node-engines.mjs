/** Fails when a dependency of the default install asks for a newer Node than the oldest that Tiercel runs on. */
import { readFileSync } from 'node:fs';
import semver from 'semver';
import { finish } from './support/finish.mjs';

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const oldest = semver.minVersion(read('package.json').engines.node);
const problems = Object.entries(read('package-lock.json').packages)
  .filter(([path, entry]) => path !== '' && !entry.dev && !entry.optional && !entry.devOptional)
  .filter(([, { engines }]) => engines?.node && !semver.satisfies(oldest, engines.node))
  .map(([path, { version, engines }]) => `${path} ${version} asks for Node ${engines.node}, not ${oldest}`);
finish('engines', problems);
