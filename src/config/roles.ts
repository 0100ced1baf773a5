import type { Entry } from './layer.ts';
import type { RoleParents } from './model-variables.ts';
import { type Problem, suggest } from './problems.ts';
import type { Deployment, Origin, Role } from './settings.ts';

/** The values in force by dotted path, and what roles are resolved against. */
export type RoleContext = {
  values: ReadonlyMap<string, Entry>;
  /** Role names in order, with the place that declares each. */
  declared: ReadonlyMap<string, string>;
  parents: ReadonlyMap<string, RoleParents>;
  problems: Problem[];
  origins: Map<string, Origin>;
};

const ROLE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const DEPLOYMENT_ID = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/;

/** What is wrong with a name that callers may put into `model`, or undefined when nothing is. */
export function faultOfName(kind: 'role' | 'deployment', name: string): string | undefined {
  if (name === 'auto' || name === 'simulation' || name.startsWith('role:')) {
    return `"${name}" is reserved (auto, simulation and role:… have their own meaning). Use another name.`;
  }
  if (kind === 'role' && !ROLE_NAME.test(name)) {
    return `"${name}" is not allowed. Use up to 64 letters, digits, "-" and "_".`;
  }
  if (kind === 'deployment' && !DEPLOYMENT_ID.test(name)) {
    return `"${name}" is not allowed. Use up to 200 letters, digits and . _ : / @ + - in an id.`;
  }
  return undefined;
}

/** Every declared role with its inheritance resolved: its own value, else of the role it inherits, else the default. */
export function resolveRoles(context: RoleContext): Role[] {
  checkRoles(context);
  return [...context.declared.keys()].map((name) => {
    const commit = inherit(context, name, 'commit')?.value as Role['commit'];
    return {
      name,
      live: (inherit(context, name, 'live')?.value ?? []) as readonly string[],
      local: (inherit(context, name, 'local')?.value ?? []) as readonly string[],
      ...(commit === undefined ? {} : { commit }),
      simulator: inherit(context, name, 'simulator')?.value === true,
    };
  });
}

type Field = 'live' | 'local' | 'commit' | 'simulator';

/** Finds the value of a role's field and puts its origin on record. */
function inherit(context: RoleContext, name: string, field: Field): Entry | undefined {
  const own = context.values.get(`roles.${name}.${field}`);
  const path = `roles.${name}.${field}`;
  if (own !== undefined) {
    context.origins.set(path, own.origin);
    return own;
  }
  const seen = new Set([name]);
  for (let role = parentOf(context, name, field); role !== undefined; role = parentOf(context, role, field)) {
    if (seen.has(role)) break;
    seen.add(role);
    const entry = context.values.get(`roles.${role}.${field}`);
    if (entry === undefined) continue;
    context.origins.set(path, { kind: 'inherited', detail: `roles.${role}.${field}` });
    return entry;
  }
  if (field === 'live' || field === 'local') {
    context.origins.set(path, { kind: 'inherited', detail: `defaults.${field}` });
    return context.values.get(`defaults.${field}`);
  }
  // Without a commit of its own a role follows the setting `commit`, and so has none to explain.
  if (field === 'simulator') context.origins.set(path, { kind: 'default' });
  return undefined;
}

function parentOf({ values, parents }: RoleContext, name: string, field: Field): string | undefined {
  const inherits = values.get(`roles.${name}.inherits`)?.value;
  if (typeof inherits === 'string') return inherits;
  return field === 'live' || field === 'local' ? parents.get(name)?.[field] : undefined;
}

function checkRoles({ values, declared, problems }: RoleContext): void {
  const inCycle = new Set<string>();
  for (const [name, where] of declared) {
    const fault = faultOfName('role', name);
    if (fault !== undefined) problems.push({ where, path: `roles.${name}`, text: fault });

    const chain = [name];
    let entry = values.get(`roles.${name}.inherits`);
    while (entry !== undefined && !inCycle.has(name)) {
      const parent = String(entry.value);
      if (!declared.has(parent)) {
        if (chain.length === 1) problems.push(unknownParent(name, parent, entry, declared));
        break;
      }
      if (parent === name) {
        for (const member of chain) inCycle.add(member);
        const text = `The roles inherit in a circle: ${[...chain, name].join(' → ')}. Let one of them set its own chains.`;
        problems.push({ where: entry.where, path: `roles.${name}.inherits`, text });
      }
      if (chain.includes(parent)) break;
      chain.push(parent);
      entry = values.get(`roles.${parent}.inherits`);
    }
  }
}

function unknownParent(
  name: string,
  parent: string,
  entry: Entry,
  declared: ReadonlyMap<string, string>,
): Problem {
  const others = [...declared.keys()].filter((role) => role !== name);
  const text = `"${parent}" is no role. ${suggest(parent, others)}`;
  return { where: entry.where, path: `roles.${name}.inherits`, text };
}

/** Checks that every chain names deployments that exist, of its own tier, each once. */
export function checkChains(
  values: ReadonlyMap<string, Entry>,
  deployments: ReadonlyMap<string, Deployment['tier'] | undefined>,
  problems: Problem[],
): void {
  for (const [path, { value, where }] of values) {
    const tier = /(?:^defaults|^roles\.[^.]+)\.(live|local)$/.exec(path)?.[1];
    if (tier === undefined || !Array.isArray(value)) continue;
    const fitting = [...deployments].filter(([, other]) => other === tier).map(([id]) => id);
    for (const [index, id] of value.entries()) {
      const named = deployments.get(id);
      if (!deployments.has(id)) {
        problems.push({ where, path, text: `"${id}" is no deployment. ${suggest(id, fitting)}` });
      } else if (named !== undefined && named !== tier) {
        const advice =
          fitting.length === 0 ? `No deployment has tier ${tier}.` : `Use one of: ${fitting.join(', ')}.`;
        problems.push({
          where,
          path,
          text: `"${id}" has tier ${named} and cannot stand in a ${tier} chain. ${advice}`,
        });
      } else if (value.indexOf(id) !== index) {
        problems.push({ where, path, text: `"${id}" stands in the chain twice. Name it once.` });
      }
    }
  }
}
