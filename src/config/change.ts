import { addDefinition, deploymentOfPath, toDefinition } from './deployment-change.ts';
import { addSetting, createLayer } from './layer.ts';
import { findNearest, throwProblems } from './problems.ts';
import { faultOfName } from './roles.ts';
import { DEFAULTS, isBlank, settingSchema } from './schema.ts';
import { type Tree, toLeaves } from './tree.ts';

const RUNTIME_PATH =
  /^(mode|routing|floor|commit|content|(limits|breaker|defaults)\..+|roles\.[^.]+\.(live|local|commit))$/;

const RUNTIME_SUMMARY =
  'mode, routing, floor, commit, content, limits.*, breaker.*, defaults.live|local, roles.<name>.live|local|commit, deployments.<id>';

/** The paths that may be changed at run time; `<name>` stands for any declared role, `<id>` for a deployment, new or known. */
export const RUNTIME_PATHS: readonly string[] = [
  ...toLeaves(DEFAULTS)
    .map(([path]) => path)
    .filter((path) => RUNTIME_PATH.test(path)),
  'roles.<name>.live',
  'roles.<name>.local',
  'roles.<name>.commit',
  'deployments.<id>',
];

/** A value as it is stored; null takes an earlier change back. */
export type RuntimeValue = string | number | boolean | readonly string[] | Tree | null;

/** Why a path cannot be changed at run time, or undefined when it can. */
export function faultOfRuntimePath(path: string): string | undefined {
  const deployment = deploymentOfPath(path);
  if (deployment !== undefined) return faultOfName('deployment', deployment);
  const isSetting = settingSchema(path.split('.')) !== undefined;
  if (isSetting && RUNTIME_PATH.test(path)) return undefined;
  const nearest = isSetting ? undefined : findNearest(path, RUNTIME_PATHS);
  const advice = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return `This cannot be changed at run time.${advice} What can: ${RUNTIME_SUMMARY}. The rest is set in tiercel.yaml and needs a restart.`;
}

/**
 * Checks a change of one setting at run time and gives its value, ready to be stored as JSON. Text is read as on a
 * command line (`30000`, `[a, b]`, a deployment as JSON). Blank gives null, which takes an earlier change back. Whether
 * the settings as a whole stay valid (a chain's deployments exist, a base URL fits its tier) is checked when the change is
 * applied.
 *
 * @throws TiercelError `config_invalid` naming the path, the given value and what is allowed.
 */
export function parseSettingChange(path: string, given: unknown): RuntimeValue {
  const fault = faultOfRuntimePath(path);
  if (fault !== undefined) throwProblems([{ path, text: fault }]);
  if (isBlank(given)) return null;
  const layer = createLayer();
  const deployment = deploymentOfPath(path);
  const origin = { kind: 'console' } as const;
  if (deployment === undefined) addSetting(layer, path, given, '', origin);
  else addDefinition(layer, deployment, fromJson(given), { where: '', origin });
  throwProblems(layer.problems.map(({ path: at, text }) => ({ path: at, text })));
  return deployment === undefined ? (layer.entries[0]?.value as RuntimeValue) : toDefinition(layer);
}

function fromJson(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}
