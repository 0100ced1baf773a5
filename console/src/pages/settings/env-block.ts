import type { Deployment, RoleMap } from '../../api/schema.ts';

export type EnvSource = {
  /** Effective values by path. */
  value: (path: string) => unknown;
  deployments: readonly Deployment[];
  roles: RoleMap;
};

type Lines = { set: string[]; unsaid: string[] };
type Find = (id: string | undefined) => Deployment | undefined;

/**
 * What is on screen as variables for a shell, for a machine without a tiercel.yaml. Variables say less than the file: what
 * they cannot say stands below as comments, so that the block never claims more than it does. Keys are taken over from
 * where they are; none is written out.
 */
export function toEnvBlock({ value, deployments, roles }: EnvSource): string {
  const byId = new Map(deployments.map((deployment) => [deployment.id, deployment]));
  const find: Find = (id) => (id === undefined ? undefined : byId.get(id));
  const lines: Lines = { set: [], unsaid: [] };
  put(lines, 'TIERCEL_MODE', value('mode'));
  put(lines, 'TIERCEL_ROUTING', value('routing'));
  put(lines, 'AGENT_REQUEST_TIMEOUT', Number(value('limits.totalMs')) / 1000);
  put(lines, 'AGENT_MAX_RETRIES', value('limits.retriesPerTarget'));
  addLocal(lines, roles, find);
  addLive(lines, roles, find);
  for (const [path, standard] of UNSAID) {
    if (value(path) !== standard) lines.unsaid.push(`${path} (${String(value(path))})`);
  }
  const [heading, ...rest] = lines.unsaid;
  const notes =
    heading === undefined
      ? []
      : [
          '',
          '# Variables cannot say this; it takes a tiercel.yaml:',
          ...[heading, ...rest].map((text) => `# - ${text}`),
        ];
  return [...lines.set, ...notes].join('\n');
}

/** Settings without a variable, with the value that needs no mention. */
const UNSAID = [
  ['floor', 'roles'],
  ['commit', 'first_output'],
  ['content', 'full'],
  ['limits.minPerCandidateMs', 10_000],
] as const;

function put({ set }: Lines, name: string, given: unknown): void {
  const text = String(given);
  set.push(`export ${name}=${/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`}`);
}

function putKey({ set }: Lines, name: string, source: string): void {
  if (source === name) set.push(`# ${name}: set it there as it is set here`);
  else if (/^[A-Z_][A-Z0-9_]*$/.test(source)) set.push(`export ${name}="$${source}"`);
  else set.push(`export ${name}="$(cat '${source}')"`);
}

const toVariablePart = (role: string) => role.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
const chainOf = ({ chain }: RoleMap['defaults']['live']) => chain.map(({ deployment }) => deployment);
const isOwn = ({ chain, origin }: RoleMap['defaults']['live']) =>
  chain.length > 0 && origin.kind !== 'inherited';

function addLocal(lines: Lines, { defaults, roles }: RoleMap, find: Find): void {
  const own = roles.filter(({ local }) => isOwn(local));
  const main = find(chainOf(defaults.local)[0]) ?? find(own[0] && chainOf(own[0].local)[0]);
  if (!main) return;
  if (main.auth.type === 'entra') {
    lines.unsaid.push(`deployment ${main.id}: Entra ID at a local server`);
    return;
  }
  put(lines, 'LOCAL_AGENT_BASE_URL', main.baseUrl);
  if (main.auth.type === 'api_key') putKey(lines, 'LOCAL_AGENT_API_KEY', main.auth.source ?? '');
  if (chainOf(defaults.local).length > 0) put(lines, 'LOCAL_AGENT_MODEL', main.model);
  if (chainOf(defaults.local).length > 1) lines.unsaid.push('defaults.local: a second local deployment');
  for (const { name, local } of own) {
    const [first, ...rest] = chainOf(local).map(find);
    if (first?.baseUrl === main.baseUrl && rest.length === 0) {
      put(lines, `LOCAL_${toVariablePart(name)}_MODEL`, first.model);
    } else lines.unsaid.push(`roles.${name}.local: ${chainOf(local).join(' → ')}`);
  }
}

/** Variables give every live deployment one resource, one key and at most one fallback, which `auto` uses too. */
function addLive(lines: Lines, { defaults, roles }: RoleMap, find: Find): void {
  const own = roles.filter(({ live }) => isOwn(live));
  const [fallback, ...more] = chainOf(defaults.live).map(find);
  const main = fallback ?? find(own[0] && chainOf(own[0].live)[0]);
  if (!main) return;
  const { auth } = main;
  if (auth.type === 'none' || (auth.type === 'api_key' && auth.header !== 'api-key')) {
    lines.unsaid.push(
      `deployment ${main.id}: variables know live models of Foundry only, by api-key or Entra ID`,
    );
    return;
  }
  put(lines, 'FOUNDRY_BASE_URL', main.baseUrl);
  if (auth.type === 'api_key') putKey(lines, 'FOUNDRY_API_KEY', auth.source ?? '');
  else lines.set.push('unset FOUNDRY_API_KEY # Entra ID signs in');
  if (fallback) put(lines, 'FOUNDRY_FALLBACK_MODEL', fallback.model);
  if (more.length > 0) lines.unsaid.push(`defaults.live: ${chainOf(defaults.live).join(' → ')}`);
  for (const { name, live } of own) {
    const [first, second, ...rest] = chainOf(live).map(find);
    const same = first?.baseUrl === main.baseUrl && (second ?? fallback)?.id === fallback?.id;
    if (first && same && rest.length === 0 && (first === fallback || second === fallback)) {
      put(lines, `${toVariablePart(name)}_MODEL`, first.model);
    } else lines.unsaid.push(`roles.${name}.live: ${chainOf(live).join(' → ')}`);
  }
}

/** One line that asks `model` for an answer and shows its receipt's headers. */
export function toSmokeTest(origin: string, model: string, keyless: boolean): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello' }] });
  const key = keyless ? '' : ` -H "authorization: Bearer $TIERCEL_API_KEY"`;
  return `curl -si ${origin}/v1/chat/completions -H 'content-type: application/json'${key} -d '${body.replaceAll("'", "'\\''")}'`;
}
