import type { Schema } from '@cfworker/json-schema';
import { asList, asMap, isNode, type Place, type SchemaNode, Unsatisfiable } from './generation.ts';
import { mergeNodes } from './merge.ts';

/** A node with its references and `allOf` folded in; `choices` are the alternatives still to be taken. */
export type Flat = { node: SchemaNode; choices: readonly (readonly unknown[])[]; refs: readonly string[] };

/** The validator's index: the nodes of a schema by absolute address. */
export type Lookup = Readonly<Record<string, Schema | boolean>>;

const MOST_HOPS = 40;

export function flatten(schema: unknown, place: Place, lookup: Lookup, hops = 0): Flat {
  if (schema === true || schema === undefined) return { node: {}, choices: [], refs: place.refs };
  if (!isNode(schema)) throw new Unsatisfiable(place.path, 'the schema admits no value');
  if (hops > MOST_HOPS) throw new Unsatisfiable(place.path, 'the references lead in a circle');
  const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, ...node } = schema;
  const choices: (readonly unknown[])[] = [];
  if (anyOf !== undefined) choices.push(asList(anyOf));
  if (oneOf !== undefined) choices.push(asList(oneOf));
  if (condition !== undefined) choices.push([{ allOf: [condition, then ?? true] }, otherwise ?? true]);
  let flat: Flat = { node, choices, refs: place.refs };
  if (typeof $ref === 'string') {
    const target = lookup[String((schema as Schema).__absolute_ref__ ?? $ref)];
    if (target === undefined)
      throw new Unsatisfiable(place.path, `$ref ${JSON.stringify($ref)} leads nowhere`);
    const referred = flatten(target, { ...place, refs: [...place.refs, $ref] }, lookup, hops + 1);
    flat = join(flat, referred);
  }
  for (const part of [...asList(allOf), ...dependentParts(schema)]) {
    flat = join(flat, flatten(part, { ...place, refs: flat.refs }, lookup, hops + 1));
  }
  return flat;
}

export function join(a: Flat, b: Flat): Flat {
  return {
    node: mergeNodes(a.node, b.node),
    choices: [...a.choices, ...b.choices],
    refs: b.refs.length > a.refs.length ? b.refs : a.refs,
  };
}

/** The way to take each alternative once, likeliest first; at most `left.tries` are given. */
export function* combinations(
  flat: Flat,
  place: Place,
  lookup: Lookup,
  order: (options: readonly unknown[]) => readonly unknown[],
  left: { tries: number },
): Generator<Flat> {
  const [options, ...others] = flat.choices;
  if (!options) {
    if (left.tries-- > 0) yield flat;
    return;
  }
  for (const option of order(options)) {
    if (left.tries <= 0) return;
    let joined: Flat;
    try {
      joined = join({ ...flat, choices: others }, flatten(option, { ...place, refs: flat.refs }, lookup));
    } catch (error) {
      if (!(error instanceof Unsatisfiable)) throw error;
      continue;
    }
    yield* combinations(joined, place, lookup, order, left);
  }
}

/** Schemas that hold because of a property that will be there. */
function dependentParts(schema: SchemaNode): unknown[] {
  const names = [...Object.keys(asMap(schema['properties'])), ...asList(schema['required'])];
  return Object.entries(asMap(schema['dependentSchemas']))
    .filter(([name]) => names.includes(name))
    .map(([, part]) => part);
}

/** How much a node's value will take to make; the least first ends a recursion. */
export function weight(schema: unknown): number {
  if (!isNode(schema)) return 3;
  if ('$ref' in schema || 'allOf' in schema) return 2;
  return typesOf(schema).some((type) => type === 'object' || type === 'array') ? 1 : 0;
}

export function isNullNode(schema: unknown): boolean {
  return isNode(schema) && (schema['type'] === 'null' || schema['const'] === null);
}

const BY_KEYWORD: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  [
    'object',
    ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'propertyNames'],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'contains', 'uniqueItems', 'maxItems']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** The types a node admits, null last; told by its other keywords where it names none. */
export function typesOf(node: SchemaNode): string[] {
  const type = node['type'];
  if (typeof type === 'string') return [type];
  if (Array.isArray(type))
    return type.map(String).sort((a, b) => Number(a === 'null') - Number(b === 'null'));
  const told = BY_KEYWORD.find(([, keywords]) => keywords.some((keyword) => keyword in node));
  return [told?.[0] ?? 'string', 'null'];
}
