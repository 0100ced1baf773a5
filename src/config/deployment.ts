import { Secret } from '../lib/secret.ts';
import { classifyHost, coversAddress } from './address.ts';
import { type Environment, readVariable } from './environment.ts';
import type { Entry } from './layer.ts';
import { type Problem, toShown } from './problems.ts';
import { deploymentSchema } from './schema.ts';
import type { Auth, Deployment, Origin } from './settings.ts';
import { toTree } from './tree.ts';

/** The default scope of Entra ID tokens for Azure OpenAI and Foundry. */
const ENTRA_SCOPE = 'https://cognitiveservices.azure.com/.default';

/** The valid fields that the file or the environment gives for one deployment, by path within it (`auth.env`). */
export type DeploymentFields = ReadonlyMap<string, Entry>;

/** What building deployments needs from outside, and where it puts what it finds. */
export type BuildContext = {
  env: Environment;
  /** The text of a key file, or undefined when it cannot be read. */
  readKeyFile: (path: string) => string | undefined;
  allowPrivate: readonly string[];
  problems: Problem[];
  warnings: string[];
  origins: Map<string, Origin>;
};

/** A complete deployment from its fields, or undefined when a needed one is missing or wrong (its problem is on record). */
export function buildDeployment(fields: DeploymentFields, context: BuildContext): Deployment | undefined {
  const parsed = deploymentSchema.safeParse(toTree([...fields].map(([path, entry]) => [path, entry.value])));
  if (!parsed.success) {
    // A field of the file was checked when it was read, and is absent if it was wrong; one of a variable is not yet.
    for (const { path, message } of parsed.error.issues) {
      const entry = fields.get(path.join('.'));
      if (entry === undefined) continue;
      const at = entry.path.join('.');
      const text = `${toShown(at, entry.value)} is not allowed. ${message}`;
      context.problems.push({ where: entry.where, path: at, text });
    }
    return undefined;
  }
  const { auth: authFields, baseUrl: givenUrl, contextWindow, capabilities, price, ...rest } = parsed.data;
  const path = `deployments.${rest.id}`;
  const baseUrl = parseBaseUrl(givenUrl, rest.tier, `${path}.baseUrl`, fields.get('baseUrl')?.where, context);
  const auth = buildAuth(
    authFields ?? { type: 'none' },
    `${path}.auth`,
    fields.get('auth.type')?.where,
    context,
  );
  if (baseUrl === undefined || auth === undefined) return undefined;

  if (
    auth.type !== 'none' &&
    baseUrl.startsWith('http:') &&
    classifyHost(new URL(baseUrl).hostname) !== 'loopback'
  ) {
    context.warnings.push(`${path}.baseUrl is http beyond this machine: its credentials travel unencrypted.`);
  }
  for (const field of ['auth', 'capabilities']) context.origins.set(`${path}.${field}`, { kind: 'default' });
  for (const [field, entry] of fields) context.origins.set(`${path}.${field.split('.')[0]}`, entry.origin);
  return {
    ...rest,
    baseUrl,
    auth,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    capabilities: withoutUndefined(capabilities ?? {}),
    ...(price === undefined ? {} : { price: { ...price, currency: price.currency ?? 'USD' } }),
  };
}

// zod types an optional member as `T | undefined`; exactOptionalPropertyTypes tells absent and undefined apart.
function withoutUndefined(flags: { [name: string]: boolean | undefined }): Record<string, boolean> {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, flag]) => (flag === undefined ? [] : [[name, flag]])),
  );
}

/** The base URL without a slash at the end of its path; its query stays, since Azure's `?api-version=…` stands there. */
function parseBaseUrl(
  given: string,
  tier: 'live' | 'local',
  path: string,
  where: string | undefined,
  context: BuildContext,
): string | undefined {
  const fault = (text: string): undefined => {
    context.problems.push({ ...(where === undefined ? {} : { where }), path, text });
    return undefined;
  };
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return fault('The value is not an http or https URL. Use one as http://127.0.0.1:11434/v1.');
  }
  if (url.username !== '' || url.password !== '') {
    return fault('A URL holds no user or password. Put the credential into `auth`, by `env` or `file`.');
  }
  if ([...url.searchParams.keys()].some((name) => /key|token|secret|password|^sig$|^code$/i.test(name))) {
    return fault('A URL holds no key in its query. Put the credential into `auth`, by `env` or `file`.');
  }
  if (url.hash !== '') return fault('A base URL has no #fragment.');
  const kind = classifyHost(url.hostname);
  if (tier === 'local' && kind === 'public') {
    return fault(`${url.hostname} is a public address. Use tier live for it, or an address of this machine.`);
  }
  if (tier === 'local' && kind === 'private' && !coversAddress(context.allowPrivate, url)) {
    return fault(
      `${url.hostname} is not this machine. Add "${url.hostname}" to egress.allowPrivate to allow it.`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}${url.search}`;
}

type AuthFields = NonNullable<ReturnType<typeof deploymentSchema.parse>['auth']>;

function buildAuth(
  fields: AuthFields,
  path: string,
  where: string | undefined,
  context: BuildContext,
): Auth | undefined {
  const fault = (text: string): undefined => {
    context.problems.push({ ...(where === undefined ? {} : { where }), path, text });
    return undefined;
  };
  const { type, env, file, header, scope } = fields;
  if (type !== 'entra' && scope !== undefined) return fault('`scope` belongs to type entra.');
  if (type !== 'api_key') {
    if (env !== undefined || file !== undefined || header !== undefined) {
      return fault('`env`, `file` and `header` belong to type api_key.');
    }
    return type === 'none' ? { type } : { type, scope: scope ?? ENTRA_SCOPE };
  }
  if ((env === undefined) === (file === undefined)) {
    return fault('Type api_key needs one of `env` (the variable that holds the key) and `file` (its path).');
  }
  const source = env ?? file ?? '';
  const key = env === undefined ? context.readKeyFile(source)?.trim() : readVariable(context.env, source);
  if (key === undefined || key === '') {
    const reason =
      env === undefined ? `the file ${source} cannot be read or is empty` : `${source} is not set`;
    context.warnings.push(`${path} has no key: ${reason}.`);
    return { type, key: null, header: header ?? 'authorization', source };
  }
  // A line break in a header would be refused by the HTTP client, in words that quote the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    return fault(`The key in ${source} has blanks or characters that no header takes.`);
  return { type, key: new Secret(key), header: header ?? 'authorization', source };
}
