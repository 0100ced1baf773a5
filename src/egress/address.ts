import { BlockList, isIP } from 'node:net';

/**
 * What an IP address is to the gate.
 * - `private`: not reachable from the Internet (RFC 1918, unique local, shared, documentation, benchmarking).
 * - `metadata`: a cloud's credential service, the prize of most SSRF.
 * - `reserved`: never a peer of ours: unspecified, multicast, and tunnels that hide another address.
 */
export type AddressKind = 'loopback' | 'private' | 'link_local' | 'metadata' | 'reserved' | 'public';

/** From the IANA special-purpose registries (RFC 6890 and its updates). The first kind that matches holds. */
const RANGES: ReadonlyArray<readonly [AddressKind, readonly string[]]> = [
  // AWS, Azure and GCP; Alibaba; AWS and GCP over IPv6.
  ['metadata', ['169.254.169.254/32', '100.100.100.200/32', 'fd00:ec2::254/128', 'fd20:ce::254/128']],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['link_local', ['169.254.0.0/16', 'fe80::/10']],
  [
    'reserved',
    [
      // 0.0.0.0 connects to this very machine on Linux; 168.63.129.16 is Azure's WireServer.
      ...['0.0.0.0/8', '192.0.0.0/24', '192.88.99.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
      // IPv4-compatible, local NAT64, discard, Teredo and its block, 6to4, segment routing, site-local, multicast.
      ...[
        '::/96',
        '64:ff9b:1::/48',
        '100::/64',
        '2001::/23',
        '2002::/16',
        '5f00::/16',
        'fec0::/10',
        'ff00::/8',
      ],
    ],
  ],
  [
    'private',
    [
      ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '192.0.2.0/24', '198.18.0.0/15'],
      ...['198.51.100.0/24', '203.0.113.0/24', 'fc00::/7', '2001:db8::/32', '3fff::/20'],
    ],
  ],
];

const LISTS = RANGES.map(([kind, ranges]) => ({ kind, list: blockListOf(ranges) }));

/** A list of CIDR ranges. Throws on a range that is none: callers with foreign input check first. */
export function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/');
    list.addSubnet(network, Number(prefix), isIP(network) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** An address in the one form it is compared in: no zone, IPv6 compressed, IPv4-mapped as plain IPv4. */
export function canonicalAddress(address: string): string {
  const bare = address.split('%', 1)[0] ?? '';
  if (isIP(bare) !== 6) return bare;
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical);
  return mapped ? dotted(mapped[1], mapped[2]) : canonical;
}

/** Classifies an IPv4 or IPv6 address. What is no address at all is `reserved`, and so refused. */
export function classifyAddress(address: string): AddressKind {
  const canonical = canonicalAddress(address);
  const family = isIP(canonical);
  if (family === 0) return 'reserved';
  // NAT64's well-known prefix may carry public addresses only (RFC 6052 section 3.1).
  const translated = /^64:ff9b::(?:(?:([0-9a-f]+):)?([0-9a-f]+))?$/.exec(canonical);
  if (translated) {
    return classifyAddress(dotted(translated[1], translated[2])) === 'public' ? 'public' : 'reserved';
  }
  const type = family === 6 ? 'ipv6' : 'ipv4';
  return LISTS.find(({ list }) => list.check(canonical, type))?.kind ?? 'public';
}

function dotted(high = '0', low = '0'): string {
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return `${upper >> 8}.${upper & 255}.${lower >> 8}.${lower & 255}`;
}
