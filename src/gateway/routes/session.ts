import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { TiercelError } from '../../errors.ts';
import { parse } from '../parse.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';

const keyBody = z.strictObject({ key: z.string().min(1).max(200).describe('An API key of Tiercel.') });
const linkQuery = z.strictObject({ code: z.string().min(1).max(200) });

const sessionSchema = z.object({
  principal: z.string(),
  admin: z.boolean(),
  keyless: z.boolean().describe('Whether this machine’s user needs no sign-in.'),
});

const COOKIE = { 'set-cookie': 'The session, for twelve hours; HttpOnly, SameSite=Strict.' };

/** Signing in and out in a browser. */
export function sessionRoutes(parts: GatewayParts): Route[] {
  return [...linkRoutes(parts), ...ownRoutes(parts)];
}

function linkRoutes({ sessions, url }: GatewayParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/sign-in',
      access: 'open',
      operation: 'signInByLink',
      summary:
        'Where the link leads that the server prints at its start: signs in once, and goes on to the console.',
      query: linkQuery,
      answers: [{ status: 303, description: 'Signed in.', content: { type: 'text/html' }, headers: COOKIE }],
      errors: ['invalid_request', 'sign_in_expired'],
      async handle({ query, method }, reply) {
        const { code } = parse(linkQuery, query);
        // A preview of the link must not use it up.
        const cookie = method === 'HEAD' ? null : sessions.redeem(code);
        if (cookie === null)
          throw new TiercelError('sign_in_expired', 'This sign-in link cannot be used (again).');
        await keepPrivate(reply).header('set-cookie', cookie).redirect('/', 303);
      },
    },
    {
      method: 'POST',
      path: '/api/session/link',
      access: 'admin',
      operation: 'createSignInLink',
      summary: 'A link that signs this machine’s user in, once, within ten minutes.',
      answers: [{ status: 201, description: 'The link.', content: z.object({ url: z.string() }) }],
      errors: [],
      handle: () => ({ url: `${url()}${sessions.createLink()}` }),
    },
  ];
}

function ownRoutes({ runtime: { keys }, sessions, keyless }: GatewayParts): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/session',
      access: 'open',
      operation: 'signIn',
      summary: 'Sign in with an API key.',
      body: keyBody,
      answers: [{ status: 200, description: 'Signed in.', content: sessionSchema, headers: COOKIE }],
      errors: ['invalid_request', 'invalid_api_key'],
      async handle({ body, headers }, reply) {
        const { key } = parse(keyBody, body);
        const holder = await keys.verify(key);
        if (holder === null) throw new TiercelError('invalid_api_key', 'The API key is unknown or revoked.');
        const secure = headers.origin?.startsWith('https:') ?? false;
        keepPrivate(reply).header('set-cookie', sessions.open({ key }, secure));
        return { principal: holder.principal, admin: holder.admin, keyless };
      },
    },
    {
      method: 'GET',
      path: '/api/session',
      access: 'key',
      operation: 'getSession',
      summary: 'Who is signed in.',
      answers: [{ status: 200, description: 'Who.', content: sessionSchema }],
      errors: [],
      handle: ({ identity }) => ({
        principal: identity?.principal ?? 'local',
        admin: identity?.admin ?? false,
        keyless,
      }),
    },
    {
      method: 'DELETE',
      path: '/api/session',
      access: 'open',
      operation: 'signOut',
      summary: 'Sign out.',
      answers: [
        { status: 200, description: 'Signed out.', content: z.object({ signedOut: z.literal(true) }) },
      ],
      errors: [],
      handle({ headers }, reply) {
        keepPrivate(reply).header('set-cookie', sessions.close(headers.cookie));
        return { signedOut: true };
      },
    },
  ];
}

function keepPrivate(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
}
