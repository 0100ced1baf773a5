import { createHash, randomBytes } from 'node:crypto';

const CODE_MS = 10 * 60_000;
const SESSION_MS = 12 * 3_600_000;
/** Beyond it the oldest is forgotten, so that sign-ins cannot fill the memory. */
const MOST_SESSIONS = 1000;

/** Who signed in: by a link the local user, by a key its holder, who is looked up again at each request. */
export type Session = { key: string | null };

/** Sign-ins of browsers. They end with the process. */
export interface Sessions {
  /** The path of a link that opens one session of the local user, once, within ten minutes. */
  createLink(): string;
  /** The `Set-Cookie` of the session that a link’s code opens; null when it was used, has expired or never was. */
  redeem(code: string): string | null;
  /** The `Set-Cookie` of a new session. */
  open(session: Session, secure: boolean): string;
  /** The session that a `Cookie` header names. */
  find(cookies: string | undefined): Session | null;
  /** Ends it, and gives the `Set-Cookie` that takes the cookie away. */
  close(cookies: string | undefined): string;
}

type Timed<Value> = Value & { expiresAt: number };

/**
 * State: codes not yet used and open sessions, each by the SHA-256 of its secret, so that a look-up tells nothing by its time.
 *
 * @param port of this server, asked for when it listens. Browsers do not part cookies by port, so the name does
 */
export function createSessions(port: () => number, now: () => number = Date.now): Sessions {
  const codes = new Map<string, Timed<object>>();
  const sessions = new Map<string, Timed<Session>>();
  const name = () => `tiercel_session_${port()}`;

  function take<Value>(kept: Map<string, Timed<Value>>, secret: string): Timed<Value> | null {
    const found = kept.get(sha256(secret));
    if (found === undefined || found.expiresAt <= now()) return null;
    return found;
  }

  function open(session: Session, secure: boolean): string {
    const [oldest] = sessions.keys();
    if (sessions.size >= MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    const id = randomBytes(32).toString('base64url');
    sessions.set(sha256(id), { ...session, expiresAt: now() + SESSION_MS });
    return toCookie(`${name()}=${id}`, SESSION_MS, secure);
  }

  return {
    createLink() {
      const code = randomBytes(24).toString('base64url');
      codes.set(sha256(code), { expiresAt: now() + CODE_MS });
      return `/sign-in?code=${code}`;
    },
    redeem(code) {
      const found = take(codes, code);
      codes.delete(sha256(code));
      return found && open({ key: null }, false);
    },
    open,
    find(cookies) {
      const id = readCookie(cookies, name());
      return id === null ? null : take(sessions, id);
    },
    close(cookies) {
      const id = readCookie(cookies, name());
      if (id !== null) sessions.delete(sha256(id));
      return toCookie(`${name()}=`, 0, false);
    },
  };
}

function toCookie(pair: string, lifeMs: number, secure: boolean): string {
  return `${pair}; Path=/; Max-Age=${lifeMs / 1000}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}

function readCookie(cookies: string | undefined, name: string): string | null {
  for (const pair of cookies?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
