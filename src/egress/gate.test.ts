import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyAddress } from './address.ts';
import { createGate } from './gate.ts';
import type { EgressRules, Scope } from './model.ts';
import { parseTarget } from './target.ts';

const CLOSED: EgressRules = { localOnly: false, allow: [], allowPrivate: [], declared: [] };

/** The verdict on a URL whose host has these addresses: the rule that refuses, or what passed. */
function verdict(rules: Partial<EgressRules>, scope: Scope, url: string, addresses?: string[]) {
  const gate = createGate({ ...CLOSED, ...rules });
  const target = parseTarget(url);
  if (!target) return 'invalid_url';
  const refusal = gate.judgeTarget(target, scope);
  if (refusal || !addresses) return refusal ?? 'passes';
  const judged = gate.judgeAddresses(target, scope, addresses);
  return judged.refusal ?? judged.passed.join(' ');
}

describe('an address', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.0.9', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['fd12:3456::1', 'private'],
    ['169.254.1.1', 'link_local'],
    ['fe80::1%eth0', 'link_local'],
    ['169.254.169.254', 'metadata'],
    ['::ffff:169.254.169.254', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['0.0.0.0', 'reserved'],
    ['::', 'reserved'],
    ['::127.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['224.0.0.1', 'reserved'],
    ['ff02::1', 'reserved'],
    ['64:ff9b::8.8.8.8', 'public'],
    ['64:ff9b::127.0.0.1', 'reserved'],
    ['64:ff9b::169.254.169.254', 'reserved'],
    ['64:ff9b::', 'reserved'],
    ['64:ff9b:1::10.0.0.1', 'reserved'],
    ['2002:7f00:1::', 'reserved'],
    ['2001:0:1::1', 'reserved'],
    ['8.8.8.8', 'public'],
    ['2606:4700::1111', 'public'],
    ['not an address', 'reserved'],
  ])('%s is %s', (address, kind) => {
    expect(classifyAddress(address)).toBe(kind);
  });
});

describe('the gate', () => {
  const api = 'https://api.example.com/v1';
  const declared = ['https://api.example.com'];
  it.each<[string, Partial<EgressRules>, Scope, string, string[] | undefined, string]>([
    ['refuses what nobody named', {}, 'declared', api, undefined, 'not_allowed'],
    ['passes a declared origin', { declared }, 'declared', api, ['8.8.8.8'], '8.8.8.8'],
    ['takes a base URL as a declared origin', { declared: [api] }, 'declared', api, undefined, 'passes'],
    [
      'minds the port of a declared origin',
      { declared },
      'declared',
      'https://api.example.com:8443/',
      undefined,
      'not_allowed',
    ],
    ['lets a declared origin be private', { declared }, 'declared', api, ['10.0.0.5'], '10.0.0.5'],
    ['lets a declared origin be loopback', { declared }, 'declared', api, ['127.0.0.1'], '127.0.0.1'],
    [
      'keeps a declared origin from metadata',
      { declared },
      'declared',
      api,
      ['169.254.169.254'],
      'metadata_address',
    ],
    [
      'keeps a declared origin from link-local',
      { declared },
      'declared',
      api,
      ['fe80::1'],
      'link_local_address',
    ],
    ['passes an allowed host', { allow: ['api.example.com'] }, 'declared', api, ['8.8.8.8'], '8.8.8.8'],
    [
      'ignores case and a dot at the end',
      { allow: ['API.Example.com'] },
      'declared',
      'https://api.EXAMPLE.com./',
      ['8.8.8.8'],
      '8.8.8.8',
    ],
    ['passes an allowed port', { allow: ['api.example.com:443'] }, 'declared', api, undefined, 'passes'],
    ['refuses another port', { allow: ['api.example.com:8443'] }, 'declared', api, undefined, 'not_allowed'],
    [
      'passes a subdomain of a wildcard',
      { allow: ['*.example.com:443'] },
      'declared',
      api,
      undefined,
      'passes',
    ],
    [
      'keeps the apex out of a wildcard',
      { allow: ['*.example.com'] },
      'declared',
      'https://example.com',
      undefined,
      'not_allowed',
    ],
    [
      'is not fooled by a suffix',
      { allow: ['*.example.com'] },
      'declared',
      'https://evilexample.com',
      undefined,
      'not_allowed',
    ],
    ['has no wildcard for everything', { allow: ['*', '*.*'] }, 'declared', api, undefined, 'not_allowed'],
    [
      'refuses an allowed host that is private',
      { allow: ['api.example.com'] },
      'declared',
      api,
      ['10.0.0.5'],
      'private_address',
    ],
    [
      'refuses an allowed host that is loopback',
      { allow: ['api.example.com'] },
      'declared',
      api,
      ['::1'],
      'private_address',
    ],
    [
      'lets allowPrivate cover it',
      { allow: ['api.example.com'], allowPrivate: ['10.0.0.0/8'] },
      'declared',
      api,
      ['10.0.0.5'],
      '10.0.0.5',
    ],
    [
      'keeps the public ones of mixed addresses',
      { allow: ['api.example.com'] },
      'declared',
      api,
      ['10.0.0.5', '8.8.8.8', '::1'],
      '8.8.8.8',
    ],
    [
      'knows decimal hosts',
      { allow: ['127.0.0.1'] },
      'declared',
      'http://2130706433/',
      undefined,
      'private_address',
    ],
    [
      'knows octal hosts',
      { allow: ['127.0.0.1'] },
      'declared',
      'http://0177.0.0.1/',
      undefined,
      'private_address',
    ],
    [
      'knows mapped hosts',
      { allow: ['127.0.0.1'], declared: ['http://[::ffff:127.0.0.1]'] },
      'declared',
      'http://[::ffff:7f00:1]/',
      undefined,
      'passes',
    ],
    [
      'refuses 0.0.0.0 even when declared',
      { declared: ['http://0.0.0.0:80'] },
      'declared',
      'http://0.0.0.0/',
      undefined,
      'reserved_address',
    ],
    ['refuses other schemes', { declared: ['ftp://a'] }, 'declared', 'ftp://a/', undefined, 'invalid_url'],
    ['refuses what is no URL', {}, 'local', 'nonsense', undefined, 'invalid_url'],
    ['local: passes loopback', {}, 'local', 'http://localhost:11434/', ['127.0.0.1', '::1'], '127.0.0.1 ::1'],
    ['local: refuses a name that is public', {}, 'local', 'http://localhost:1/', ['8.8.8.8'], 'local_only'],
    [
      'local: refuses public though allowed and declared',
      { allow: ['api.example.com'], declared },
      'local',
      api,
      ['8.8.8.8'],
      'local_only',
    ],
    [
      'local: refuses public though in allowPrivate',
      { allowPrivate: ['0.0.0.0/0', '8.8.8.8', 'api.example.com'] },
      'local',
      api,
      ['8.8.8.8'],
      'local_only',
    ],
    ['local: refuses private that is not listed', {}, 'local', 'http://10.0.0.5/', undefined, 'local_only'],
    [
      'local: passes a listed IP',
      { allowPrivate: ['10.0.0.5'] },
      'local',
      'http://10.0.0.5/',
      undefined,
      'passes',
    ],
    [
      'local: passes a listed IP and port',
      { allowPrivate: ['10.0.0.5:80'] },
      'local',
      'http://10.0.0.5/',
      undefined,
      'passes',
    ],
    [
      'local: refuses another port of it',
      { allowPrivate: ['10.0.0.5:81'] },
      'local',
      'http://10.0.0.5/',
      undefined,
      'local_only',
    ],
    [
      'local: passes a listed IPv6 and port',
      { allowPrivate: ['[fd00::5]:80'] },
      'local',
      'http://[fd00::5]/',
      undefined,
      'passes',
    ],
    [
      'local: passes a listed range',
      { allowPrivate: ['fd00::/8'] },
      'local',
      'http://[fd00::5]/',
      undefined,
      'passes',
    ],
    [
      'local: passes a listed host that is private',
      { allowPrivate: ['gpu.lan:80'] },
      'local',
      'http://gpu.lan/',
      ['10.0.0.5'],
      '10.0.0.5',
    ],
    [
      'local: refuses a listed host that is half public',
      { allowPrivate: ['gpu.lan'] },
      'local',
      'http://gpu.lan/',
      ['10.0.0.5', '8.8.8.8'],
      'local_only',
    ],
    [
      'local: link-local needs more than a host',
      { allowPrivate: ['gpu.lan'] },
      'local',
      'http://gpu.lan/',
      ['169.254.7.7'],
      'link_local_address',
    ],
    [
      'local: link-local passes by range',
      { allowPrivate: ['169.254.0.0/16'] },
      'local',
      'http://169.254.7.7/',
      undefined,
      'passes',
    ],
    [
      'local: metadata needs more than a range',
      { allowPrivate: ['169.254.0.0/16'] },
      'local',
      'http://169.254.169.254/',
      undefined,
      'metadata_address',
    ],
    [
      'local: metadata passes by its own address',
      { allowPrivate: ['169.254.169.254'] },
      'local',
      'http://169.254.169.254/',
      undefined,
      'passes',
    ],
    [
      'local: entries that are none match nothing',
      { allowPrivate: ['10.0.0.0/99', '10.0.0.0/8/8', '/', ''] },
      'local',
      'http://10.0.0.5/',
      undefined,
      'local_only',
    ],
    [
      'localOnly: refuses a declared public origin',
      { localOnly: true, declared },
      'declared',
      api,
      ['8.8.8.8'],
      'local_only',
    ],
    [
      'localOnly: passes a declared loopback origin',
      { localOnly: true, declared: ['http://127.0.0.1:1'] },
      'declared',
      'http://127.0.0.1:1/',
      undefined,
      'passes',
    ],
    [
      'localOnly: asks allowPrivate for a declared private origin',
      { localOnly: true, declared },
      'declared',
      api,
      ['10.0.0.5'],
      'local_only',
    ],
    [
      'localOnly: opens no loopback that was closed before',
      { localOnly: true },
      'declared',
      'http://127.0.0.1:5432/',
      undefined,
      'not_allowed',
    ],
  ])('%s', (_, rules, scope, url, addresses, expected) => {
    expect(verdict(rules, scope, url, addresses)).toBe(expected);
  });
});

/** Says by arithmetic alone, apart from the lists under test, that an IPv4 address is inside or special. */
function isInside(address: string): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const at = (one: number, two: number, three?: number) => a === one && b === two && (three ?? c) === c;
  return (
    [0, 10, 127].includes(a) ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 172 && b >= 16 && b < 32) ||
    at(192, 168) ||
    at(169, 254) ||
    at(198, 18) ||
    at(198, 19) ||
    at(192, 0, 0) ||
    at(192, 0, 2) ||
    at(192, 88, 99) ||
    at(198, 51, 100) ||
    at(203, 0, 113) ||
    (at(168, 63, 129) && d === 16)
  );
}

describe('no public address passes', () => {
  const edges = fc.constantFrom(
    '9.255.255.255',
    '11.0.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
  );
  const address = fc.oneof(
    fc.ipV4(),
    edges,
    fc.ipV4().map((last) => last.replace(/^\d+\.\d+/, '192.168')),
  );
  const forms = fc.constantFrom(
    (ip: string) => ip,
    (ip: string) => `::ffff:${ip}`,
    (ip: string) => `64:ff9b::${ip}`,
  );
  const entry = fc.oneof(
    address,
    fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([ip, bits]) => `${ip}/${bits}`),
    fc.constantFrom('0.0.0.0/0', '::/0', 'host.test', '*.test', 'host.test:80', '*'),
  );
  const entries = fc.array(entry, { maxLength: 6 });

  it('in scope local, or while localOnly holds, whatever the rules list', () => {
    const input = fc.record({
      allow: entries,
      allowPrivate: entries,
      localOnly: fc.boolean(),
      scope: fc.constantFrom<Scope>('local', 'declared'),
    });
    fc.assert(
      fc.property(
        input,
        fc.array(fc.tuple(address, forms), { minLength: 1, maxLength: 4 }),
        (rules, found) => {
          fc.pre(rules.localOnly || rules.scope === 'local');
          const gate = createGate({ ...rules, declared: ['http://host.test'] });
          const named = parseTarget('http://host.test/');
          if (!named) throw new Error('unreachable');
          const addresses = found.map(([ip, form]) => form(ip));
          for (const passed of gate.judgeAddresses(named, rules.scope, addresses).passed) {
            const position = addresses.indexOf(passed);
            expect(isInside(found[position]![0])).toBe(true);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
