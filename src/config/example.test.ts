import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { SETTING_VARIABLES } from './environment.ts';
import { resolveSettings } from './resolve.ts';
import { DEFAULTS, fileSchema, unwrap } from './schema.ts';

const text = readFileSync(fileURLToPath(new URL('../../tiercel.example.yaml', import.meta.url)), 'utf8');
// Settings are commented out by a `#` without the single blank that begins an explanation.
const uncommented = text.replaceAll(/^#(?! \S)/gm, '');

const resolve = (yaml: string) =>
  resolveSettings({
    file: { name: 'tiercel.example.yaml', text: yaml },
    env: { FOUNDRY_API_KEY: 'k' },
    readKeyFile: () => 'k',
  });

/** Every path of the schema, with `*` for the members of lists and maps. */
function pathsOf(schema: unknown, prefix = ''): string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) {
    return Object.entries(inner.shape).flatMap(([key, member]) => pathsOf(member, `${prefix}.${key}`));
  }
  if (inner instanceof z.ZodRecord) return pathsOf(inner.valueType, `${prefix}.*`);
  if (inner instanceof z.ZodArray && inner.element instanceof z.ZodObject)
    return pathsOf(inner.element, `${prefix}.*`);
  return [prefix];
}

function hasPath(tree: unknown, [part, ...rest]: string[]): boolean {
  if (part === undefined) return tree !== undefined && tree !== null;
  if (typeof tree !== 'object' || tree === null) return false;
  const members = part === '*' ? Object.values(tree) : [(tree as Record<string, unknown>)[part]];
  return members.some((member) => hasPath(member, rest));
}

describe('tiercel.example.yaml', () => {
  it('starts as it stands, in simulation, with the defaults and no warning', () => {
    const { settings, warnings } = resolve(text);
    expect(settings).toEqual({ ...DEFAULTS, databaseUrl: null, deployments: [], roles: [] });
    expect(warnings).toEqual([]);
  });

  it('is valid with every setting uncommented, without a warning', () => {
    const { settings, warnings } = resolve(uncommented);
    expect(settings.deployments.length).toBeGreaterThan(0);
    expect(settings.roles.map(({ name }) => name)).toContain('orgdesigner');
    expect(warnings).toEqual([]);
  });

  it.each(pathsOf(fileSchema).map((path) => path.slice(1)))('has the key %s', (path) => {
    expect(hasPath(parse(uncommented), path.split('.'))).toBe(true);
  });

  it.each(SETTING_VARIABLES)('names the variable %s', (name) => {
    expect(text).toContain(`\n# ${name}=`);
  });
});
