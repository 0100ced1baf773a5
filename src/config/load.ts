import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { TiercelError } from '../errors.ts';
import { type Environment, readVariable } from './environment.ts';
import { type Flags, type ResolveInputs, type RuntimeChange, resolveSettings } from './resolve.ts';
import type { ResolvedSettings } from './settings.ts';

export type LoadInputs = {
  /** Where `tiercel.yaml` is looked for, and what relative paths of it and of flags start from. */
  cwd: string;
  env: Environment;
  /** The flags of `serve`. */
  flags?: Flags;
  /** Settings changed at run time, by path, from the database. */
  runtime?: ReadonlyMap<string, RuntimeChange>;
  /** Settings in the shape of `tiercel.yaml`, for programs: then no file is read. */
  configObject?: object;
  /** The configuration file, when the caller knows it; wins over `TIERCEL_CONFIG`, and `flags.config` over both. */
  configPath?: string;
};

const DEFAULT_FILE = 'tiercel.yaml';

/**
 * The settings in force, each with its origin. Layers, lowest first: defaults, `tiercel.yaml`, environment, run-time
 * changes, flags. A missing `tiercel.yaml` is fine, a missing file that was named is not.
 *
 * @throws TiercelError `config_invalid` with every wrong setting; `config_unreadable` when the file cannot be read.
 */
export function loadSettings(inputs: LoadInputs): ResolvedSettings {
  return resolveSettings(readInputs(inputs));
}

/**
 * Reads the file for {@link resolveSettings} and `createLiveSettings`.
 *
 * @throws TiercelError `config_unreadable` when the file cannot be read.
 */
export function readInputs({
  cwd,
  env,
  flags = {},
  runtime,
  configPath,
  configObject,
}: LoadInputs): ResolveInputs {
  if (configObject !== undefined) {
    return {
      // JSON is YAML, so an object takes the same way as a file and gets the same errors.
      file: { name: 'settings', text: JSON.stringify(configObject, null, 2) },
      env,
      flags,
      ...(runtime === undefined ? {} : { runtime }),
      readKeyFile: (keyPath) => readKey(resolve(cwd, keyPath)),
    };
  }
  const [path, namedBy] = findFile(env, flags, configPath);
  const absolute = resolve(cwd, path);
  const text = readConfigFile(absolute, namedBy);
  const fromCwd = relative(cwd, absolute);
  return {
    ...(text === undefined
      ? {}
      : { file: { name: fromCwd.startsWith('..') || isAbsolute(fromCwd) ? absolute : fromCwd, text } }),
    env,
    flags,
    ...(runtime === undefined ? {} : { runtime }),
    // A key file is named in the configuration file, so its path starts there.
    readKeyFile: (keyPath) => readKey(resolve(dirname(absolute), keyPath)),
  };
}

function findFile(
  env: Environment,
  flags: Flags,
  configPath: string | undefined,
): [path: string, namedBy?: string] {
  if (flags.config !== undefined && flags.config !== '') return [flags.config, '--config'];
  if (configPath !== undefined) return [configPath, 'configPath'];
  const variable = readVariable(env, 'TIERCEL_CONFIG');
  return variable === undefined ? [DEFAULT_FILE] : [variable, 'TIERCEL_CONFIG'];
}

function readConfigFile(path: string, namedBy: string | undefined): string | undefined {
  if (namedBy === undefined && !existsSync(path)) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const by = namedBy === undefined ? '' : `, which ${namedBy} names,`;
    const reason = existsSync(path) ? 'cannot be read' : 'does not exist';
    throw new TiercelError('config_unreadable', `The configuration file ${path}${by} ${reason}.`, { cause });
  }
}

function readKey(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Told as a warning by the deployment that has no key then: others may still serve.
    return undefined;
  }
}
