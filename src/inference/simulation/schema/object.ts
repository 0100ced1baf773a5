import {
  asList,
  asMap,
  asNumber,
  child,
  type Generation,
  isLean,
  isNode,
  type Place,
  type SchemaNode,
  Unsatisfiable,
} from './generation.ts';
import { phraseAt, slug } from './wording.ts';

const MOST_ADDED = 1000;

/** An object that the node admits: its properties in the schema's order, optional ones where there is room. */
export function generateObject(node: SchemaNode, place: Place, generation: Generation): SchemaNode {
  const properties = asMap(node['properties']);
  const required = requiredNames(node);
  const most = asNumber(node['maxProperties']) ?? Infinity;
  let optional = isLean(place) ? 0 : most - required.size;
  const entries = new Map<string, unknown>();
  for (const name of [...Object.keys(properties), ...required]) {
    if (entries.has(name)) continue;
    const needed = required.has(name);
    if (!needed && optional <= 0) continue;
    try {
      entries.set(name, generation.generate(schemaOf(node, name, place), child(place, name, name)));
      if (!needed) optional--;
    } catch (error) {
      if (needed || !(error instanceof Unsatisfiable)) throw error;
    }
  }
  addDependents(node, place, generation, entries);
  addFurther(node, place, generation, entries);
  return Object.fromEntries(entries);
}

function requiredNames(node: SchemaNode): Set<string> {
  return new Set(asList(node['required']).filter((name) => typeof name === 'string'));
}

function schemaOf(node: SchemaNode, name: string, place: Place): unknown {
  const parts: unknown[] = [];
  const properties = asMap(node['properties']);
  if (Object.hasOwn(properties, name)) parts.push(properties[name]);
  for (const [pattern, schema] of Object.entries(asMap(node['patternProperties']))) {
    if (matches(pattern, name, place)) parts.push(schema);
  }
  if (parts.length === 0) parts.push(node['additionalProperties'] ?? node['unevaluatedProperties'] ?? {});
  return parts.length === 1 ? parts[0] : { allOf: parts };
}

function matches(pattern: string, name: string, place: Place): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    throw new Unsatisfiable(place.path, `${JSON.stringify(pattern)} is no regular expression`);
  }
}

function addDependents(
  node: SchemaNode,
  place: Place,
  generation: Generation,
  entries: Map<string, unknown>,
): void {
  for (const [name, needed] of Object.entries(asMap(node['dependentRequired']))) {
    if (!entries.has(name)) continue;
    for (const other of asList(needed)) {
      if (typeof other !== 'string' || entries.has(other)) continue;
      entries.set(other, generation.generate(schemaOf(node, other, place), child(place, other, other)));
    }
  }
}

/** Properties that the schema does not name: as many as `minProperties` asks, and two for a map. */
function addFurther(
  node: SchemaNode,
  place: Place,
  generation: Generation,
  entries: Map<string, unknown>,
): void {
  const least = asNumber(node['minProperties']) ?? 0;
  if (least > MOST_ADDED) throw new Unsatisfiable(place.path, `minProperties ${least} is over ${MOST_ADDED}`);
  const isMap =
    Object.keys(asMap(node['properties'])).length === 0 &&
    node['additionalProperties'] !== false &&
    node['unevaluatedProperties'] !== false;
  const usual = isMap && !isLean(place) ? Math.min(2, asNumber(node['maxProperties']) ?? 2) : 0;
  for (let i = 0; entries.size < Math.max(least, usual) && i < least + 100; i++) {
    try {
      const name = furtherName(node, place, generation, i);
      if (entries.has(name)) continue;
      const at = child(place, name, place.name, place.variant + i);
      entries.set(name, generation.generate(schemaOf(node, name, place), at));
    } catch (error) {
      if (!(error instanceof Unsatisfiable) || entries.size < least) throw error;
      return;
    }
  }
  if (entries.size < least) throw new Unsatisfiable(place.path, `minProperties ${least} cannot be reached`);
}

function furtherName(node: SchemaNode, place: Place, generation: Generation, index: number): string {
  const at = { ...place, name: 'key', variant: place.variant + index };
  const [pattern] = Object.keys(asMap(node['patternProperties']));
  const closed = node['additionalProperties'] === false || node['unevaluatedProperties'] === false;
  if (closed && pattern === undefined) throw new Unsatisfiable(place.path, 'no further property is allowed');
  const names = asMap(node['propertyNames']);
  if (closed || isNode(node['propertyNames'])) {
    const schema = closed
      ? { allOf: [{ ...names, pattern }, { type: 'string' }] }
      : { allOf: [names, { type: 'string' }] };
    return String(generation.generate(schema, at));
  }
  const word = slug(phraseAt(generation.reading, index).text).replaceAll('-', '_');
  return index < generation.reading.phrases.length ? word : `${word}_${index + 1}`;
}
