import type { Socket } from 'node:net';
import { Client } from 'undici';
import { ConnectFailure, openChecked, type Resolve } from './connector.ts';
import type { AddressVerdict } from './gate.ts';
import type { LiveExchange, Place } from './live-exchange.ts';
import type { Target } from './target.ts';

/** Connections to one origin, at most. More exchanges wait in the order they came. */
const MAX_CONNECTIONS = 256;
/** Milliseconds that an idle connection is kept: below the 5 s after which Node servers close theirs. */
const KEEP_ALIVE_MS = 4000;

export type PoolOptions = {
  /** Reads the rules; when they have changed, this pool is retired before the call comes back. */
  refresh: () => void;
  judge: (target: Target, addresses: readonly string[]) => AddressVerdict;
  resolve: Resolve;
  maxConnections?: number;
};

/**
 * Connections to one origin under one set of rules. undici's own `Pool` is not used, as a connection attempt
 * must know its exchange (whose limit it runs under, who goes away) and a waiting exchange must be able to leave.
 * Idle connections are used last in, first out, so that those not needed time out.
 */
export class OriginPool {
  readonly origin: string;
  readonly #options: PoolOptions;
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #waiting = new Set<LiveExchange>();
  readonly #sessions: { last: Buffer | null } = { last: null };
  readonly #queue: Place;
  #retired = false;

  constructor(origin: string, options: PoolOptions) {
    this.origin = origin;
    this.#options = options;
    this.#queue = { leave: (exchange) => this.#waiting.delete(exchange), release: () => {} };
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  /** Whether no exchange is on a connection or waits for one. */
  get unused(): boolean {
    return this.#waiting.size === 0 && this.#idle.length === this.#connections.size;
  }

  /** Whether it was retired and its last socket has closed. */
  get gone(): boolean {
    return this.#retired && this.#connections.size === 0 && this.#sockets.size === 0;
  }

  submit(exchange: LiveExchange): void {
    const connection = this.#idle.pop() ?? this.#grow();
    if (connection) {
      connection.carry(exchange);
    } else {
      this.#waiting.add(exchange);
      exchange.moveTo(this.#queue);
    }
  }

  /** Takes no more: idle connections close now, busy ones after their exchange. Gives back those that wait. */
  retire(): LiveExchange[] {
    this.#retired = true;
    for (const connection of this.#idle.splice(0)) this.#drop(connection);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    return waiting;
  }

  async destroy(): Promise<void> {
    for (const exchange of this.retire()) exchange.abort();
    const busy = [...this.#connections];
    this.#connections.clear();
    await Promise.all(busy.map((connection) => connection.destroy()));
    for (const socket of this.#sockets) socket.destroy();
  }

  #grow(): Connection | null {
    if (this.#connections.size >= (this.#options.maxConnections ?? MAX_CONNECTIONS)) return null;
    const connection = new Connection(this.origin, {
      open: (attempt) =>
        openChecked({
          ...attempt,
          judge: (addresses) => this.#options.judge(attempt.target, addresses),
          resolve: this.#options.resolve,
          sessions: this.#sessions,
          onSocket: (socket) => this.#track(socket),
        }),
      // Later, as undici is still inside its own bookkeeping of the request that ended.
      free: () => queueMicrotask(() => this.#serveNext(connection)),
    });
    this.#connections.add(connection);
    return connection;
  }

  #serveNext(connection: Connection): void {
    if (this.#waiting.size > 0) this.#options.refresh();
    const [next] = this.#waiting;
    if (this.#retired) {
      this.#drop(connection);
    } else if (next) {
      this.#waiting.delete(next);
      connection.carry(next);
    } else {
      this.#idle.push(connection);
    }
  }

  #drop(connection: Connection): void {
    if (this.#connections.delete(connection)) void connection.close();
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

type OpenSocket = (
  attempt: Pick<Parameters<typeof openChecked>[0], 'target' | 'limit' | 'done'>,
) => ReturnType<typeof openChecked>;

/** One undici client, which holds at most one socket and carries one exchange at a time. */
class Connection implements Place {
  readonly #client: Client;
  readonly #open: OpenSocket;
  readonly #free: () => void;
  #exchange: LiveExchange | null = null;
  #stopOpening: ((failure: ConnectFailure) => void) | null = null;

  constructor(origin: string, { open, free }: { open: OpenSocket; free: () => void }) {
    this.#open = open;
    this.#free = free;
    this.#client = new Client(origin, {
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Ours are exact to the millisecond and counted from their own start; undici's tick in half seconds.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_, callback) =>
        this.#connect((failure, socket) => {
          if (socket) callback(null, socket);
          else callback(failure ?? new Error('no socket'), null);
        }),
    });
  }

  carry(exchange: LiveExchange): void {
    this.#exchange = exchange;
    exchange.moveTo(this);
    const { method, headers, body } = exchange.exchange;
    this.#client.dispatch({ path: exchange.target.path, method, headers, body }, exchange);
  }

  leave(): void {
    this.#stopOpening?.(new ConnectFailure('aborted', 'over before it was connected'));
  }

  release(): void {
    this.#exchange = null;
    this.#free();
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  destroy(): Promise<void> {
    this.#exchange?.abort();
    return this.#client.destroy();
  }

  /** undici connects when a request waits on the client, so there is an exchange; it may be over by now. */
  #connect(done: (failure: ConnectFailure | null, socket: Socket | null) => void): void {
    const exchange = this.#exchange;
    if (!exchange || exchange.over) {
      process.nextTick(done, new ConnectFailure('aborted', 'over before it was connected'), null);
      return;
    }
    this.#stopOpening = this.#open({
      target: exchange.target,
      limit: exchange.connectLimit(),
      done: (failure, socket) => {
        this.#stopOpening = null;
        done(failure, socket);
      },
    });
  }
}
