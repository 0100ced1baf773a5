import type { Deployment } from '../../config/settings.ts';

/** The headers that authenticate a call to a deployment. */
export interface Credentials {
  /** @throws Error when an Entra ID token cannot be had; its message is fit to be shown */
  headers(deployment: Deployment): Record<string, string> | Promise<Record<string, string>>;
}

/** A source of Entra ID tokens, as `@azure/identity`'s `TokenCredential` is. */
export type TokenSource = {
  getToken(scope: string): Promise<{ token: string; expiresOnTimestamp: number } | null>;
};

// A token is renewed this long before its end, so that none expires on the way (Entra tokens live 60 to 90 minutes).
const RENEW_BEFORE_MS = 5 * 60_000;

const NONE: Record<string, string> = {};

/**
 * @param openTokenSource opens `DefaultAzureCredential` unless a test hands in another
 */
export function createCredentials(
  openTokenSource: () => Promise<TokenSource> = openAzureIdentity,
): Credentials {
  let source: Promise<TokenSource> | null = null;
  const tokens = new Map<string, { value: Promise<string>; renewAt: number }>();

  async function fetchToken(scope: string): Promise<string> {
    source ??= openTokenSource();
    const token = await (await source).getToken(scope);
    if (!token) throw new Error(`Entra ID gave no token for ${scope}.`);
    const entry = tokens.get(scope);
    if (entry) entry.renewAt = token.expiresOnTimestamp - RENEW_BEFORE_MS;
    return token.token;
  }

  /** One request at a time per scope; a failure is not kept, so the next call asks again. */
  function token(scope: string): Promise<string> {
    const known = tokens.get(scope);
    if (known && Date.now() < known.renewAt) return known.value;
    const value = fetchToken(scope);
    tokens.set(scope, { value, renewAt: Number.POSITIVE_INFINITY });
    value.catch(() => {
      tokens.delete(scope);
      source = null;
    });
    return value;
  }

  return {
    headers({ auth }) {
      if (auth.type === 'none' || (auth.type === 'api_key' && auth.key === null)) return NONE;
      if (auth.type === 'entra')
        return token(auth.scope).then((value) => ({ authorization: `Bearer ${value}` }));
      const key = auth.key?.reveal() ?? '';
      return auth.header === 'authorization' ? { authorization: `Bearer ${key}` } : { [auth.header]: key };
    },
  };
}

async function openAzureIdentity(): Promise<TokenSource> {
  // Optional: named in a variable so that neither the compiler nor a bundler asks for the package.
  const name = '@azure/identity';
  try {
    const { DefaultAzureCredential } = await import(name);
    return new DefaultAzureCredential();
  } catch (cause) {
    throw new Error('Entra ID needs the package @azure/identity: npm install @azure/identity', { cause });
  }
}
