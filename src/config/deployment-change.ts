import { addTree, type Layer } from './layer.ts';
import { deploymentSchema } from './schema.ts';
import type { Origin } from './settings.ts';
import { type Tree, toTree } from './tree.ts';

const PREFIX = 'deployments.';

/** At run time the id stands in the path, `deployments.<id>`, and is not repeated in the value. */
export const definitionSchema = deploymentSchema.omit({ id: true });

/** The path that a deployment is changed by at run time. */
export function toDeploymentPath(id: string): string {
  return PREFIX + id;
}

/** The deployment that a path names, or undefined when it names something else. Ids may hold dots, so all of the rest is the id. */
export function deploymentOfPath(path: string): string | undefined {
  return path.startsWith(PREFIX) ? path.slice(PREFIX.length) : undefined;
}

/** Reads a deployment that was defined at run time into a layer, with the messages that the file gets. */
export function addDefinition(
  layer: Layer,
  id: string,
  value: unknown,
  { where, origin }: { where: string; origin: Origin },
): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    addTree(layer, definitionSchema, value, ['deployments', id], () => ({ where, origin }));
    return;
  }
  const known = Object.keys(definitionSchema.shape).join(', ');
  const text = `A deployment is changed as a whole. Use a map of ${known}, as in tiercel.yaml.`;
  layer.problems.push({ where, path: toDeploymentPath(id), text });
}

/** The definition that {@link addDefinition} read, without its blanks, as it is stored. */
export function toDefinition({ entries }: Layer): Tree {
  return toTree(entries.map(({ path, value }) => [path.slice(2).join('.'), value]));
}
