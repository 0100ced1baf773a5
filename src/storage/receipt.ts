/** A receipt as storage sees it. What is in `body` is the business of inference; the other fields are what is searched by. */
export type ReceiptRow = {
  /** UUIDv7: the order of ids is the order of time. */
  id: string;
  traceId: string;
  /** Read back as ISO 8601 in UTC. */
  startedAt: Date | string;
  role: string | null;
  principal: string;
  tier: string | null;
  deployment: string | null;
  outcome: string;
  /** JSON, kept byte for byte. */
  body: string;
  /** What was asked and answered, where the setting `content` lets it be kept. */
  request?: string | null;
  answer?: string | null;
};

export type StoredReceipt = Required<Omit<ReceiptRow, 'startedAt'>> & { startedAt: string };

export type ReceiptFilter = {
  /** At most this many, newest first. */
  limit: number;
  /** Only those older than the receipt with this id. */
  before?: string;
  principal?: string;
  tier?: string;
  outcome?: string;
  role?: string;
};

export type ReceiptStore = {
  /**
   * Takes a row to be stored within some 20 ms, together with its neighbours; a process killed before loses it. Returns nothing while there is room; else a
   * promise that resolves when the row was taken, for the caller to wait on.
   *
   * @throws TiercelError `not_ready` (through the promise) when no room came within five seconds; the row is then lost, and
   * the observer was told.
   */
  append(row: ReceiptRow): undefined | Promise<void>;
  /**
   * Resolves when every row appended before is stored (or was refused as wrong, which the observer was told).
   *
   * @throws TiercelError `not_ready` after three attempts that failed; the rows stay queued.
   */
  flush(): Promise<void>;
  /** Null when there is none. Sees rows not yet stored. `contents: false` leaves out `request` and `answer` (null). */
  get(id: string, include?: { contents: boolean }): Promise<StoredReceipt | null>;
  /** Newest first, without contents; the last one's id is the next page's `before`. */
  list(filter: ReceiptFilter): Promise<StoredReceipt[]>;
};
