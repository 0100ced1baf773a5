import { dereference, type Schema, validate } from '@cfworker/json-schema';
import { BoundExceeded, runBounded } from '../../../lib/bounded.ts';
import type { Random } from '../random.ts';
import type { Reading } from '../reading.ts';
import { generateArray } from './array.ts';
import { combinations, flatten, isNullNode, type Lookup, typesOf, weight } from './flatten.ts';
import { asList, type Generation, isLean, type Place, type SchemaNode, Unsatisfiable } from './generation.ts';
import { knownValues } from './known.ts';
import { generateNumber } from './number.ts';
import { generateObject } from './object.ts';
import { generateString } from './string.ts';

/** Nodes made for one value: beyond it the schema asks for more than simulation will do. */
const MOST_NODES = 20_000;
const DEEPEST = 40;
/** As long as one caller's schema may hold up the others; hostile patterns need no end. */
const LIMIT_MS = 1000;
const COMBINATIONS = 64;
const RETRIES = 6;
/** From this retry on, optional parts are left out, since one of them may be what was refused. */
const LEAN_RETRY = 4;

export type Generated = { kind: 'value'; value: unknown } | { kind: 'unsatisfiable'; reason: string };

/**
 * A value for a JSON Schema (draft 2020-12), made from the request's own words and validated before it is given.
 * When the schema has no such value, or is beyond the generator, the reason names the path.
 */
export function generateValue(schema: unknown, name: string, reading: Reading, random: Random): Generated {
  try {
    return runBounded(() => generate(schema, name, reading, random), LIMIT_MS);
  } catch (error) {
    if (!(error instanceof BoundExceeded)) throw error;
    return { kind: 'unsatisfiable', reason: `$: the schema takes more than ${LIMIT_MS} ms` };
  }
}

function generate(schema: unknown, name: string, reading: Reading, random: Random): Generated {
  try {
    // The validator marks the nodes it meets, which must not show in the caller's request.
    const root: unknown = JSON.parse(JSON.stringify(schema));
    const value = new SchemaGenerator(root, reading, random.below(1 << 30)).generate(root, {
      path: '$',
      name,
      variant: 0,
      depth: 0,
      lean: false,
      refs: [],
    });
    const result = validate(value, root as Schema, '2020-12', dereference(root as Schema), true);
    if (result.valid) return { kind: 'value', value };
    const first = result.errors.at(-1);
    return { kind: 'unsatisfiable', reason: `${first?.instanceLocation.replace('#', '$')}: ${first?.error}` };
  } catch (error) {
    if (error instanceof Unsatisfiable) return { kind: 'unsatisfiable', reason: error.message };
    return {
      kind: 'unsatisfiable',
      reason: `$: the schema cannot be used (${String(error).split('\n')[0]})`,
    };
  }
}

class SchemaGenerator implements Generation {
  readonly reading: Reading;
  private readonly salt: number;
  private readonly lookup: Lookup;
  private readonly known: ReadonlyMap<string, readonly unknown[]>;
  private nodes = 0;

  constructor(root: unknown, reading: Reading, salt: number) {
    this.reading = reading;
    this.salt = salt;
    this.lookup = dereference(root as Schema);
    this.known = knownValues(reading);
  }

  offset(place: Place): number {
    let hash = this.salt;
    for (let i = 0; i < place.name.length; i++) hash = Math.imul(hash ^ place.name.charCodeAt(i), 16777619);
    return hash >>> 1;
  }

  accepts(value: unknown, node: SchemaNode | boolean): boolean {
    return validate(value, node as Schema, '2020-12', this.lookup, true).valid;
  }

  generate(schema: unknown, place: Place): unknown {
    if (++this.nodes > MOST_NODES) throw new Unsatisfiable(place.path, 'the schema asks for too much');
    if (place.depth > DEEPEST) throw new Unsatisfiable(place.path, 'the schema nests without an end');
    const flat = flatten(schema, place, this.lookup);
    const order = (options: readonly unknown[]) => this.ordered(options, place);
    let failure = new Unsatisfiable(place.path, 'no value was found that the schema admits');
    for (const chosen of combinations(flat, place, this.lookup, order, { tries: COMBINATIONS })) {
      for (let retry = 0; retry < RETRIES; retry++) {
        try {
          const at = {
            ...place,
            refs: chosen.refs,
            variant: place.variant + retry,
            lean: place.lean || retry >= LEAN_RETRY,
          };
          const value = this.fromFlat(chosen.node, at);
          if (this.accepts(value, schema as SchemaNode)) return value;
        } catch (error) {
          if (!(error instanceof Unsatisfiable)) throw error;
          failure = error;
          break;
        }
      }
    }
    throw failure;
  }

  private ordered(options: readonly unknown[], place: Place): readonly unknown[] {
    if (isLean(place)) return [...options].sort((a, b) => weight(a) - weight(b));
    const start = options.length === 0 ? 0 : (this.offset(place) + place.variant) % options.length;
    const turned = [...options.slice(start), ...options.slice(0, start)];
    return turned.sort((a, b) => Number(isNullNode(a)) - Number(isNullNode(b)));
  }

  private fromFlat(node: SchemaNode, place: Place): unknown {
    if ('const' in node) return node['const'];
    for (const value of this.given(node, place)) if (this.accepts(value, node)) return value;
    if ('enum' in node) throw new Unsatisfiable(place.path, 'no value of the enum is admitted');
    let failure = new Unsatisfiable(place.path, 'the schema admits no type here');
    const types = typesOf(node);
    for (const type of isLean(place) ? types.reverse() : types) {
      try {
        return this.ofType(type, node, place);
      } catch (error) {
        if (!(error instanceof Unsatisfiable)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** Values that the schema or the request itself holds for this place, best first. */
  private given(node: SchemaNode, place: Place): unknown[] {
    if ('enum' in node) {
      const values = asList(node['enum']);
      const text = this.reading.text.toLowerCase();
      const said = values.findIndex(
        (value) => typeof value === 'string' && value !== '' && text.includes(value.toLowerCase()),
      );
      const start = ((said >= 0 ? said : this.offset(place)) + place.variant) % Math.max(1, values.length);
      return [...values.slice(start), ...values.slice(0, start)];
    }
    const known = this.known.get(place.name.toLowerCase().replace(/[^a-z0-9]/g, ''));
    const said = known && 'type' in node ? known.slice(place.variant) : [];
    const examples = asList(node['examples']);
    return [
      ...said,
      ...('default' in node && place.variant === 0 ? [node['default']] : []),
      ...examples.slice(place.variant),
    ];
  }

  private ofType(type: string, node: SchemaNode, place: Place): unknown {
    switch (type) {
      case 'object':
        return generateObject(node, place, this);
      case 'array':
        return generateArray(node, place, this);
      case 'string':
        return generateString(node, place, this);
      case 'integer':
      case 'number':
        return generateNumber(node, type, place, this);
      case 'boolean':
        return (this.offset(place) + place.variant) % 2 === 0;
      case 'null':
        return null;
      default:
        throw new Unsatisfiable(place.path, `${JSON.stringify(type)} is no type`);
    }
  }
}
