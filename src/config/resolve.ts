import { Secret } from '../lib/secret.ts';
import { faultOfRuntimePath } from './change.ts';
import { type BuildContext, buildDeployment, type DeploymentFields } from './deployment.ts';
import { addDefinition, deploymentOfPath } from './deployment-change.ts';
import { type Environment, readEnvironmentLayer } from './environment.ts';
import { type ConfigFile, readFileLayer } from './file.ts';
import { addSetting, createLayer, type Entry, type Layer } from './layer.ts';
import { readModelVariables } from './model-variables.ts';
import { throwProblems } from './problems.ts';
import { checkChains, faultOfName, resolveRoles } from './roles.ts';
import { baseSchema, DEFAULTS, isBlank } from './schema.ts';
import type { Deployment, Origin, ResolvedSettings, Settings } from './settings.ts';
import { toLeaves, toTree } from './tree.ts';
import { warningsOf } from './warnings.ts';

/** A setting changed while the server ran. A blank value takes the change back. */
export type RuntimeChange = { value: unknown; author: string; at: Date };

/** The flags of `serve`, as given; they win over every other layer. */
export type Flags = {
  host?: string | undefined;
  port?: string | number | undefined;
  dataDir?: string | undefined;
  mode?: string | undefined;
  routing?: string | undefined;
  config?: string | undefined;
};

/** All that settings are made of, read and at hand. */
export type ResolveInputs = {
  /** Absent: there is no file. */
  file?: ConfigFile;
  env: Environment;
  /** By path, from the database. */
  runtime?: ReadonlyMap<string, RuntimeChange>;
  flags?: Flags;
  /** The text of a key file that `auth.file` names, or undefined when it cannot be read. */
  readKeyFile: (path: string) => string | undefined;
};

/**
 * Lays the layers over each other, lowest first: defaults, file, environment, run-time changes, flags. Pure but for
 * `readKeyFile`.
 *
 * @throws TiercelError `config_invalid` with every wrong setting; `config_unreadable` when the file is not YAML.
 */
export function resolveSettings(inputs: ResolveInputs): ResolvedSettings {
  const file = inputs.file === undefined ? createLayer() : readFileLayer(inputs.file);
  const environment = readEnvironmentLayer(inputs.env);
  const models = readModelVariables(inputs.env, file.roles.keys());
  const declared = new Map([...file.roles, ...models.roles]);
  const runtime = readRuntimeLayer(inputs.runtime ?? new Map(), declared);
  const flags = readFlagsLayer(inputs.flags ?? {});

  const values = new Map<string, Entry>();
  const layers = [
    toLeaves(DEFAULTS).map(toDefault),
    // Default chains that variables make stand in for a file that sets none; they do not override one.
    models.defaults,
    file.entries.filter(({ path }) => path[0] !== 'deployments'),
    [...environment.entries, ...models.chains],
    runtime.entries.filter(({ path }) => path[0] !== 'deployments'),
    flags.entries,
  ];
  for (const entry of layers.flat()) values.set(entry.path.join('.'), entry);

  const problems = [file, environment, models, runtime, flags].flatMap((layer) => layer.problems);
  const warnings = [...models.warnings];
  const origins = new Map<string, Origin>();
  for (const [path, entry] of values) if (!path.startsWith('roles.')) origins.set(path, entry.origin);

  const fields = override([...toDeploymentFields(file), ...models.deployments], toDeploymentFields(runtime));
  const allowPrivate = (values.get('egress.allowPrivate')?.value ?? []) as readonly string[];
  const deployments = buildDeployments(fields, {
    env: inputs.env,
    readKeyFile: inputs.readKeyFile,
    allowPrivate,
    problems,
    warnings,
    origins,
  });
  const roles = resolveRoles({ values, declared, parents: models.parents, problems, origins });
  checkChains(values, tiersById(fields, deployments), problems);
  throwProblems(problems);

  const baseValues = [...values].filter(([, { path }]) => Object.hasOwn(baseSchema.shape, path[0] ?? ''));
  const base = baseSchema.parse(toTree(baseValues.map(([path, { value }]) => [path, value])));
  const databaseUrl = values.get('databaseUrl')?.value;
  if (databaseUrl === undefined) origins.set('databaseUrl', { kind: 'default' });
  const settings: Settings = {
    ...base,
    databaseUrl: typeof databaseUrl === 'string' ? new Secret(databaseUrl) : null,
    deployments,
    roles,
  };
  return { settings, origins, warnings: [...warnings, ...warningsOf(settings)] };
}

function toDefault([path, value]: [string, unknown]): Entry {
  return { path: path.split('.'), value, where: 'default', origin: { kind: 'default' } };
}

function readRuntimeLayer(
  changes: ReadonlyMap<string, RuntimeChange>,
  declared: ReadonlyMap<string, string>,
): Layer {
  const layer = createLayer();
  for (const [path, { value, author, at }] of changes) {
    if (isBlank(value)) continue;
    const detail = `${author}, ${at.toISOString()}`;
    const where = `console (${detail})`;
    const role = /^roles\.([^.]+)\./.exec(path)?.[1];
    const fault =
      faultOfRuntimePath(path) ??
      (role !== undefined && !declared.has(role)
        ? `"${role}" is no role of the file or the environment.`
        : undefined);
    if (fault !== undefined) {
      layer.problems.push({ where, path, text: fault });
      continue;
    }
    const origin: Origin = { kind: 'console', detail };
    const deployment = deploymentOfPath(path);
    if (deployment === undefined) {
      addSetting(layer, path, value, where, origin);
    } else {
      layer.entries.push({ path: ['deployments', deployment, 'id'], value: deployment, where, origin });
      addDefinition(layer, deployment, value, { where, origin });
    }
  }
  return layer;
}

function readFlagsLayer(flags: Flags): Layer {
  const layer = createLayer();
  const given: [flag: string, path: string, value: string | number | undefined][] = [
    ['--host', 'server.host', flags.host],
    ['--port', 'server.port', flags.port],
    ['--data-dir', 'dataDir', flags.dataDir],
    ['--mode', 'mode', flags.mode],
    ['--routing', 'routing', flags.routing],
  ];
  for (const [flag, path, value] of given)
    addSetting(layer, path, value, flag, { kind: 'flag', detail: flag });
  return layer;
}

/** The deployments of a layer: by index in the file, by id at run time. */
function toDeploymentFields(layer: Layer): DeploymentFields[] {
  const byKey = new Map<string, Map<string, Entry>>();
  for (const entry of layer.entries) {
    const [section, key, ...field] = entry.path;
    if (section !== 'deployments' || key === undefined) continue;
    const fields = byKey.get(key) ?? new Map<string, Entry>();
    byKey.set(key, fields.set(field.join('.'), entry));
  }
  return [...byKey.values()];
}

/** A deployment defined at run time takes the place of the one with its id, as a whole, or comes last. */
function override(
  base: readonly DeploymentFields[],
  changed: readonly DeploymentFields[],
): DeploymentFields[] {
  const left = new Map(changed.map((fields) => [fields.get('id')?.value, fields]));
  const inPlace = base.map((fields) => {
    const id = fields.get('id')?.value;
    const change = left.get(id);
    left.delete(id);
    return change ?? fields;
  });
  return [...inPlace, ...left.values()];
}

function buildDeployments(all: readonly DeploymentFields[], context: BuildContext): Deployment[] {
  const places = new Map<string, string>();
  const built: Deployment[] = [];
  for (const fields of all) {
    const id = fields.get('id');
    if (id !== undefined) {
      const name = String(id.value);
      const earlier = places.get(name);
      const text =
        earlier === undefined
          ? faultOfName('deployment', name)
          : `The id is taken by the deployment of ${earlier}. Use another.`;
      if (text !== undefined) {
        context.problems.push({ where: id.where, path: `deployments.${name}.id`, text });
        continue;
      }
      places.set(name, id.where);
    }
    const deployment = buildDeployment(fields, context);
    if (deployment !== undefined) built.push(deployment);
  }
  return built;
}

/** The tier of each deployment; a faulty one counts too, so that its own problem is not told again for every chain. */
function tiersById(
  all: readonly DeploymentFields[],
  built: readonly Deployment[],
): Map<string, Deployment['tier'] | undefined> {
  const named = all.flatMap((fields): [string, undefined][] => {
    const id = fields.get('id')?.value;
    return typeof id === 'string' ? [[id, undefined]] : [];
  });
  return new Map([...named, ...built.map(({ id, tier }) => [id, tier] as const)]);
}
