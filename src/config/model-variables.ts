import { type Environment, readVariable } from './environment.ts';
import type { Entry } from './layer.ts';
import type { Problem } from './problems.ts';

/**
 * Variables of people who come from another stack: a local server and a Foundry resource, with one model for all roles
 * or one per role. Blank ones mean "not set", so that a template full of blanks and one model resolves every role.
 */
export type ModelVariables = {
  /** Fields of the deployments that the variables make, each set with its variable. */
  deployments: ReadonlyMap<string, Entry>[];
  /** The default chains they make; in force only where the file sets none. */
  defaults: Entry[];
  /** Chains of roles whose own model is named. */
  chains: Entry[];
  /** Roles that they declare, with the variable. */
  roles: Map<string, string>;
  /** Roles that take another role's chain when they have none of their own, by tier. */
  parents: Map<string, RoleParents>;
  problems: Problem[];
  warnings: string[];
};

export type RoleParents = { live?: string | undefined; local?: string | undefined };

const DEFAULT_LOCAL_URL = 'http://127.0.0.1:11434/v1';

/** The roles whose `<ROLE>_MODEL` is understood undeclared, without underscores, and whose chain each one falls back to. */
const KNOWN_ROLES: Readonly<Record<string, RoleParents>> = {
  narrator: {},
  orgdesigner: { live: 'narrator', local: 'narrator' },
  antagonist: { live: 'narrator', local: 'narrator' },
  strategist: {},
  designer: {},
  marketer: {},
  ops: { live: 'marketer' },
  npcfast: {},
};

type NamedModel = { variable: string; model: string };
type Tier = 'live' | 'local';
type RoleModels = Record<Tier, Map<string, NamedModel>>;

/** Reads the variables. `fileRoles` are the roles that the file declares; a variable's name is matched to them first. */
export function readModelVariables(env: Environment, fileRoles: Iterable<string>): ModelVariables {
  const read: ModelVariables = {
    deployments: [],
    defaults: [],
    chains: [],
    roles: new Map(),
    parents: new Map(),
    problems: [],
    warnings: [],
  };
  const declared = [...fileRoles];
  const models = readRoleModels(env, declared, read);
  for (const role of read.roles.keys()) {
    const { live, local } = KNOWN_ROLES[normalise(role)] ?? {};
    const all = [...declared, ...read.roles.keys()];
    read.parents.set(role, { live: live && findRole(live, all), local: local && findRole(local, all) });
  }
  addLocal(env, models.local, read);
  addLive(env, models.live, read);
  return read;
}

/** `org_designer`, `OrgDesigner` and `orgdesigner` are one name. */
function normalise(role: string): string {
  return role.toLowerCase().replaceAll(/[_-]/g, '');
}

function findRole(name: string, roles: readonly string[]): string | undefined {
  return roles.find((role) => role === name) ?? roles.find((role) => normalise(role) === normalise(name));
}

function readRoleModels(env: Environment, fileRoles: readonly string[], read: ModelVariables): RoleModels {
  const models: RoleModels = { live: new Map(), local: new Map() };
  const present = Object.keys(env)
    .filter((name) => env[name] !== undefined)
    .sort();
  const take = (tier: Tier, variable: string, name: string, declares: boolean) => {
    let role = findRole(name, [...fileRoles, ...read.roles.keys()]);
    if (role === undefined && !declares) return;
    if (role === undefined) {
      role = name;
      read.roles.set(role, variable);
    }
    const model = readVariable(env, variable);
    if (model === undefined) return;
    const earlier = models[tier].get(role);
    if (earlier !== undefined && earlier.model !== model) {
      const text = `"${model}" is not allowed beside ${earlier.variable}, which names the same role. Keep one of them.`;
      read.problems.push({ where: variable, path: `roles.${role}.${tier}`, text });
    }
    models[tier].set(role, { variable, model });
  };
  for (const variable of present) {
    const name = /^LOCAL_(.+)_MODEL$/.exec(variable)?.[1];
    if (name !== undefined && name !== 'AGENT') take('local', variable, name.toLowerCase(), true);
  }
  for (const variable of present) {
    const name = /^(?!LOCAL_)(.+)_MODEL$/.exec(variable)?.[1];
    if (name === undefined || variable === 'FOUNDRY_FALLBACK_MODEL') continue;
    take('live', variable, name.toLowerCase(), Object.hasOwn(KNOWN_ROLES, normalise(name)));
  }
  return models;
}

function addLocal(env: Environment, models: ReadonlyMap<string, NamedModel>, read: ModelVariables): void {
  if (!isLocalEnabled(env, read)) return;
  const baseUrl = readVariable(env, 'LOCAL_AGENT_BASE_URL');
  const model = readVariable(env, 'LOCAL_AGENT_MODEL');
  if (model === undefined && models.size === 0) {
    if (baseUrl !== undefined) {
      read.warnings.push(
        'LOCAL_AGENT_BASE_URL is set, but no model is: set LOCAL_AGENT_MODEL or LOCAL_<ROLE>_MODEL.',
      );
    }
    return;
  }
  const shared: SharedFields = {
    tier: ['local', baseUrl === undefined ? 'LOCAL_AGENT_MODEL' : 'LOCAL_AGENT_BASE_URL'],
    baseUrl: baseUrl === undefined ? [DEFAULT_LOCAL_URL, null] : [baseUrl, 'LOCAL_AGENT_BASE_URL'],
    ...(readVariable(env, 'LOCAL_AGENT_API_KEY') === undefined
      ? {}
      : {
          'auth.type': ['api_key', 'LOCAL_AGENT_API_KEY'],
          'auth.env': ['LOCAL_AGENT_API_KEY', 'LOCAL_AGENT_API_KEY'],
        }),
  };
  const make = deploymentMaker(shared, read);
  const defaultId =
    model === undefined ? undefined : make('local-agent', { variable: 'LOCAL_AGENT_MODEL', model });
  if (defaultId !== undefined) {
    read.defaults.push(toEntry(['defaults', 'local'], [defaultId], 'LOCAL_AGENT_MODEL'));
  }
  for (const [role, named] of models) {
    const id = named.model === model ? 'local-agent' : make(`local-agent:${named.model}`, named);
    read.chains.push(toEntry(['roles', role, 'local'], [id], named.variable));
  }
}

function isLocalEnabled(env: Environment, read: ModelVariables): boolean {
  const given = readVariable(env, 'LOCAL_AGENT_ENABLED');
  if (given === undefined || /^(1|true|yes|on)$/i.test(given)) return true;
  if (/^(0|false|no|off)$/i.test(given)) return false;
  const text = `${JSON.stringify(given)} is not allowed. Use true or false.`;
  read.problems.push({ where: 'LOCAL_AGENT_ENABLED', path: 'deployments.local-agent', text });
  return false;
}

function addLive(env: Environment, models: ReadonlyMap<string, NamedModel>, read: ModelVariables): void {
  const resource = findResource(env, read);
  const fallback = readVariable(env, 'FOUNDRY_FALLBACK_MODEL');
  const names = [
    ...[...models.values()].map(({ variable }) => variable),
    ...(fallback ? ['FOUNDRY_FALLBACK_MODEL'] : []),
  ];
  if (resource === undefined) {
    if (names.length > 0) {
      const verb = names.length === 1 ? 'names a live model' : 'name live models';
      read.warnings.push(
        `${names.join(', ')} ${verb}, but neither FOUNDRY_BASE_URL nor FOUNDRY_PROJECT_ENDPOINT is set.`,
      );
    }
    return;
  }
  if (names.length === 0) {
    read.warnings.push(
      `${resource.variable} is set, but no live model is: set <ROLE>_MODEL (as NARRATOR_MODEL) or FOUNDRY_FALLBACK_MODEL.`,
    );
    return;
  }
  const make = deploymentMaker(
    {
      tier: ['live', resource.variable],
      baseUrl: [resource.baseUrl, resource.variable, resource.note],
      ...(readVariable(env, 'FOUNDRY_API_KEY') === undefined
        ? { 'auth.type': ['entra', resource.variable, 'FOUNDRY_API_KEY is not set'] }
        : {
            'auth.type': ['api_key', 'FOUNDRY_API_KEY'],
            'auth.env': ['FOUNDRY_API_KEY', 'FOUNDRY_API_KEY'],
            'auth.header': ['api-key', 'FOUNDRY_API_KEY'],
          }),
    },
    read,
  );
  const own = [...models].map(([role, named]) => ({
    role,
    named,
    id: make(`foundry:${named.model}`, named),
  }));
  const last =
    fallback === undefined
      ? []
      : [make(`foundry:${fallback}`, { variable: 'FOUNDRY_FALLBACK_MODEL', model: fallback })];
  for (const { role, named, id } of own) {
    read.chains.push(toEntry(['roles', role, 'live'], [...new Set([id, ...last])], named.variable));
  }
  if (last.length > 0) read.defaults.push(toEntry(['defaults', 'live'], last, 'FOUNDRY_FALLBACK_MODEL'));
}

type Resource = { baseUrl: string; variable: string; note?: string };

function findResource(env: Environment, read: ModelVariables): Resource | undefined {
  const baseUrl = readVariable(env, 'FOUNDRY_BASE_URL');
  if (baseUrl !== undefined) return { baseUrl, variable: 'FOUNDRY_BASE_URL' };
  const variable = 'FOUNDRY_PROJECT_ENDPOINT';
  const endpoint = readVariable(env, variable);
  if (endpoint === undefined) return undefined;
  if (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol)) {
    return { baseUrl: `${new URL(endpoint).origin}/openai/v1`, variable, note: "its resource's /openai/v1" };
  }
  const text =
    'The value is not a URL. Use one as https://<resource>.services.ai.azure.com/api/projects/<project>.';
  read.problems.push({ where: variable, path: 'deployments.foundry.baseUrl', text });
  return undefined;
}

/** Value, variable (null: Tiercel's own default), and what to say of how the one follows from the other. */
type SharedFields = Record<
  string,
  readonly [value: unknown, variable: string | null, note?: string | undefined]
>;

/** Adds one deployment per id, however many roles ask for it, and gives the id back. */
function deploymentMaker(
  shared: SharedFields,
  read: ModelVariables,
): (id: string, named: NamedModel) => string {
  const made = new Set<string>();
  return (id, { variable, model }) => {
    if (made.has(id)) return id;
    made.add(id);
    const fields = { ...shared, id: [id, variable], model: [model, variable] } satisfies SharedFields;
    read.deployments.push(
      new Map(
        Object.entries<SharedFields[string]>(fields).map(([field, [value, source, note]]) => [
          field,
          toEntry(['deployments', id, ...field.split('.')], value, source, note),
        ]),
      ),
    );
    return id;
  };
}

function toEntry(path: readonly string[], value: unknown, variable: string | null, note?: string): Entry {
  if (variable === null) return { path, value, where: 'default', origin: { kind: 'default' } };
  const detail = note === undefined ? variable : `${variable} (${note})`;
  return { path, value, where: variable, origin: { kind: 'environment', detail } };
}
