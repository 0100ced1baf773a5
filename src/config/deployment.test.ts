import { describe, expect, it } from 'vitest';
import { type ResolveInputs, resolveSettings } from './resolve.ts';

function resolve(deployments: string, inputs: Partial<ResolveInputs> = {}, rest = '') {
  const text = `deployments:\n${deployments}\n${rest}`;
  return resolveSettings({
    file: { name: 'tiercel.yaml', text },
    env: {},
    readKeyFile: () => undefined,
    ...inputs,
  });
}

const at = (tier: string, baseUrl: string, rest = '') =>
  `  - { id: a, tier: ${tier}, baseUrl: "${baseUrl}", model: m${rest} }`;

describe('a deployment', () => {
  it('keeps every field, with origins', () => {
    const { settings, origins } = resolve(`
  - id: a
    tier: live
    baseUrl: https://example.com/openai/v1
    model: gpt
    contextWindow: 400000
    capabilities: { tools: true, logprobs: false }
    price: { inputPerM: 0.25, outputPerM: 2 }`);
    expect(settings.deployments).toEqual([
      {
        id: 'a',
        tier: 'live',
        baseUrl: 'https://example.com/openai/v1',
        auth: { type: 'none' },
        model: 'gpt',
        contextWindow: 400_000,
        capabilities: { tools: true, logprobs: false },
        price: { inputPerM: 0.25, outputPerM: 2, currency: 'USD' },
      },
    ]);
    expect(origins.get('deployments.a.model')).toEqual({ kind: 'file', detail: 'tiercel.yaml:6' });
    expect(origins.get('deployments.a.auth')).toEqual({ kind: 'default' });
    expect(origins.get('deployments.a.price')?.kind).toBe('file');
  });

  it('takes a blank section as not set', () => {
    expect(
      resolve(at('live', 'https://h/v1', ', auth: , price: {}')).settings.deployments[0],
    ).not.toHaveProperty('price');
  });

  it.each([
    ['http://127.0.0.1:11434/v1/', 'http://127.0.0.1:11434/v1'],
    ['http://localhost:8080', 'http://localhost:8080'],
    [
      'https://x.azure.com/openai/?api-version=2025-01-01',
      'https://x.azure.com/openai?api-version=2025-01-01',
    ],
  ])('takes base URL %s as %s', (given, expected) => {
    expect(resolve(at('live', given)).settings.deployments[0]?.baseUrl).toBe(expected);
  });

  it.each([
    ['live', 'ftp://h/v1', 'not an http or https URL'],
    ['live', 'nonsense', 'not an http or https URL'],
    ['live', 'https://u:p@h/v1', 'Put the credential into `auth`'],
    ['live', 'https://h/v1?code=x', 'holds no key in its query'],
    ['live', 'https://h/v1#x', 'no #fragment'],
    ['local', 'http://8.8.8.8/v1', '8.8.8.8 is a public address'],
    ['local', 'http://[2001:4860:4860::8888]/v1', 'is a public address'],
    ['local', 'http://0x08080808/v1', '8.8.8.8 is a public address'],
    ['local', 'http://192.168.1.20:8080/v1', 'Add "192.168.1.20" to egress.allowPrivate'],
    ['local', 'http://169.254.169.254/v1', 'is not this machine'],
    ['cloud', 'https://h/v1', 'Use one of: live, local.'],
  ])('refuses tier %s at %s', (tier, baseUrl, message) => {
    expect(() => resolve(at(tier, baseUrl))).toThrow(message);
  });

  it.each([
    'http://127.8.8.8/v1',
    'http://[::1]:1/v1',
    'http://[::ffff:127.0.0.1]/v1',
    'http://gpu.example/v1',
  ])('takes %s as local: loopback, or a name that is judged when it is connected to', (baseUrl) => {
    expect(resolve(at('local', baseUrl)).settings.deployments).toHaveLength(1);
  });

  it.each([
    ['192.168.1.20', true],
    ['192.168.0.0/16', true],
    ['192.168.1.20:8080', true],
    ['192.168.1.20:9090', false],
    ['192.168.1.21', false],
    ['some.host', false],
  ])('with egress.allowPrivate %s is allowed at 192.168.1.20:8080: %s', (allowed, expected) => {
    const run = () =>
      resolve(at('local', 'http://192.168.1.20:8080/v1'), {}, `egress: { allowPrivate: ["${allowed}"] }`);
    if (expected) expect(run().settings.deployments).toHaveLength(1);
    else expect(run).toThrow('egress.allowPrivate');
  });

  it.each([
    ['  - { id: a, tier: live, baseUrl: "https://h/v1" }', 'deployments[0].model: This is needed.'],
    ['  -', 'deployments[0].id: This is needed.'],
    ['  - { id: auto, tier: live, baseUrl: "https://h/v1", model: m }', '"auto" is reserved'],
    ['  - { id: "role:x", tier: live, baseUrl: "https://h/v1", model: m }', '"role:x" is reserved'],
    ['  - { id: "a b", tier: live, baseUrl: "https://h/v1", model: m }', '"a b" is not allowed'],
    [
      `${at('live', 'https://h/v1')}\n${at('live', 'https://h/v1')}`,
      'The id is taken by the deployment of tiercel.yaml:2.',
    ],
    [
      at('live', 'https://h/v1', ', price: { inputPerM: 1 }'),
      'deployments[0].price.outputPerM: This is needed.',
    ],
    [
      at('live', 'https://h/v1', ', modle: x'),
      'deployments[0].modle: This key is not known. Did you mean "model"?',
    ],
  ])('refuses %j', (yaml, message) => {
    expect(() => resolve(yaml)).toThrow(message);
  });
});

describe('auth', () => {
  const withAuth = (auth: string) => at('live', 'https://h/v1', `, auth: ${auth}`);

  it('reads a key from a variable, as a bearer token unless a header is named', () => {
    const env = { THE_KEY: ' k1 ' };
    const bearer = resolve(withAuth('{ type: api_key, env: THE_KEY }'), { env }).settings.deployments[0]
      ?.auth;
    expect(bearer).toMatchObject({ type: 'api_key', header: 'authorization', source: 'THE_KEY' });
    expect(bearer?.type === 'api_key' && bearer.key?.reveal()).toBe('k1');
    const bare = resolve(withAuth('{ type: api_key, env: THE_KEY, header: API-Key }'), { env }).settings
      .deployments[0];
    expect(bare?.auth).toMatchObject({ header: 'api-key' });
  });

  it('reads a key from a file, without the line end', () => {
    const auth = resolve(withAuth('{ type: api_key, file: k.txt }'), {
      readKeyFile: (path) => (path === 'k.txt' ? 'k2\n' : undefined),
    }).settings.deployments[0]?.auth;
    expect(auth?.type === 'api_key' && auth.key?.reveal()).toBe('k2');
  });

  it('warns and keeps no key when its variable or file gives none', () => {
    for (const [auth, reason] of [
      ['{ type: api_key, env: THE_KEY }', 'THE_KEY is not set'],
      ['{ type: api_key, file: k.txt }', 'the file k.txt cannot be read or is empty'],
    ] as const) {
      const { settings, warnings } = resolve(withAuth(auth), { env: { THE_KEY: '' } });
      expect(settings.deployments[0]?.auth).toMatchObject({ type: 'api_key', key: null });
      expect(warnings).toEqual([`deployments.a.auth has no key: ${reason}.`]);
    }
  });

  it('gives Entra ID the default scope of Azure', () => {
    expect(resolve(withAuth('{ type: entra }')).settings.deployments[0]?.auth).toEqual({
      type: 'entra',
      scope: 'https://cognitiveservices.azure.com/.default',
    });
  });

  it.each([
    [
      '{ type: api_key, key: sk-1 }',
      'A key is never written here. Name the variable that holds it with `env`',
    ],
    ['{ type: api_key, apiKey: sk-1 }', 'A key is never written here.'],
    ['{ type: api_key, env: sk-1 }', 'Use the name of an environment variable'],
    ['{ type: api_key }', 'needs one of `env`'],
    ['{ type: api_key, env: A, file: b }', 'needs one of `env`'],
    ['{ type: none, env: A }', 'belong to type api_key'],
    ['{ type: api_key, env: A, scope: s }', '`scope` belongs to type entra'],
    ['{ typ: none }', 'deployments[0].auth.typ: This key is not known. Did you mean "type"?'],
    ['{ type: api_key, env: A, header: "a b" }', 'Use a header name'],
  ])('refuses %s', (auth, message) => {
    expect(() => resolve(withAuth(auth))).toThrow(message);
  });

  it('refuses a key that no header takes, without showing it', () => {
    const run = () => resolve(withAuth('{ type: api_key, env: A }'), { env: { A: 'abc\ndef' } });
    expect(run).toThrow('The key in A has blanks');
    expect(run).not.toThrow('abc');
  });

  it('warns of credentials over http beyond this machine', () => {
    const yaml = at('live', 'http://h/v1', ', auth: { type: entra }');
    expect(resolve(yaml).warnings[0]).toContain('travel unencrypted');
    expect(resolve(yaml.replace('//h', '//127.0.0.1')).warnings).toEqual([]);
  });
});
