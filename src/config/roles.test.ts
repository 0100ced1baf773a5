import { describe, expect, it } from 'vitest';
import { resolveSettings } from './resolve.ts';

const DEPLOYMENTS = `
deployments:
  - { id: cloud-a, tier: live, baseUrl: "https://h/v1", model: a }
  - { id: cloud-b, tier: live, baseUrl: "https://h/v1", model: b }
  - { id: ollama, tier: local, baseUrl: "http://127.0.0.1:11434/v1", model: c }
`;

function resolve(yaml: string) {
  return resolveSettings({
    file: { name: 'tiercel.yaml', text: yaml + DEPLOYMENTS },
    env: {},
    readKeyFile: () => undefined,
  });
}

describe('roles', () => {
  it('take what they do not set from the role they inherit, over any number of steps, then from the defaults', () => {
    const { settings, origins } = resolve(`
defaults: { local: [ollama] }
roles:
  c: { inherits: b }
  b: { inherits: a, live: [cloud-b] }
  a: { live: [cloud-a], commit: complete, simulator: true }
`);
    expect(settings.roles).toEqual([
      { name: 'c', live: ['cloud-b'], local: ['ollama'], commit: 'complete', simulator: true },
      { name: 'b', live: ['cloud-b'], local: ['ollama'], commit: 'complete', simulator: true },
      { name: 'a', live: ['cloud-a'], local: ['ollama'], commit: 'complete', simulator: true },
    ]);
    expect(origins.get('roles.c.live')).toEqual({ kind: 'inherited', detail: 'roles.b.live' });
    expect(origins.get('roles.c.commit')).toEqual({ kind: 'inherited', detail: 'roles.a.commit' });
    expect(origins.get('roles.c.local')).toEqual({ kind: 'inherited', detail: 'defaults.local' });
    expect(origins.get('roles.b.live')).toEqual({ kind: 'file', detail: 'tiercel.yaml:5' });
  });

  it('are declared by their name alone', () => {
    expect(resolve('roles:\n  narrator:\n').settings.roles).toEqual([
      { name: 'narrator', live: [], local: [], simulator: false },
    ]);
  });

  it.each([
    [
      'roles: { a: { inherits: b }, b: { inherits: c }, c: { inherits: a } }',
      'tiercel.yaml:1 roles.a.inherits: The roles inherit in a circle: a → b → c → a. Let one of them set its own chains.',
    ],
    ['roles: { a: { inherits: a } }', 'The roles inherit in a circle: a → a.'],
    ['roles: { narrator: , b: { inherits: narator } }', '"narator" is no role. Did you mean "narrator"?'],
    ['roles: { simulation: }', '"simulation" is reserved'],
    ['roles: { "a.b": }', '"a.b" is not allowed'],
    ['defaults: { live: [cloud-c] }', 'defaults.live: "cloud-c" is no deployment. Did you mean "cloud-a"?'],
    ['roles: { a: { live: [zzzzzzz] } }', '"zzzzzzz" is no deployment. Use one of: cloud-a, cloud-b.'],
    [
      'roles: { a: { live: [ollama] } }',
      'roles.a.live: "ollama" has tier local and cannot stand in a live chain. Use one of: cloud-a, cloud-b.',
    ],
    [
      'defaults: { local: [cloud-a] }',
      '"cloud-a" has tier live and cannot stand in a local chain. Use one of: ollama.',
    ],
    ['defaults: { live: [cloud-a, cloud-a] }', '"cloud-a" stands in the chain twice.'],
  ])('%s: an error', (yaml, message) => {
    expect(() => resolve(yaml)).toThrow(message);
  });

  it('report a circle once, also when other roles lead into it', () => {
    const run = () => resolve('roles: { x: { inherits: a }, a: { inherits: b }, b: { inherits: a } }');
    expect(run).toThrow(
      /^tiercel\.yaml:1 roles\.a\.inherits: The roles inherit in a circle: a → b → a\.[^\n]*$/,
    );
  });

  it('do not repeat the error of a deployment for each chain that names it', () => {
    const run = () =>
      resolveSettings({
        file: {
          name: 'f',
          text: 'deployments: [{ id: a, tier: live, baseUrl: nonsense, model: m }]\ndefaults: { live: [a] }',
        },
        env: {},
        readKeyFile: () => undefined,
      });
    expect(run).toThrow(/^f:1 deployments\.a\.baseUrl: [^\n]*$/);
  });
});
