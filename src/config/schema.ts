import { z } from 'zod';
import { COMMITS, CONTENTS, DURABILITIES, FLOORS, MODES, ROUTINGS } from './settings.ts';

// The messages complete the sentence `"x" is not allowed. …`, so each says what to write instead.

function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `Use one of: ${values.join(', ')}.` });
}

function wholeNumber(min: number, max: number) {
  const error = `Use a whole number from ${min} to ${max}.`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

function text(error = 'Use text in one line.') {
  // Control characters have no place in a header, a path or a log line.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  return z.string({ error }).regex(/^[^\u0000-\u001f\u007f]+$/, { error });
}

const bool = z.boolean({ error: 'Use true or false.' });
const amount = z
  .number({ error: 'Use a number of 0 or more.' })
  .min(0, { error: 'Use a number of 0 or more.' });
const milliseconds = wholeNumber(1, 86_400_000);
const chain = z.array(text('Use deployment ids.'), { error: 'Use a list of deployment ids, as [a, b].' });
const hosts = z.array(
  z.string({ error: 'Use hosts.' }).regex(/^[^\s/@]+(\/\d{1,3})?$/, {
    error: 'Use a host, host:port, address or CIDR range, without scheme or path.',
  }),
  { error: 'Use a list, as ["api.example.com:443"].' },
);
const variableName = z.string().regex(/^[A-Z_][A-Z0-9_]*$/, {
  error: 'Use the name of an environment variable, in capitals; never the key itself.',
});
const ENDPOINT_ADVICE =
  'Use the URL of an OTLP/HTTP receiver, as http://127.0.0.1:4318, without user or query.';
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]+$/, { error: 'Use a header name, as api-key.' })
  .toLowerCase();

const attemptSchema = z.strictObject({
  connectMs: milliseconds,
  headerMs: milliseconds,
  firstTokenMs: milliseconds,
  idleMs: milliseconds,
});

/** Every setting that has a default: the file's keys but for `databaseUrl`, `deployments` and `roles`. */
export const baseSchema = z.strictObject({
  mode: oneOf(MODES),
  routing: oneOf(ROUTINGS),
  floor: oneOf(FLOORS),
  commit: oneOf(COMMITS),
  content: oneOf(CONTENTS),
  server: z.strictObject({
    host: text('Use a host name or address.'),
    port: wholeNumber(0, 65_535),
    maxBodyBytes: wholeNumber(1, 1_073_741_824),
    auth: oneOf(['auto', 'required']),
    drainMs: wholeNumber(0, 86_400_000),
  }),
  dataDir: text('Use the path of a folder.'),
  limits: z.strictObject({
    totalMs: milliseconds,
    retriesPerTarget: wholeNumber(0, 10),
    minPerCandidateMs: wholeNumber(0, 86_400_000),
    live: attemptSchema,
    local: attemptSchema,
  }),
  breaker: z.strictObject({
    failures: wholeNumber(1, 1000),
    windowMs: milliseconds,
    coolDownMs: milliseconds,
  }),
  defaults: z.strictObject({ live: chain, local: chain }),
  egress: z.strictObject({ allow: hosts, allowPrivate: hosts }),
  ledger: z.strictObject({
    anchor: text('Use the path of a file.').optional(),
    durability: oneOf(DURABILITIES),
  }),
  telemetry: z.strictObject({
    // Credentials and a query would end up in logs and messages.
    otlpEndpoint: z
      .string({ error: ENDPOINT_ADVICE })
      .regex(/^https?:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/, { error: ENDPOINT_ADVICE })
      .optional(),
    serviceName: text(),
  }),
});

/** What stands in force when no layer says otherwise. */
export const DEFAULTS: z.infer<typeof baseSchema> = {
  mode: 'simulation',
  routing: 'local_first',
  floor: 'roles',
  commit: 'first_output',
  content: 'full',
  server: { host: '127.0.0.1', port: 4040, maxBodyBytes: 32 * 1024 * 1024, auth: 'auto', drainMs: 10_000 },
  dataDir: '.tiercel',
  limits: {
    totalMs: 45_000,
    retriesPerTarget: 1,
    minPerCandidateMs: 10_000,
    live: { connectMs: 5000, headerMs: 12_000, firstTokenMs: 12_000, idleMs: 20_000 },
    local: { connectMs: 5000, headerMs: 30_000, firstTokenMs: 30_000, idleMs: 30_000 },
  },
  breaker: { failures: 3, windowMs: 60_000, coolDownMs: 30_000 },
  defaults: { live: [], local: [] },
  egress: { allow: [], allowPrivate: [] },
  ledger: { durability: 'relaxed' },
  telemetry: { serviceName: 'tiercel' },
};

export const deploymentSchema = z.strictObject({
  id: text(),
  tier: oneOf(['live', 'local']),
  baseUrl: text('Use a URL, as http://127.0.0.1:11434/v1.'),
  auth: z
    .strictObject({
      type: oneOf(['api_key', 'entra', 'none']),
      env: variableName.optional(),
      file: text('Use the path of a file that holds the key.').optional(),
      header: headerName.optional(),
      scope: text().optional(),
    })
    .optional(),
  model: text(),
  contextWindow: wholeNumber(1, 1_000_000_000).optional(),
  capabilities: z
    .strictObject({
      tools: bool.optional(),
      jsonSchema: bool.optional(),
      jsonObject: bool.optional(),
      logprobs: bool.optional(),
      embeddings: bool.optional(),
      streamUsage: bool.optional(),
    })
    .optional(),
  price: z
    .strictObject({
      inputPerM: amount,
      outputPerM: amount,
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, { error: 'Use three capitals, as USD.' })
        .optional(),
    })
    .optional(),
});

const roleSchema = z.strictObject({
  live: chain,
  local: chain,
  inherits: text('Use the name of a role.'),
  commit: oneOf(COMMITS),
  simulator: bool,
});

/** All that `tiercel.yaml` may hold. Whether a key may be left out is not said here: every one may. */
export const fileSchema = baseSchema.extend({
  databaseUrl: z
    .string({ error: 'Use a URL, as postgres://user@host/database.' })
    .regex(/^postgres(ql)?:\/\/\S+$/, { error: 'Use a URL, as postgres://user@host/database.' }),
  deployments: z.array(deploymentSchema, { error: 'Use a list of deployments.' }),
  roles: z.record(z.string(), roleSchema),
});

/** The schema without its `optional`. */
export function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

/** The schema of a setting by path, or undefined where no single setting stands there. */
export function settingSchema(path: readonly string[]): z.ZodType | undefined {
  let schema: unknown = fileSchema;
  for (const part of path) {
    if (schema instanceof z.ZodObject) {
      schema = Object.hasOwn(schema.shape, part) ? unwrap(schema.shape[part]) : undefined;
    } else if (schema instanceof z.ZodRecord) {
      schema = schema.valueType;
    } else {
      return undefined;
    }
  }
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) return undefined;
  return schema instanceof z.ZodType ? schema : undefined;
}

/** Whether a value says nothing. Blank means "not set": it inherits, and never disables. */
export function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** The value that a text (a variable, a flag, a command's argument) stands for; what does not fit is left for the schema to refuse. */
export function fromText(schema: z.ZodType, given: string): unknown {
  const trimmed = given.trim();
  if (schema instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
  if (schema instanceof z.ZodBoolean)
    return trimmed === 'true' ? true : trimmed === 'false' ? false : trimmed;
  if (schema instanceof z.ZodArray) {
    // `[a, b]` and `a, b` are the same, and so is the JSON form with quotes.
    const inner = /^\[(.*)\]$/s.exec(trimmed)?.[1] ?? trimmed;
    return inner
      .split(',')
      .map((item) => item.trim().replace(/^"(.*)"$/, '$1'))
      .filter((item) => item !== '');
  }
  return trimmed;
}
