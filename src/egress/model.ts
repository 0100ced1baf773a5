/**
 * The only way out of the process. Whatever opens a connection (inference, embeddings, tools, webhooks,
 * telemetry) opens it here. One thing stands outside: the database's own connection to PostgreSQL, which
 * `storage` opens to the address that the operator gave as `databaseUrl`.
 */

/** What may be reached. Read at every exchange, so a change is in force from the next one. */
export type EgressRules = {
  /** Nothing leaves: only loopback and what `allowPrivate` covers, whatever else is listed. */
  readonly localOnly: boolean;
  /** `host`, `host:port` or `*.example.com:443`; without a port any port. Must resolve to public addresses. */
  readonly allow: readonly string[];
  /**
   * Addresses inside that may be reached: IP, CIDR or host, each but CIDR with an optional port. A host counts
   * only while all its addresses are private. Link-local needs an IP or CIDR, the metadata service its own IP.
   */
  readonly allowPrivate: readonly string[];
  /** Origins of configured deployments, as `https://example.com`. They may resolve to private addresses. */
  readonly declared: readonly string[];
};

/** `local`: targets of the local tier, which must be inside. `declared`: origins that were declared or allowed. */
export type Scope = 'local' | 'declared';

/** The rule that refused. Shown in the message and told to the observer. */
export type DenyRule =
  | 'invalid_url'
  | 'not_allowed'
  | 'local_only'
  | 'private_address'
  | 'link_local_address'
  | 'metadata_address'
  | 'reserved_address';

export interface EgressObserver {
  /** Once for every exchange that was refused. `port` is 0 when the URL could not be read. */
  denied(denial: { host: string; port: number; purpose: string; reason: DenyRule }): void;
}

/** One HTTP request to be sent. */
export type Exchange = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Absolute, http or https. */
  url: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
  /** Who asks and what for, in a word or two, for the observer: `inference`, `webhook`. */
  purpose: string;
  scope: Scope;
  /**
   * Milliseconds. `connectMs`: name look-up, TCP and TLS of a new connection; waiting for a free one counts towards
   * the deadline only. `headerMs`: from the request being written to the response header.
   */
  limits: { connectMs: number; headerMs: number };
  /** Absolute, in milliseconds of `performance.now()`, at most 24 days ahead. Holds for the body too. */
  deadlineAt: number;
  /** Aborting destroys the upstream socket at once. */
  signal?: AbortSignal;
};

export type ReadFailureReason = 'idle_timeout' | 'deadline' | 'reset' | 'aborted';

export type OpenFailureReason =
  | 'denied'
  | 'connect'
  | 'dns'
  | 'tls'
  | 'connect_timeout'
  | 'header_timeout'
  | 'deadline'
  | 'reset'
  | 'aborted';

/** `message` names the host, never path, query, headers or body. */
export type OpenFailure = { reason: OpenFailureReason; message: string };

export type ReadFailed = { kind: 'failed'; reason: ReadFailureReason; message: string };
export type BodyRead = { kind: 'data'; bytes: Buffer } | { kind: 'end' } | ReadFailed;
export type TextRead =
  | { kind: 'text'; text: string }
  | ReadFailed
  | { kind: 'failed'; reason: 'too_large'; message: string };

/** A response body that is pulled, one read at a time. Ends by being read to its end, by a failure or by `cancel`. */
export interface BodyReader {
  /** All bytes that came since the last read, joined. Fails with `idle_timeout` when none come for `limitMs`. */
  read(limitMs: number): Promise<BodyRead>;
  /** The rest as UTF-8. `limitMs` holds between two reads; over `maxBytes` it fails and frees the connection. */
  text(limitMs: number, maxBytes: number): Promise<TextRead>;
  /** Gives up the rest and destroys the socket. Harmless when called again or after the end. */
  cancel(): void;
}

export type Opened = {
  kind: 'opened';
  /** As it came: redirects are handed back and never followed. */
  status: number;
  /** Names in lower case; a repeated header is joined with `, `. */
  headers: Record<string, string>;
  /** Milliseconds from the request being written to the response header. */
  headerMs: number;
  body: BodyReader;
};

export type NotOpened = { kind: 'failed'; failure: OpenFailure };

export interface Egress {
  /** Sends the request if the rules let it out. Failures are returned, never thrown. */
  open(exchange: Exchange): Promise<Opened | NotOpened>;
  /** Sockets open now, connecting ones included, by origin. */
  stats(): ReadonlyMap<string, number>;
  /** Destroys every connection; exchanges still open fail with `aborted`. */
  close(): Promise<void>;
}
