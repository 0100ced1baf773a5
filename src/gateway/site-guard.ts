import type { IncomingHttpHeaders } from 'node:http';
import { classifyHost } from '../config/address.ts';
import { TiercelError } from '../errors.ts';

/** Keeps web pages of other sites away from the server. */
export interface SiteGuard {
  /** @throws TiercelError `host_not_allowed` or `origin_not_allowed` */
  check(headers: IncomingHttpHeaders): void;
}

export function isLoopback(host: string): boolean {
  return classifyHost(host) === 'loopback';
}

/**
 * A browser lets any page send requests to this machine. On loopback `Host` must be one of our own names, since a page
 * whose name was made to resolve to 127.0.0.1 (DNS rebinding) still sends that name; and `Origin`, which a page cannot
 * forge, must be our own wherever it is sent. Beyond loopback a server has names that it does not know, so there only
 * `Origin` is held against `Host`.
 *
 * @param port asked for at the first request, since port 0 is known only once the server listens
 */
export function createSiteGuard(host: string, port: () => number): SiteGuard {
  if (!isLoopback(host)) return { check: checkSameOrigin };
  let hosts: ReadonlySet<string> | null = null;
  let origins: ReadonlySet<string> = new Set();

  return {
    check({ host: given, origin }) {
      if (hosts === null) {
        hosts = ownHosts(host, port());
        origins = new Set([...hosts].map((name) => `http://${name}`));
      }
      if (given === undefined || !(hosts.has(given) || hosts.has(given.toLowerCase()))) {
        throw new TiercelError('host_not_allowed', `This server answers to ${[...hosts].join(', ')} only.`, {
          param: 'host',
        });
      }
      if (origin !== undefined && !origins.has(origin)) throw foreignOrigin();
    },
  };
}

function ownHosts(host: string, port: number): Set<string> {
  const names = new Set(['127.0.0.1', 'localhost', '[::1]', urlHost(host)]);
  // Clients leave out the scheme's own port.
  return new Set([...names].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}

function checkSameOrigin({ host, origin }: IncomingHttpHeaders): void {
  if (origin === undefined || origin === `https://${host}` || origin === `http://${host}`) return;
  throw foreignOrigin();
}

function foreignOrigin(): TiercelError {
  return new TiercelError('origin_not_allowed', 'Pages of other sites may not call this server.', {
    param: 'origin',
  });
}

/** A host as it stands in a URL: IPv6 addresses in brackets. */
export function urlHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host.toLowerCase();
}
