/**
 * Writes the console's types of the gateway from its own description: `npm run console:types -- [URL]`, against a running
 * server. Only named schemas are written; TypeScript 7 has no API for the generators that exist.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema | boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
};

const source = process.argv[2] ?? 'http://127.0.0.1:4040/openapi.json';
const target = fileURLToPath(new URL('../src/api/schema.ts', import.meta.url));

const answer = await fetch(source);
if (!answer.ok) throw new Error(`${source} answered ${answer.status}. Start the server first: npm start`);
const { components } = (await answer.json()) as { components: { schemas: Record<string, Schema> } };
const types = Object.entries(components.schemas)
  .sort(([a], [b]) => a.localeCompare(b))
  .map(([name, schema]) => `${docOf(schema, '')}export type ${name} = ${typeOf(schema, '')};\n`);
writeFileSync(
  target,
  [
    '// biome-ignore-all lint/style/noExcessiveLinesPerFile: written by `npm run console:types` from /openapi.json.',
    '// Change the gateway, not this.',
    '',
    ...types,
  ].join('\n'),
);
execFileSync('npx', ['biome', 'format', '--write', target]);

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return [...new Set(union.map((one) => typeOf(one, indent)))].join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${typeOf(one, indent)})`).join(' & ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return typeof schema.items === 'object' ? `(${typeOf(schema.items, indent)})[]` : 'unknown[]';
    case 'object':
      return objectOf(schema, indent);
    default:
      return 'unknown';
  }
}

function objectOf(schema: Schema, indent: string): string {
  const entries = Object.entries(schema.properties ?? {});
  const rest = schema.additionalProperties;
  const value = typeof rest === 'object' ? typeOf(rest, indent) : 'unknown';
  if (entries.length === 0) return `Record<string, ${value}>`;
  const inner = `${indent}  `;
  const members = entries.map(([name, member]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const optional = schema.required?.includes(name) ? '' : '?';
    return `${docOf(member, inner)}${inner}${key}${optional}: ${typeOf(member, inner)};`;
  });
  return `{\n${members.join('\n')}\n${indent}}`;
}

function docOf({ description }: Schema, indent: string): string {
  return description ? `${indent}/** ${description.replaceAll('*/', '* /')} */\n` : '';
}
