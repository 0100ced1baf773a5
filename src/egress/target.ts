import { isIP } from 'node:net';

/** A URL taken apart once, in the forms that the gate and the pool need. */
export type Target = {
  /** As the URL standard serialises it: lower case, default port left out. */
  readonly origin: string;
  /** Without brackets and without a dot at the end. Odd IPv4 forms (`0x7f.1`) are already dotted decimal. */
  readonly host: string;
  readonly port: number;
  /** Host and port as messages name them. */
  readonly place: string;
  readonly secure: boolean;
  /** Path and query. */
  readonly path: string;
  /** Whether `host` is an address, so that nothing needs to be looked up. */
  readonly literal: boolean;
};

/** Takes an absolute http or https URL apart; null for anything else. */
export function parseTarget(url: string): Target | null {
  if (!URL.canParse(url)) return null;
  const { protocol, origin, hostname, port, pathname, search } = new URL(url);
  const secure = protocol === 'https:';
  if (!secure && protocol !== 'http:') return null;
  const host = bareHost(hostname);
  const number = port === '' ? (secure ? 443 : 80) : Number(port);
  return {
    origin,
    host,
    port: number,
    place: `${isIP(host) === 6 ? hostname : host}:${number}`,
    secure,
    path: pathname + search,
    literal: isIP(host) !== 0,
  };
}

/** A host as it is compared: no brackets, no dot at the end. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
}
