import { describe, expect, it } from 'vitest';
import { createSiteGuard } from './site-guard.ts';

const passes = (host: string, port: number, headers: { host?: string; origin?: string }) => {
  try {
    createSiteGuard(host, () => port).check(headers);
    return true;
  } catch {
    return false;
  }
};

describe('createSiteGuard', () => {
  it.each(['127.0.0.1:4040', 'localhost:4040', 'LOCALHOST:4040', '[::1]:4040'])(
    'knows %s as its own',
    (host) => {
      expect(passes('127.0.0.1', 4040, { host, origin: `http://${host.toLowerCase()}` })).toBe(true);
    },
  );

  it.each([
    undefined,
    '127.0.0.1',
    '127.0.0.1:80',
    'localhost.evil.example:4040',
    '127.0.0.1:4040.evil.example',
  ])('does not know %s', (host) => {
    expect(passes('127.0.0.1', 4040, host === undefined ? {} : { host })).toBe(false);
  });

  it('takes a host without a port where the port is the scheme’s own', () => {
    expect(passes('127.0.0.1', 80, { host: 'localhost' })).toBe(true);
  });

  it('knows the loopback address that it is bound to, IPv6 too', () => {
    expect(passes('127.0.0.2', 4040, { host: '127.0.0.2:4040' })).toBe(true);
    expect(passes('::1', 4040, { host: '[::1]:4040' })).toBe(true);
  });

  it.each(['null', 'http://localhost:3000', 'https://localhost:4040', 'http://evil.example'])(
    'refuses the origin %s',
    (origin) => {
      expect(passes('127.0.0.1', 4040, { host: 'localhost:4040', origin })).toBe(false);
    },
  );

  it('beyond loopback takes any host, but no origin that differs from it', () => {
    expect(passes('0.0.0.0', 4040, { host: 'ai.example.com' })).toBe(true);
    expect(passes('0.0.0.0', 4040, { host: 'ai.example.com', origin: 'https://ai.example.com' })).toBe(true);
    expect(passes('0.0.0.0', 4040, { host: 'ai.example.com', origin: 'https://other.example.com' })).toBe(
      false,
    );
    expect(passes('0.0.0.0', 4040, { origin: 'null' })).toBe(false);
  });
});
