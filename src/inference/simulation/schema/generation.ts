import type { Reading } from '../reading.ts';

export type SchemaNode = { [keyword: string]: unknown };

/** Where in the value a node stands, and how much of it is wanted. */
export type Place = {
  /** As `$.items[0].price`, for messages. */
  path: string;
  /** The nearest property name: it guides the value. */
  name: string;
  /** Which of several like values this is, so that the items of an array differ. */
  variant: number;
  depth: number;
  /** Only what is required is wanted, because more has failed. */
  lean: boolean;
  /** The references followed to get here, for recursive schemas. */
  refs: readonly string[];
};

/** What the parts of the generator share while they make one value. */
export type Generation = {
  readonly reading: Reading;
  /** A number that depends on the request and the property's name, not on the order of work. */
  offset(place: Place): number;
  generate(schema: unknown, place: Place): unknown;
  accepts(value: unknown, node: SchemaNode): boolean;
};

/** The schema cannot be satisfied at this path, or not by this generator. */
export class Unsatisfiable extends Error {
  readonly path: string;

  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
    this.path = path;
  }
}

/** From this depth on, and in the second turn of a recursion, only what is required is made. */
const FULL_DEPTH = 6;

/** Whether only the least that is valid is wanted here. */
export function isLean(place: Place): boolean {
  return place.lean || place.depth >= FULL_DEPTH || new Set(place.refs).size < place.refs.length;
}

export function child(place: Place, key: string | number, name = place.name, variant = place.variant): Place {
  const plain = typeof key === 'string' && /^[A-Za-z_$][\w$]*$/.test(key);
  const step = plain ? `.${key}` : `[${JSON.stringify(key)}]`;
  return { ...place, path: place.path + step, name, variant, depth: place.depth + 1 };
}

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asMap(value: unknown): SchemaNode {
  return isNode(value) ? value : {};
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
