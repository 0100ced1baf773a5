import { type BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { blockListOf, canonicalAddress } from './address.ts';
import { bareHost } from './target.ts';

/** An entry of `allow`, or one of `allowPrivate` that names a host. `port` null is any port. */
export type HostPattern = { host: string; subdomains: boolean; port: number | null };

/** An entry of `allowPrivate` that names addresses. `address` is set when it names one, `port` null is any port. */
export type NetworkPattern = { list: BlockList; address: string | null; port: number | null };

/** `host`, `host:port`, `*.example.com:443`, `[::1]:80`, `10.0.0.1`. Null for what is none of them: it matches nothing. */
export function parseHostPattern(entry: string): HostPattern | null {
  const text = entry.trim();
  // An IPv6 address without brackets has colons of its own, none of which begins a port.
  const split = isIP(text) === 6 ? null : /^(.*?)(?::(\d{1,5}))?$/.exec(text);
  const [, name = text, port] = split ?? [];
  const subdomains = name.startsWith('*.');
  const bare = bareHost(subdomains ? name.slice(2) : name);
  const host = isIP(bare) === 0 ? domainToASCII(bare) : canonicalAddress(bare);
  if (host === '' || host.includes('*')) return null;
  return { host, subdomains, port: port === undefined ? null : Number(port) };
}

/** An IP, with an optional port, or a CIDR range. Null for anything else. */
export function parseNetworkPattern(entry: string): NetworkPattern | null {
  const [network = '', prefix, ...rest] = entry.trim().split('/');
  if (prefix !== undefined) {
    const bits = isIP(network) === 6 ? 128 : isIP(network) === 4 ? 32 : -1;
    if (rest.length > 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return null;
    return { list: blockListOf([`${network}/${prefix}`]), address: null, port: null };
  }
  const pattern = parseHostPattern(entry);
  if (!pattern || pattern.subdomains || isIP(pattern.host) === 0) return null;
  const { host, port } = pattern;
  return { list: blockListOf([`${host}/${isIP(host) === 6 ? 128 : 32}`]), address: host, port };
}

export function matchesHost(pattern: HostPattern, host: string, port: number): boolean {
  if (pattern.port !== null && pattern.port !== port) return false;
  return pattern.subdomains ? host.endsWith(`.${pattern.host}`) : host === pattern.host;
}

/** `address` in its canonical form. */
export function matchesNetwork(pattern: NetworkPattern, address: string, port: number): boolean {
  if (pattern.port !== null && pattern.port !== port) return false;
  return pattern.list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
