import { z } from 'zod';
import { type Problem, suggest, toPathText, toShown } from './problems.ts';
import { fromText, isBlank, settingSchema, unwrap } from './schema.ts';
import type { Origin } from './settings.ts';

/** One value that one layer gives, already of the right form. */
export type Entry = {
  path: readonly string[];
  value: unknown;
  /** For messages: `tiercel.yaml:3`, `DEMO_MODE`, `--port`. */
  where: string;
  origin: Origin;
};

/** The valid values of a layer, and what else it declares. */
export type Layer = {
  entries: Entry[];
  /** Role names with the place that declares them; a role may be declared and set nothing. */
  roles: Map<string, string>;
  problems: Problem[];
};

/** Where the value at a path was written. */
export type Locate = (path: readonly string[]) => { where: string; origin: Origin };

export function createLayer(): Layer {
  return { entries: [], roles: new Map(), problems: [] };
}

/** Checks one value by the schema and adds it to the layer, as an entry or as a problem. */
function addValue(
  layer: Layer,
  schema: z.ZodType,
  given: { path: readonly string[]; value: unknown; where: string; origin: Origin },
): void {
  const checked = schema.safeParse(given.value);
  if (checked.success) {
    layer.entries.push({ ...given, value: checked.data });
    return;
  }
  const path = toPathText(given.path);
  const advice = [...new Set(checked.error.issues.map((issue) => issue.message))].join(' ');
  const text = `${toShown(path, given.value)} is not allowed. ${advice}`;
  layer.problems.push({ where: given.where, path, text });
}

/** As {@link addValue}, for a setting by path whose value may be text. Blank adds nothing. */
export function addSetting(layer: Layer, path: string, value: unknown, where: string, origin: Origin): void {
  if (isBlank(value)) return;
  const parts = path.split('.');
  const schema = settingSchema(parts);
  if (schema === undefined) {
    layer.problems.push({ where, path, text: 'There is no such setting.' });
    return;
  }
  addValue(layer, schema, {
    path: parts,
    value: typeof value === 'string' ? fromText(schema, value) : value,
    where,
    origin,
  });
}

/** Walks a parsed file along the schema: known keys become entries, everything else a problem. */
export function addTree(
  layer: Layer,
  schema: unknown,
  value: unknown,
  path: readonly string[],
  locate: Locate,
): void {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodRecord) {
    for (const [name, member] of membersOf(layer, value, path, locate, 'names, each with its own settings')) {
      const memberPath = [...path, name];
      layer.roles.set(name, locate(memberPath).where);
      addTree(layer, inner.valueType, member, memberPath, locate);
    }
  } else if (inner instanceof z.ZodObject) {
    addSection(layer, inner, value, path, locate);
  } else if (inner instanceof z.ZodArray && inner.element instanceof z.ZodObject && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      addTree(layer, inner.element, item, [...path, String(index)], locate);
    }
  } else if (inner instanceof z.ZodType && !isBlank(value)) {
    addValue(layer, inner, {
      path,
      value: typeof value === 'string' ? value.trim() : value,
      ...locate(path),
    });
  }
}

function addSection(
  layer: Layer,
  schema: z.ZodObject,
  value: unknown,
  path: readonly string[],
  locate: Locate,
): void {
  const known = Object.keys(schema.shape);
  const given = membersOf(layer, value, path, locate, known.join(', '));
  for (const [key, member] of given) {
    if (Object.hasOwn(schema.shape, key)) {
      addTree(layer, schema.shape[key], member, [...path, key], locate);
    } else {
      layer.problems.push(unknownKey(path, key, known, locate));
    }
  }
  // Everything has a default but the members of a deployment.
  if (path[0] !== 'deployments' || (path.length > 2 && given.length === 0)) return;
  const set = new Set(given.filter(([, member]) => !isBlank(member)).map(([key]) => key));
  for (const key of known) {
    if (set.has(key) || schema.shape[key] instanceof z.ZodOptional) continue;
    layer.problems.push({
      where: locate(path).where,
      path: toPathText([...path, key]),
      text: 'This is needed.',
    });
  }
}

function membersOf(
  layer: Layer,
  value: unknown,
  path: readonly string[],
  locate: Locate,
  expected: string,
): [string, unknown][] {
  if (isBlank(value)) return [];
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  const shownPath = toPathText(path);
  const text = `${toShown(shownPath, value)} is not allowed. Use a map of ${expected}.`;
  layer.problems.push({ where: locate(path).where, path: shownPath || 'file', text });
  return [];
}

function unknownKey(path: readonly string[], key: string, known: readonly string[], locate: Locate): Problem {
  const isLiteralKey =
    path.at(-1) === 'auth'
      ? /key|token|secret|value|password|bearer/i.test(key)
      : path[0] === 'deployments' && /api_?key|secret|password|bearer/i.test(key);
  return {
    where: locate([...path, key]).where,
    path: toPathText([...path, key]),
    text: isLiteralKey
      ? 'A key is never written here. Name the variable that holds it with `env`, or its file with `file`; it is neither taken over HTTP nor stored.'
      : `This key is not known. ${suggest(key, known)}`,
  };
}
