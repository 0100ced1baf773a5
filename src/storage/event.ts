/** An event as storage sees it. What is in `body` is the business of trace; the other fields are what is searched by. */
export type EventRow = {
  /** UUIDv7. */
  id: string;
  type: string;
  /** Without control characters, not empty. */
  actor: string;
  tier: string | null;
  runId: string;
  /** 32 hex digits. */
  traceId: string;
  /** JSON in one line, kept byte for byte. */
  body: string;
};

export type StoredEvent = EventRow & { writer: string; seq: number };

/** The last link of a chain; `seq` 0 before the first. */
export type ChainHead = { seq: number; hash: string };

/** A chain and where it stands; what is up to `archived` was dropped from the table. */
export type Chain = { writer: string; head: ChainHead; archived: ChainHead };

/** The right to append to one chain. Others may take it over once it has expired, and then `append` says so. */
export type EventLease = {
  readonly writer: string;
  /** Where the chain stood when the lease was taken. */
  readonly head: ChainHead;
  /**
   * Stores rows as the links `head.seq - rows.length + 1` to `head.seq`, all or none. Rows that are there already stay as they
   * are, so the same may be sent again when it is not known whether it arrived.
   *
   * @returns false, with nothing stored, when another process has taken the chain over
   */
  append(rows: readonly EventRow[], head: ChainHead): Promise<boolean>;
  /** Keeps the lease while nothing is appended; the same answer as `append`. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
};

export type EventFilter = {
  types?: readonly string[];
  actor?: string;
  tier?: string;
  runId?: string;
  traceId?: string;
  /** Only ids above this one, and below that one. */
  afterId?: string;
  beforeId?: string;
  /** Text of the body, ASCII letters of either case. */
  q?: string;
};

/** A page, newest first. `scannedTo` is the id to go on below, null when there is nothing further. */
export type EventPage = { rows: StoredEvent[]; scannedTo: string | null };

export type EventStore = {
  /** Takes the chain that this machine wrote last and nobody holds, or begins a new one. */
  lease(): Promise<EventLease>;
  chains(): Promise<Chain[]>;
  /** In the order of `seq`, those above `after` and up to `through`. */
  readChain(writer: string, after: number, limit: number, through?: number): Promise<StoredEvent[]>;
  get(id: string): Promise<StoredEvent | null>;
  /** Oldest first. */
  ofTrace(traceId: string, limit: number): Promise<StoredEvent[]>;
  ofRun(runId: string, limit: number): Promise<StoredEvent[]>;
  /** The first events of runs, newest first. */
  firstOfRuns(limit: number, before?: string): Promise<StoredEvent[]>;
  /** By keyset on the id. Looks at some 5,000 events at most, so a page may be short, and empty, before the end. */
  search(filter: EventFilter, limit: number): Promise<EventPage>;
  /** The highest `seq` of a chain whose id is not above `id`; 0 when there is none. */
  seqAt(writer: string, id: string): Promise<number>;
  /** Drops a chain's events up to `through`, which are archived, and keeps the seam. */
  dropThrough(writer: string, through: ChainHead): Promise<void>;
};
