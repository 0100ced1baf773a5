import { addSetting, createLayer } from './layer.ts';
import { findNearest, throwProblems } from './problems.ts';
import { DEFAULTS, isBlank, settingSchema } from './schema.ts';
import { toLeaves } from './tree.ts';

const RUNTIME_PATH =
  /^(mode|routing|floor|commit|content|(limits|breaker|defaults)\..+|roles\.[^.]+\.(live|local|commit))$/;

const RUNTIME_SUMMARY =
  'mode, routing, floor, commit, content, limits.*, breaker.*, defaults.live|local, roles.<name>.live|local|commit';

/** The paths that may be changed at run time; `<name>` stands for any declared role. */
export const RUNTIME_PATHS: readonly string[] = [
  ...toLeaves(DEFAULTS)
    .map(([path]) => path)
    .filter((path) => RUNTIME_PATH.test(path)),
  'roles.<name>.live',
  'roles.<name>.local',
  'roles.<name>.commit',
];

/** Why a path cannot be changed at run time, or undefined when it can. */
export function faultOfRuntimePath(path: string): string | undefined {
  const isSetting = settingSchema(path.split('.')) !== undefined;
  if (isSetting && RUNTIME_PATH.test(path)) return undefined;
  const nearest = isSetting ? undefined : findNearest(path, RUNTIME_PATHS);
  const advice = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return `This cannot be changed at run time.${advice} What can: ${RUNTIME_SUMMARY}. The rest is set in tiercel.yaml and needs a restart.`;
}

/**
 * Checks a change of one setting at run time and gives its value, ready to be stored as JSON. Text is read as on a
 * command line (`30000`, `[a, b]`). Blank gives null, which takes an earlier change back. Whether a chain's deployments
 * exist is checked when the change is applied.
 *
 * @throws TiercelError `config_invalid` naming the path, the given value and what is allowed.
 */
export function parseSettingChange(
  path: string,
  given: unknown,
): string | number | boolean | readonly string[] | null {
  const fault = faultOfRuntimePath(path);
  if (fault !== undefined) throwProblems([{ path, text: fault }]);
  if (isBlank(given)) return null;
  const layer = createLayer();
  addSetting(layer, path, given, '', { kind: 'console' });
  throwProblems(layer.problems.map(({ path: at, text }) => ({ path: at, text })));
  return layer.entries[0]?.value as string | number | boolean | readonly string[];
}
