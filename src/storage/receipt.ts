/** The numbers of a receipt that are summed up over many. */
export type ReceiptFigures = {
  durationMs: number;
  inputTokens: number;
  outputTokens: number;
  costAmount: number | null;
  costCurrency: string | null;
  fallbackReason: string | null;
};

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
  /** Absent: it counts as a request, and adds nothing to any sum. */
  figures?: ReceiptFigures;
};

export type StoredReceipt = Required<Omit<ReceiptRow, 'startedAt' | 'figures'>> & { startedAt: string };

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

/** Which receipts are summed up: those that started at `from` or later and before `to`, of one principal or of all. */
export type SummaryFilter = { from: Date; to: Date; principal?: string };

/** Sums over the receipts of a span of time. Percentiles are of the calls that were answered; null when none was. */
export type ReceiptSums = {
  requests: number;
  /** By the tier that served, those with outcome `ok` or `cancelled`. */
  live: number;
  local: number;
  simulation: number;
  /** Outcome `error` or `truncated`. */
  failed: number;
  fallbacks: number;
  p50Ms: number | null;
  p95Ms: number | null;
  inputTokens: number;
  outputTokens: number;
  /** In `currency` of the summary. */
  cost: number;
};

export type ReceiptSummary = {
  totals: ReceiptSums;
  /** Minutes with a receipt in them, in order; `at` is the minute's start. */
  minutes: ({ at: Date } & ReceiptSums)[];
  /** The one that most receipts with a cost were billed in; costs in others are not added up. Null: nothing had a cost. */
  currency: string | null;
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
  /** Counts and sums by minute. Sees rows not yet stored. */
  summarise(filter: SummaryFilter): Promise<ReceiptSummary>;
};
