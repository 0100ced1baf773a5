import { type LookupFunction, type NetConnectOpts, connect as openTcp, type Socket } from 'node:net';
import { connect as openTls, type TLSSocket } from 'node:tls';
import { canonicalAddress } from './address.ts';
import type { AddressVerdict } from './gate.ts';
import type { DenyRule, OpenFailureReason } from './model.ts';
import { denialMessage } from './refusal.ts';
import type { Target } from './target.ts';

export type ResolvedAddress = { address: string; family: number };

/** All addresses of a name; rejects with a `code` when there are none. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

/** Why no connection came about. `rule` is set when the gate refused. */
export class ConnectFailure extends Error {
  readonly reason: OpenFailureReason;
  readonly rule: DenyRule | null;

  constructor(reason: OpenFailureReason, message: string, rule: DenyRule | null = null) {
    super(message);
    this.reason = reason;
    this.rule = rule;
  }
}

const FAILED = { connect: 'the connection failed', tls: 'the TLS handshake failed' } as const;

export type ConnectAttempt = {
  target: Target;
  judge: (addresses: readonly string[]) => AddressVerdict;
  resolve: Resolve;
  /** Milliseconds, and which limit it is that ends them. */
  limit: { ms: number; reason: 'connect_timeout' | 'deadline' };
  /** TLS sessions of this origin, so that a later connection resumes instead of shaking hands in full. */
  sessions: { last: Buffer | null };
  onSocket: (socket: Socket) => void;
  done: (failure: ConnectFailure | null, socket: Socket | null) => void;
};

/**
 * Opens a socket to addresses that the gate let pass and to no others: the name is resolved once, the answer
 * judged, and the addresses handed to the connection as its look-up, so that nothing resolves it a second time.
 * Calls `done` once. The function it gives back ends the attempt.
 */
export function openChecked(attempt: ConnectAttempt): (failure: ConnectFailure) => void {
  const { target, judge, limit, done } = attempt;
  let resolved: readonly string[] = [target.host];
  const refusal = target.literal ? judge(resolved).refusal : null;
  if (refusal) {
    process.nextTick(done, denied(target, refusal), null);
    return () => {};
  }
  const lookup = checkedLookup(attempt, (addresses) => {
    resolved = addresses;
  });
  const socket = open(attempt, lookup);
  attempt.onSocket(socket);

  let settled = false;
  const settle = (failure: ConnectFailure | null) => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    if (failure) socket.destroy();
    done(failure, failure ? null : socket);
  };
  const timer = setTimeout(
    () => settle(new ConnectFailure(limit.reason, `no connection within ${limit.ms} ms`)),
    limit.ms,
  );

  let phase: 'connect' | 'tls' = 'connect';
  socket.once('connect', () => {
    phase = 'tls';
  });
  socket.once(target.secure ? 'secureConnect' : 'connect', () => {
    // Looked at again on the wire, under the rules of this moment.
    const verdict = judge(resolved);
    const remote = canonicalAddress(socket.remoteAddress ?? '');
    const passed = verdict.passed.some((address) => canonicalAddress(address) === remote);
    settle(passed ? null : denied(target, verdict.refusal ?? 'not_allowed'));
  });
  socket.on('error', (error) => {
    if (settled) return;
    settle(
      error instanceof ConnectFailure ? error : new ConnectFailure(phase, FAILED[phase] + codeOf(error)),
    );
  });
  return settle;
}

function open({ target, sessions }: ConnectAttempt, lookup: LookupFunction): Socket {
  const { host, port, secure, literal } = target;
  if (secure) {
    const socket: TLSSocket = openTls({
      host,
      port,
      lookup,
      // Server names are names only (RFC 6066 section 3).
      servername: literal ? '' : host,
      ALPNProtocols: ['http/1.1'],
      ...(sessions.last ? { session: sessions.last } : {}),
    });
    socket.on('session', (session) => {
      sessions.last = session;
    });
    return socket.setNoDelay(true).setKeepAlive(true, 60_000);
  }
  // 64 kB a read instead of Node 20's 16 kB: fewer turns for large bodies.
  const options: NetConnectOpts & { highWaterMark: number } = { host, port, lookup, highWaterMark: 65_536 };
  return openTcp(options).setNoDelay(true).setKeepAlive(true, 60_000);
}

/** Node does not call it for a literal address. */
function checkedLookup(
  { target, judge, resolve }: ConnectAttempt,
  onResolved: (addresses: readonly string[]) => void,
): LookupFunction {
  return (hostname, options, callback) => {
    const fail = (failure: ConnectFailure) => callback(failure, '', 0);
    resolve(hostname).then(
      (answer) => {
        const addresses = answer.map(({ address }) => address);
        onResolved(addresses);
        const { passed, refusal } = judge(addresses);
        if (refusal) return fail(denied(target, refusal));
        const checked = answer.filter(({ address }) => passed.includes(address));
        const [first] = checked;
        if (options.all) callback(null, checked);
        else if (first) callback(null, first.address, first.family);
      },
      (error: unknown) => {
        fail(new ConnectFailure('dns', `the name did not resolve${codeOf(error)}`));
      },
    );
  };
}

function denied(target: Target, rule: DenyRule): ConnectFailure {
  return new ConnectFailure('denied', denialMessage(target, rule), rule);
}

/** ` (ECONNREFUSED)`: the code alone, as other parts of a message may quote what was sent. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
}
