import { canonicalJson } from '../../../lib/canonical-json.ts';
import { asList, asMap, asNumber, isNode, type SchemaNode } from './generation.ts';

/**
 * A node that admits what both admit, for the keywords that the generator works with. Keywords that cannot be
 * joined keep the first value; the validation that follows tells whether the result satisfies both.
 */
export function mergeNodes(a: SchemaNode, b: SchemaNode): SchemaNode {
  const merged: SchemaNode = { ...b, ...a };
  for (const key of Object.keys(a)) {
    if (!(key in b)) continue;
    const join = Object.hasOwn(JOINS, key) ? JOINS[key] : undefined;
    merged[key] = join?.(a[key], b[key]) ?? a[key];
  }
  const properties = mergeProperties(a, b);
  if (properties) merged['properties'] = properties;
  return merged;
}

type Join = (a: unknown, b: unknown) => unknown;

const both: Join = (a, b) => ({ allOf: [a, b] });
const larger: Join = (a, b) => Math.max(asNumber(a) ?? -Infinity, asNumber(b) ?? -Infinity);
const smaller: Join = (a, b) => Math.min(asNumber(a) ?? Infinity, asNumber(b) ?? Infinity);

const JOINS: { readonly [keyword: string]: Join } = {
  type: joinTypes,
  enum: (a, b) => {
    const known = new Set(asList(b).map(canonicalJson));
    return asList(a).filter((value) => known.has(canonicalJson(value)));
  },
  required: (a, b) => [...new Set([...asList(a), ...asList(b)])],
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  multipleOf: joinMultiples,
  uniqueItems: (a, b) => a === true || b === true,
  items: both,
  contains: both,
  propertyNames: both,
  additionalProperties: both,
  patternProperties: (a, b) => ({ ...asMap(b), ...asMap(a) }),
  $defs: (a, b) => ({ ...asMap(b), ...asMap(a) }),
};

function joinTypes(a: unknown, b: unknown): string[] {
  const left = typeof a === 'string' ? [a] : asList(a);
  const right = typeof b === 'string' ? [b] : asList(b);
  const types = new Set<string>();
  for (const type of left) {
    if (typeof type !== 'string') continue;
    if (right.includes(type) || (type === 'integer' && right.includes('number'))) types.add(type);
    else if (type === 'number' && right.includes('integer')) types.add('integer');
  }
  return [...types];
}

function joinMultiples(a: unknown, b: unknown): unknown {
  const [x, y] = [asNumber(a), asNumber(b)];
  if (x === undefined || y === undefined) return a;
  if (Number.isInteger(x) && Number.isInteger(y)) return (x / divisor(x, y)) * y;
  return Number.isInteger(x / y) ? x : y;
}

function divisor(x: number, y: number): number {
  return y === 0 ? x : divisor(y, x % y);
}

/** Each property with all that either side says of it, what `additionalProperties` says of an undeclared one included. */
function mergeProperties(a: SchemaNode, b: SchemaNode): SchemaNode | undefined {
  const left = asMap(a['properties']);
  const right = asMap(b['properties']);
  const names = [...Object.keys(left), ...Object.keys(right).filter((name) => !Object.hasOwn(left, name))];
  if (names.length === 0) return undefined;
  const entries = names.map((name) => {
    const parts = [constraintOf(a, left, name), constraintOf(b, right, name)].filter(
      (part) => part !== undefined,
    );
    return [name, parts.length === 1 ? parts[0] : { allOf: parts }];
  });
  return Object.fromEntries(entries);
}

function constraintOf(node: SchemaNode, properties: SchemaNode, name: string): unknown {
  if (Object.hasOwn(properties, name)) return properties[name];
  const patterns = Object.keys(asMap(node['patternProperties']));
  if (patterns.length > 0) return undefined;
  const rule = node['additionalProperties'];
  return rule === false || isNode(rule) ? rule : undefined;
}
