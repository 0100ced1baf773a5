import { canonicalJson } from '../../../lib/canonical-json.ts';
import {
  asList,
  asNumber,
  child,
  type Generation,
  isLean,
  type Place,
  type SchemaNode,
  Unsatisfiable,
} from './generation.ts';

const USUAL_LENGTH = 3;
const LONGEST = 10_000;
const DISTINCT_TRIES = 60;

/** An array that the node admits, as long as the request asks, else three items. */
export function generateArray(node: SchemaNode, place: Place, generation: Generation): unknown[] {
  const fixed = asList(node['prefixItems']);
  const shortest = Math.max(asNumber(node['minItems']) ?? 0, leastContained(node));
  const longest = asNumber(node['maxItems']) ?? Infinity;
  if (shortest > LONGEST) throw new Unsatisfiable(place.path, `minItems ${shortest} is over ${LONGEST}`);
  if (shortest > longest) throw new Unsatisfiable(place.path, 'minItems is over maxItems');
  const length = Math.min(
    longest,
    Math.max(shortest, isLean(place) ? 0 : usualLength(node, place, generation)),
  );
  const items: unknown[] = [];
  const seen = new Set<string>();
  for (let i = 0; i < length; i++) {
    try {
      const item = distinctItem(itemSchema(node, i, fixed), i);
      items.push(item);
    } catch (error) {
      if (!(error instanceof Unsatisfiable) || i < shortest) throw error;
      break;
    }
  }
  return items;

  function distinctItem(schema: unknown, index: number): unknown {
    const unique = node['uniqueItems'] === true;
    const at = child(place, index, singular(place.name));
    for (let i = 0; i < (unique ? DISTINCT_TRIES : 1); i++) {
      const item = generation.generate(schema, { ...at, variant: place.variant * USUAL_LENGTH + index + i });
      const text = unique ? canonicalJson(item) : '';
      if (!unique || !seen.has(text)) {
        seen.add(text);
        return item;
      }
    }
    throw new Unsatisfiable(at.path, 'no further item was found that differs from the others');
  }
}

function usualLength(node: SchemaNode, place: Place, generation: Generation): number {
  const fixed = asList(node['prefixItems']).length;
  if (node['items'] === false || (node['items'] === undefined && fixed > 0)) return fixed;
  if (place.depth > 3) return Math.max(fixed, 1);
  return Math.max(fixed, Math.min(generation.reading.count ?? USUAL_LENGTH, 50));
}

function leastContained(node: SchemaNode): number {
  return 'contains' in node ? (asNumber(node['minContains']) ?? 1) + asList(node['prefixItems']).length : 0;
}

function itemSchema(node: SchemaNode, index: number, fixed: readonly unknown[]): unknown {
  if (index < fixed.length) return fixed[index];
  const items = node['items'] ?? {};
  const contained = index < leastContained(node) || (node['items'] === undefined && 'contains' in node);
  const most = asNumber(node['maxContains']) ?? Infinity;
  return contained && index < fixed.length + most ? { allOf: [items, node['contains']] } : items;
}

/** The name of one of several: `steps` guides its items as `step`. */
function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}
