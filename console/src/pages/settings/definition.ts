import type { Deployment, DeploymentDefinition } from '../../api/schema.ts';

/** A deployment as it stands in the form: text, until it is read. */
export type Form = {
  id: string;
  tier: 'live' | 'local';
  baseUrl: string;
  model: string;
  auth: 'none' | 'env' | 'file' | 'entra';
  /** The name of the variable, or the path of the file, that holds the key. */
  source: string;
  header: string;
  scope: string;
  contextWindow: string;
  inputPerM: string;
  outputPerM: string;
  currency: string;
  capabilities: Record<string, boolean>;
};

const BLANK: Form = {
  id: '',
  tier: 'local',
  baseUrl: '',
  model: '',
  auth: 'none',
  source: '',
  header: '',
  scope: '',
  contextWindow: '',
  inputPerM: '',
  outputPerM: '',
  currency: '',
  capabilities: {},
};

/** What the form may begin with. Each is also an anchor of the page: `#connect-ollama`. */
export const EXAMPLES: Readonly<Record<string, Form>> = {
  ollama: {
    ...BLANK,
    id: 'ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    model: 'llama3.2:3b',
  },
  foundry: {
    ...BLANK,
    id: 'foundry',
    tier: 'live',
    baseUrl: 'https://<resource>.services.ai.azure.com/openai/v1',
    model: 'gpt-5.4-mini',
    auth: 'env',
    source: 'FOUNDRY_API_KEY',
    header: 'api-key',
  },
  blank: BLANK,
};

const VARIABLE = /^[A-Z_][A-Z0-9_]*$/;

export function toForm(deployment: Deployment): Form {
  const { id, tier, baseUrl, model, auth, contextWindow, price, capabilities } = deployment;
  const source = auth.source ?? '';
  return {
    ...BLANK,
    id,
    tier,
    baseUrl,
    model,
    auth: auth.type === 'api_key' ? (VARIABLE.test(source) ? 'env' : 'file') : auth.type,
    source,
    header: auth.header === 'authorization' ? '' : (auth.header ?? ''),
    scope: auth.scope ?? '',
    contextWindow: String(contextWindow ?? ''),
    inputPerM: String(price?.inputPerM ?? ''),
    outputPerM: String(price?.outputPerM ?? ''),
    currency: price?.currency ?? '',
    capabilities,
  };
}

/** As the API takes it; blanks are left out. What is no number is sent as it is, for the server to refuse. */
export function toDefinition(form: Form): DeploymentDefinition {
  const { tier, baseUrl, model, contextWindow, inputPerM, outputPerM, currency, capabilities } = form;
  const priced = inputPerM.trim() !== '' || outputPerM.trim() !== '';
  return {
    tier,
    baseUrl: baseUrl.trim(),
    auth: toAuth(form),
    model: model.trim(),
    ...(contextWindow.trim() === '' ? {} : { contextWindow: toNumber(contextWindow) }),
    ...(Object.keys(capabilities).length === 0 ? {} : { capabilities }),
    ...(priced
      ? {
          price: {
            inputPerM: toNumber(inputPerM),
            outputPerM: toNumber(outputPerM),
            ...(currency.trim() === '' ? {} : { currency: currency.trim() }),
          },
        }
      : {}),
  };
}

function toAuth({ auth, source, header, scope }: Form): NonNullable<DeploymentDefinition['auth']> {
  if (auth === 'none') return { type: 'none' };
  if (auth === 'entra') return { type: 'entra', ...(scope.trim() === '' ? {} : { scope: scope.trim() }) };
  return {
    type: 'api_key',
    [auth]: source.trim(),
    ...(header.trim() === '' ? {} : { header: header.trim() }),
  };
}

function toNumber(text: string): number {
  const trimmed = text.trim();
  return /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : (trimmed as unknown as number);
}

/**
 * What is missing or must not leave this page, by field. A key that was pasted where its variable's name belongs is
 * stopped here: it is not sent, not even to be checked.
 */
export function faultsOf(form: Form, taken: readonly string[]): Partial<Record<keyof Form, string>> {
  const faults: Partial<Record<keyof Form, string>> = {};
  if (form.id.trim() === '') faults.id = 'Give it a name.';
  else if (taken.includes(form.id.trim())) faults.id = 'There is a deployment of this name. Edit that one.';
  if (form.baseUrl.trim() === '')
    faults.baseUrl = 'Its OpenAI-compatible root, as http://127.0.0.1:11434/v1.';
  else if (/[<>]/.test(form.baseUrl)) faults.baseUrl = 'Put the name of your resource in the place of <…>.';
  if (form.model.trim() === '') faults.model = 'The name that this target knows its model by.';
  if (form.auth === 'env' && !VARIABLE.test(form.source.trim())) {
    faults.source = 'The name of a variable, in capitals, as FOUNDRY_API_KEY; never the key itself.';
  }
  if (form.auth === 'file' && !/[/\\.]/.test(form.source.trim())) {
    faults.source = 'The path of a file that holds the key, as /run/secrets/foundry; never the key itself.';
  }
  return faults;
}
