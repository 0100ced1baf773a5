/**
 * Fails when an import of src/ goes up the rooms, sideways, or takes a vendor package where it may not be taken, and when
 * an app or an example reaches behind the library's entry. Tests may import anything.
 */
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APART, ORDER, VENDORS } from './rooms.mjs';
import { finish } from './support/finish.mjs';
import { listSources, readImports } from './support/imports.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ENTRY = 'src/index.ts';
const problems = [];

for (const path of ['src', 'apps', 'docs/examples'].flatMap((folder) => listSources(root, folder))) {
  if (/\.(test|contract)\.ts$/.test(path)) continue;
  for (const { value, line } of readImports(root, path)) {
    const fault = value.startsWith('.')
      ? faultOfPath(path, normalize(join(dirname(path), value)).replaceAll('\\', '/'))
      : faultOfPackage(path, value);
    if (fault) problems.push(`${path}:${line} imports ${value}: ${fault}`);
  }
}
finish('directions', problems);

function faultOfPath(from, to) {
  if (!from.startsWith('src/')) {
    return to.startsWith('src/') && to !== ENTRY ? `outside src/ only ${ENTRY} is for use` : null;
  }
  if (!to.startsWith('src/')) return to.endsWith('package.json') ? null : 'it stands outside src/';
  const [own, other] = [roomOf(from), roomOf(to)];
  for (const room of [own, other]) {
    if (!ORDER.includes(room)) return `src/${room} is no room; ORDER in scripts/rooms.mjs lists them`;
  }
  if (ORDER.indexOf(other) > ORDER.indexOf(own)) return `${other} stands above ${own}`;
  const [ownPart, otherPart] = [partOf(from), partOf(to)];
  if (ownPart && otherPart && ownPart.group === otherPart.group && ownPart.name !== otherPart.name) {
    return `${ownPart.name} and ${otherPart.name} stand beside each other and are to know nothing of each other`;
  }
  return null;
}

function faultOfPackage(from, value) {
  if (!from.startsWith('src/')) return null;
  const name = value
    .split('/')
    .slice(0, value.startsWith('@') ? 2 : 1)
    .join('/');
  const place = VENDORS[name];
  if (place === undefined || from === `src/${place}` || from.startsWith(`src/${place}/`)) return null;
  return `${name} stops at src/${place}`;
}

function roomOf(path) {
  return path.split('/')[1]?.replace(/\.ts$/, '');
}

/** Which of the implementations that are to stand apart a file belongs to, if any. */
function partOf(path) {
  const inner = path.slice('src/'.length);
  for (const [group, places] of APART.entries()) {
    for (const place of places) {
      const folder = place.replace(/\/\*$/, '');
      if (!inner.startsWith(`${folder}/`)) continue;
      const entry = inner.slice(folder.length + 1).split('/')[0];
      return { group, name: place.endsWith('*') ? `${folder}/${entry}` : folder };
    }
  }
  return null;
}
