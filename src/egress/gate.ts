import { type AddressKind, canonicalAddress, classifyAddress } from './address.ts';
import type { DenyRule, EgressRules, Scope } from './model.ts';
import {
  type HostPattern,
  matchesHost,
  matchesNetwork,
  type NetworkPattern,
  parseHostPattern,
  parseNetworkPattern,
} from './patterns.ts';
import type { Target } from './target.ts';

/** `passed` are the addresses that may be connected to, as they were given; when none is left, `refusal` says why. */
export type AddressVerdict =
  | { passed: string[]; refusal: null }
  | { passed: readonly never[]; refusal: DenyRule };

/** Rules made ready to judge by. Pure: holds no connection and asks no resolver. */
export interface Gate {
  /** What is known before a look-up: the origin, and the address where the URL names one. Null lets it on. */
  judgeTarget(target: Target, scope: Scope): DenyRule | null;
  /** All addresses that the host resolved to. */
  judgeAddresses(target: Target, scope: Scope, addresses: readonly string[]): AddressVerdict;
}

type Cover = 'none' | 'host' | 'network' | 'address';

/** Entries that cannot be parsed match nothing. */
export function createGate(rules: EgressRules): Gate {
  const declared = new Set(
    rules.declared.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin),
  );
  const allow = rules.allow.map(parseHostPattern).filter((pattern) => pattern !== null);
  const privates = toPrivateRules(rules.allowPrivate);

  const judgeAddresses: Gate['judgeAddresses'] = (target, scope, addresses) => {
    const known = addresses.map((address) => ({ address, kind: classifyAddress(address) }));
    const inside = known.every(({ kind }) => kind === 'loopback' || kind === 'private');
    const local = rules.localOnly || scope === 'local';
    const trusted = scope === 'local' || declared.has(target.origin);
    const passed: string[] = [];
    let refusal: DenyRule = local ? 'local_only' : 'not_allowed';
    for (const { address, kind } of known) {
      const cover = coverOf(privates, target, canonicalAddress(address), inside);
      const rule = judgeAddress(kind, { local, trusted, cover });
      if (rule === null) passed.push(address);
      else refusal = rule;
    }
    return passed.length > 0 ? { passed, refusal: null } : { passed: [], refusal };
  };

  return {
    judgeAddresses,
    judgeTarget(target, scope) {
      // Also while `localOnly` holds: a narrower routing must not open loopback to what may not go there otherwise.
      const known =
        scope === 'local' ||
        declared.has(target.origin) ||
        allow.some((pattern) => matchesHost(pattern, target.host, target.port));
      if (!known) return 'not_allowed';
      return target.literal ? judgeAddresses(target, scope, [target.host]).refusal : null;
    },
  };
}

/** The table of the gate: what an address is, against who asks. Null passes. */
function judgeAddress(
  kind: AddressKind,
  { local, trusted, cover }: { local: boolean; trusted: boolean; cover: Cover },
): DenyRule | null {
  switch (kind) {
    case 'reserved':
      return 'reserved_address';
    case 'metadata':
      return cover === 'address' ? null : 'metadata_address';
    case 'link_local':
      return cover === 'address' || cover === 'network' ? null : 'link_local_address';
    case 'public':
      return local ? 'local_only' : null;
    case 'loopback':
      return trusted || cover !== 'none' ? null : 'private_address';
    case 'private':
      if (cover !== 'none' || (trusted && !local)) return null;
      return local ? 'local_only' : 'private_address';
  }
}

type PrivateRules = { networks: NetworkPattern[]; hosts: HostPattern[] };

function toPrivateRules(entries: readonly string[]): PrivateRules {
  const networks: NetworkPattern[] = [];
  const hosts: HostPattern[] = [];
  for (const entry of entries) {
    const network = parseNetworkPattern(entry);
    const host = network || entry.includes('/') ? null : parseHostPattern(entry);
    if (network) networks.push(network);
    if (host) hosts.push(host);
  }
  return { networks, hosts };
}

/** How exactly `allowPrivate` names the address: alone, in a range, or by a host that has addresses inside only. */
function coverOf(rules: PrivateRules, target: Target, address: string, inside: boolean): Cover {
  const matching = rules.networks.filter((pattern) => matchesNetwork(pattern, address, target.port));
  if (matching.some((pattern) => pattern.address !== null)) return 'address';
  if (matching.length > 0) return 'network';
  return inside && rules.hosts.some((pattern) => matchesHost(pattern, target.host, target.port))
    ? 'host'
    : 'none';
}
