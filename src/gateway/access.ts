import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import { TiercelError } from '../errors.ts';
import type { KeyStore } from '../storage/key-store.ts';
import type { Access } from './route.ts';
import type { Sessions } from './sessions.ts';

/** Who a request comes from. */
export type Identity = { principal: string; admin: boolean };

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on routes that are open to anyone. */
    identity: Identity | null;
  }
}

export type AccessRules = {
  keys: KeyStore;
  /** The secret in `server.json`: who can read that file is this machine's user. */
  token: string;
  loopback: boolean;
  /** Whether the local user needs no key. */
  keyless: boolean;
  sessions: Sessions;
};

const LOCAL: Identity = { principal: 'local', admin: true };
const KEY_PREFIX = 'tcl_';

/** Makes the hook that a route of this access begins with. */
export function createAccess(rules: AccessRules): (access: Access) => onRequestHookHandler {
  const tokenHash = sha256(rules.token);

  async function verify(key: string): Promise<Identity> {
    // Hashes are of one length whatever was sent, which a comparison in constant time needs.
    if (timingSafeEqual(sha256(key), tokenHash)) return LOCAL;
    const holder = await rules.keys.verify(key).catch((cause: unknown) => {
      throw new TiercelError('not_ready', 'The key cannot be checked: the database does not answer.', {
        cause,
      });
    });
    if (holder === null) throw new TiercelError('invalid_api_key', 'The API key is unknown or revoked.');
    return holder;
  }

  /** At once where no key has to be looked up, which is the case on every call of a local user. */
  function identify({ headers, method }: IncomingMessage): Identity | null | Promise<Identity> {
    const key = keyOf(headers);
    if (key !== null) return verify(key);
    if (rules.keyless) return LOCAL;
    const session = rules.sessions.find(headers.cookie);
    if (session === null) return null;
    if (method === 'POST' && !isBeyondForms(headers)) return Promise.reject(formRefused());
    return session.key === null ? LOCAL : verify(session.key);
  }

  function guard(needsAdmin: boolean): onRequestHookHandler {
    const admit = (identity: Identity | null): TiercelError | undefined => {
      if (identity === null) return new TiercelError('invalid_api_key', 'This server needs an API key.');
      if (needsAdmin && !identity.admin) return new TiercelError('forbidden', 'This needs an admin key.');
      return undefined;
    };
    return (request, _reply, done) => {
      const identity = identify(request.raw);
      if (!(identity instanceof Promise)) {
        request.identity = identity;
        done(admit(identity));
        return;
      }
      identity.then(
        (known) => {
          request.identity = known;
          done(admit(known));
        },
        (error: Error) => done(error),
      );
    };
  }

  const anyone: onRequestHookHandler = (_request, _reply, done) => done();

  const hooks: Record<Access, onRequestHookHandler> = {
    open: anyone,
    loopback: rules.loopback ? anyone : guard(false),
    key: guard(false),
    admin: guard(true),
  };
  return (access) => hooks[access];
}

/**
 * The Tiercel key that a request presents. Others are taken for none: OpenAI's clients insist on sending some key, so one
 * that is not ours must neither open a door nor close the one that is open to the local user.
 */
function keyOf({ authorization, 'x-api-key': apiKey }: IncomingHttpHeaders): string | null {
  if (authorization !== undefined) {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (bearer?.startsWith(KEY_PREFIX)) return bearer;
  }
  return typeof apiKey === 'string' && apiKey.startsWith(KEY_PREFIX) ? apiKey : null;
}

/**
 * Whether a request is none that a form of another site could have sent with our cookie: forms send neither JSON nor headers of their
 * own, and no method but GET and POST. A page's script that tries is stopped by its `Origin`.
 */
function isBeyondForms(headers: IncomingHttpHeaders): boolean {
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  return isJson || headers['x-tiercel-csrf'] !== undefined;
}

function formRefused(): TiercelError {
  return new TiercelError(
    'origin_not_allowed',
    'A POST by cookie must be JSON or carry the header x-tiercel-csrf, with any value.',
    { param: 'x-tiercel-csrf' },
  );
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
