import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../api/schema.ts';
import { EXAMPLES, type Form, faultsOf, toDefinition, toForm } from './definition.ts';

const example = (name: string, change: Partial<Form> = {}) => ({ ...EXAMPLES[name], ...change }) as Form;

describe('a deployment in the form', () => {
  it.each<[string, Deployment['auth'], object]>([
    ['none', { type: 'none' }, { type: 'none' }],
    [
      'a variable',
      { type: 'api_key', header: 'authorization', source: 'KEY_1', present: true },
      { type: 'api_key', env: 'KEY_1' },
    ],
    [
      'a file',
      { type: 'api_key', header: 'api-key', source: '/run/secrets/key', present: false },
      { type: 'api_key', file: '/run/secrets/key', header: 'api-key' },
    ],
    ['Entra', { type: 'entra', scope: 'https://x/.default' }, { type: 'entra', scope: 'https://x/.default' }],
  ])('comes out as it went in, with its key from %s', (_name, auth, expected) => {
    const deployment: Deployment = {
      id: 'a',
      tier: 'live',
      baseUrl: 'https://a.example/v1',
      model: 'm',
      auth,
      capabilities: { tools: true },
      contextWindow: 4096,
      price: { inputPerM: 0.25, outputPerM: 2, currency: 'USD' },
      state: 'connected',
      origin: { kind: 'file' },
      removable: false,
      chains: [],
      breaker: { deployment: 'a', state: 'closed' },
      lastProbe: null,
    };
    expect(toDefinition(toForm(deployment))).toEqual({
      tier: 'live',
      baseUrl: 'https://a.example/v1',
      model: 'm',
      auth: expected,
      capabilities: { tools: true },
      contextWindow: 4096,
      price: { inputPerM: 0.25, outputPerM: 2, currency: 'USD' },
    });
  });

  it('leaves out what is blank', () => {
    expect(toDefinition(example('ollama'))).toEqual({
      tier: 'local',
      baseUrl: 'http://127.0.0.1:11434/v1',
      model: 'llama3.2:3b',
      auth: { type: 'none' },
    });
  });
});

describe('faultsOf', () => {
  it('finds none in the example of Ollama, and the place to fill in that of Foundry', () => {
    expect(faultsOf(example('ollama'), [])).toEqual({});
    expect(Object.keys(faultsOf(example('foundry'), []))).toEqual(['baseUrl']);
    expect(Object.keys(faultsOf(example('blank'), []))).toEqual(['id', 'baseUrl', 'model']);
  });

  it('knows ids that are taken', () => {
    expect(faultsOf(example('ollama'), ['ollama']).id).toContain('Edit that one');
  });

  it.each([
    ['env', 'sk-proj-4711abc'],
    ['env', ''],
    ['file', 'sk4711abcdef'],
  ] as const)('stops what looks like a key where a name belongs: %s %j', (auth, source) => {
    expect(faultsOf(example('ollama', { auth, source }), []).source).toContain('never the key itself');
  });
});
