import { BlockList, isIP } from 'node:net';

type AddressKind = 'loopback' | 'private' | 'public' | 'name';

const loopback = toBlockList(['127.0.0.0/8', '::1/128']);
// RFC 1918, 3927, 6598, 4193 and 4291 §2.5.6, then documentation and benchmarking (RFC 5737, 2544, 3849, 9637), which are
// as little of the Internet; 0.0.0.0/8 is "this network" (RFC 791), not a target to trust.
const internal = toBlockList([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '0.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '192.0.2.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '2001:db8::/32',
  '3fff::/20',
  '::/128',
]);

/** What kind of address a URL's hostname literally is. Names are looked up, and judged, when a connection is made. */
export function classifyHost(hostname: string): AddressKind {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(address);
  if (family === 0) return hostname === 'localhost' || hostname.endsWith('.localhost') ? 'loopback' : 'name';
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (loopback.check(address, type)) return 'loopback';
  return internal.check(address, type) ? 'private' : 'public';
}

/** Whether a list of addresses, ranges and `address:port` covers a URL's address and port. */
export function coversAddress(allowed: readonly string[], url: URL): boolean {
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return allowed.some((entry) => {
    const withPort = /^\[(.+)\]:(\d+)$/.exec(entry) ?? /^([^:]+):(\d+)$/.exec(entry);
    if (withPort?.[2] !== undefined && withPort[2] !== port) return false;
    const host = (withPort?.[1] ?? entry).replace(/^\[(.*)\]$/, '$1');
    return isRange(host) && toBlockList([host]).check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  });
}

function isRange(text: string): boolean {
  const [address = '', prefix] = text.split('/');
  const family = isIP(address);
  return family !== 0 && (prefix === undefined || Number(prefix) <= (family === 4 ? 32 : 128));
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}
