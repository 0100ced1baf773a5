import { describe, expect, it, vi } from 'vitest';
import type { Auth, Deployment } from '../../config/settings.ts';
import { Secret } from '../../lib/secret.ts';
import { createCredentials, type TokenSource } from './credentials.ts';

function deployment(auth: Auth): Deployment {
  return { id: 'd', tier: 'live', baseUrl: 'http://x/v1', auth, model: 'm', capabilities: {} };
}

const entra = deployment({ type: 'entra', scope: 'https://cognitiveservices.azure.com/.default' });

function sourceOf(lifetimeMs: number) {
  let made = 0;
  const getToken = vi.fn(async () => ({
    token: `token-${++made}`,
    expiresOnTimestamp: Date.now() + lifetimeMs,
  }));
  return { getToken, open: async (): Promise<TokenSource> => ({ getToken }) };
}

describe('createCredentials', () => {
  it('sends a key as a bearer, or bare in the header that the target wants', async () => {
    const key = new Secret('k');
    const credentials = createCredentials();
    const headers = (header: string) =>
      credentials.headers(deployment({ type: 'api_key', key, header, source: 'K' }));
    expect(await headers('authorization')).toEqual({ authorization: 'Bearer k' });
    expect(await headers('api-key')).toEqual({ 'api-key': 'k' });
    expect(await credentials.headers(deployment({ type: 'none' }))).toEqual({});
  });

  it('asks Entra ID once for many calls at once, and uses the token until shortly before its end', async () => {
    const { getToken, open } = sourceOf(3_600_000);
    const credentials = createCredentials(open);
    const all = await Promise.all(Array.from({ length: 5 }, () => credentials.headers(entra)));
    expect(all).toEqual(Array(5).fill({ authorization: 'Bearer token-1' }));
    expect(await credentials.headers(entra)).toEqual({ authorization: 'Bearer token-1' });
    expect(getToken).toHaveBeenCalledTimes(1);
    expect(getToken).toHaveBeenCalledWith('https://cognitiveservices.azure.com/.default');
  });

  it('renews a token that ends within five minutes', async () => {
    const { open } = sourceOf(4 * 60_000);
    const credentials = createCredentials(open);
    expect(await credentials.headers(entra)).toEqual({ authorization: 'Bearer token-1' });
    expect(await credentials.headers(entra)).toEqual({ authorization: 'Bearer token-2' });
  });

  it('does not keep a failure', async () => {
    let failing = true;
    const credentials = createCredentials(async () => ({
      async getToken() {
        if (failing) throw new Error('no identity on this machine');
        return { token: 'late', expiresOnTimestamp: Date.now() + 3_600_000 };
      },
    }));
    await expect(credentials.headers(entra)).rejects.toThrow('no identity on this machine');
    failing = false;
    expect(await credentials.headers(entra)).toEqual({ authorization: 'Bearer late' });
  });

  it('says which package is missing when Entra ID is configured without it', async () => {
    await expect(createCredentials().headers(entra)).rejects.toThrow('npm install @azure/identity');
  });
});
