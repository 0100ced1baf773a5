import { addSetting, createLayer, type Layer } from './layer.ts';
import { isBlank } from './schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that set one setting each. Of several for one path, the first that is not blank counts. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  mode: ['TIERCEL_MODE', 'DEMO_MODE'],
  routing: ['TIERCEL_ROUTING', 'AGENT_ROUTING'],
  'server.host': ['TIERCEL_HOST'],
  'server.port': ['TIERCEL_PORT'],
  dataDir: ['TIERCEL_DATA_DIR'],
  databaseUrl: ['DATABASE_URL'],
  'telemetry.otlpEndpoint': ['OTEL_EXPORTER_OTLP_ENDPOINT'],
  'telemetry.serviceName': ['OTEL_SERVICE_NAME'],
  'limits.totalMs': ['AGENT_REQUEST_TIMEOUT'],
  'limits.retriesPerTarget': ['AGENT_MAX_RETRIES'],
};

/** The names of those variables, for the example and its test. */
export const SETTING_VARIABLES: readonly string[] = Object.values(VARIABLES).flat();

/** The value of a variable without surrounding blanks; undefined when it is not set or blank. */
export function readVariable(env: Environment, name: string): string | undefined {
  const value = env[name];
  return isBlank(value) ? undefined : value?.trim();
}

/** The layer of the variables that stand for one setting each. */
export function readEnvironmentLayer(env: Environment): Layer {
  const layer = createLayer();
  for (const [path, names] of Object.entries(VARIABLES)) {
    const name = names.find((candidate) => readVariable(env, candidate) !== undefined);
    if (name === undefined) continue;
    const value = readVariable(env, name);
    if (name === 'AGENT_REQUEST_TIMEOUT') {
      addSeconds(layer, path, value ?? '', name);
    } else {
      addSetting(layer, path, value, name, { kind: 'environment', detail: name });
    }
  }
  return layer;
}

function addSeconds(layer: Layer, path: string, value: string, name: string): void {
  const ms = /^\d*\.?\d+$|^\d+\.$/.test(value) ? Math.round(Number(value) * 1000) : Number.NaN;
  if (ms >= 1 && ms <= 86_400_000) {
    addSetting(layer, path, ms, name, { kind: 'environment', detail: name });
  } else {
    const text = `${JSON.stringify(value)} is not allowed. Use a number of seconds, over 0 and up to 86400.`;
    layer.problems.push({ where: name, path, text });
  }
}
