export type Tree = { [key: string]: unknown };

/** Nested objects from values by dotted path. */
export function toTree(values: Iterable<readonly [path: string, value: unknown]>): Tree {
  const root: Tree = {};
  for (const [path, value] of values) {
    const parts = path.split('.');
    const last = parts.pop() ?? path;
    let node = root;
    for (const part of parts) {
      const child = node[part];
      if (isTree(child)) {
        node = child;
      } else {
        const created: Tree = {};
        node[part] = created;
        node = created;
      }
    }
    node[last] = value;
  }
  return root;
}

/** The values of nested objects by dotted path, in their order; lists are values. */
export function toLeaves(tree: Tree, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] =>
    isTree(value) ? toLeaves(value, `${prefix}${key}.`) : [[`${prefix}${key}`, value]],
  );
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
