export type Item = { id: string };
export type FeedPage<Row> = { data: readonly Row[]; next: string | null };

export type FeedState<Row> = {
  /** Newest first. */
  rows: readonly Row[];
  /** How many have come since and wait to be shown. */
  waiting: number;
  /** More wait than are kept: showing them begins the list anew. */
  overflow: boolean;
  hasMore: boolean;
  fetching: boolean;
  error: unknown;
  /** The id down to which has been looked, while a filter lets nothing through. */
  searchedTo: string | null;
};

export type FeedSource<Row> = {
  fetchPage: (cursor: string | null, signal: AbortSignal) => Promise<FeedPage<Row>>;
  /** Of what the pages bring and what is heard, only this is shown. */
  isWanted: (row: Row) => boolean;
};

/** More than this that waits is only counted. */
const MOST_WAITING = 1_000;
/** A list that follows forgets what is further down; it is fetched again when it is wanted. */
const MOST_FOLLOWED = 2_000;
/** A page with fewer asks for the next at once, so that a rare match is found without scrolling. */
const FEW = 40;

/**
 * A list of what is stored under a filter, newest first, by pages from the top down, and of what comes meanwhile. State: the
 * rows shown, those that wait above them, and the cursor below them. Ids ascend with time, which puts each row in its place
 * and makes a row that comes twice, by page and by stream, stand once. What is shown never moves unless the list follows.
 */
export class Feed<Row extends Item> {
  readonly #source: FeedSource<Row>;
  readonly #watchers = new Set<() => void>();
  #stop = new AbortController();
  #heard: Row[] = [];
  #follows = true;
  #cursor: string | null = null;
  #state: FeedState<Row> = {
    rows: [],
    waiting: 0,
    overflow: false,
    hasMore: true,
    fetching: false,
    error: null,
    searchedTo: null,
  };

  constructor(source: FeedSource<Row>) {
    this.#source = source;
  }

  get state(): FeedState<Row> {
    return this.#state;
  }

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** After a `close`, goes on where that stopped. */
  open(): void {
    if (!this.#stop.signal.aborted) return;
    this.#stop = new AbortController();
    this.#enter({ fetching: false });
  }

  close(): void {
    this.#stop.abort();
  }

  /** Whether what comes may be shown at once, as when the list stands at its start and nothing is being read. */
  follow(follows: boolean): void {
    this.#follows = follows;
    if (follows && this.#heard.length > 0 && !this.#state.overflow) this.show();
  }

  /** Shows what waits. */
  show(): void {
    if (this.#state.overflow) {
      this.restart();
      return;
    }
    const rows = merge(this.#heard, this.#state.rows);
    this.#heard = [];
    this.#enter({ ...this.#trimmed(rows), waiting: 0 });
  }

  /** Takes what came by the stream, or by asking for the newest page again. */
  hear(rows: readonly Row[]): void {
    const { rows: shown } = this.#state;
    // What is older than all that is shown comes by its page.
    const oldest = shown.at(-1)?.id ?? '';
    const fresh = rows.filter((row) => this.#source.isWanted(row) && row.id > oldest && !has(shown, row.id));
    const heard = merge(fresh, this.#heard);
    if (heard.length === 0) return;
    this.#heard = heard.slice(0, MOST_WAITING);
    // Before the first page has come there is nothing that these could stand above.
    if (this.#cursor === null && this.#state.hasMore) return;
    const overflow = this.#state.overflow || heard.length > MOST_WAITING;
    if (this.#follows && !overflow) this.show();
    else this.#enter({ waiting: this.#heard.length, overflow });
  }

  /** Asks for the newest page, for what was missed while nothing could be heard. */
  async catchUp(): Promise<void> {
    try {
      const { data } = await this.#source.fetchPage(null, this.#stop.signal);
      const top = this.#state.rows[0]?.id;
      const oldest = data.at(-1)?.id;
      const isGap = top !== undefined && oldest !== undefined && oldest > top;
      this.hear(data);
      if (isGap) this.#enter({ overflow: true });
      if (isGap && this.#follows) this.restart();
    } catch {
      // The stream tells that the server does not answer, and catching up is tried again when it does.
    }
  }

  restart(): void {
    this.close();
    this.open();
    this.#cursor = null;
    this.#heard = [];
    this.#enter({ rows: [], waiting: 0, overflow: false, hasMore: true, error: null, searchedTo: null });
    void this.fetchMore();
  }

  /** Fetches the page below, and further ones while these hold next to nothing. */
  async fetchMore(): Promise<void> {
    const { signal } = this.#stop;
    if (this.#state.fetching || !this.#state.hasMore || signal.aborted) return;
    this.#enter({ fetching: true, error: null });
    try {
      for (let found = 0; found < FEW && this.#state.hasMore && !signal.aborted; ) {
        found += await this.#fetchPage(signal);
      }
      if (!signal.aborted) this.#enter({ fetching: false });
    } catch (error) {
      if (!signal.aborted) this.#enter({ fetching: false, error });
    }
  }

  async #fetchPage(signal: AbortSignal): Promise<number> {
    const at = this.#cursor;
    const { data, next } = await this.#source.fetchPage(at, signal);
    if (signal.aborted) return 0;
    const wanted = data.filter(this.#source.isWanted);
    this.#cursor = next;
    const rows = at === null ? wanted : this.#state.rows.concat(wanted);
    this.#enter({ rows, hasMore: next !== null, searchedTo: next });
    if (at === null) this.hear(this.#heard.splice(0));
    return wanted.length;
  }

  #trimmed(rows: readonly Row[]): Partial<FeedState<Row>> {
    const last = rows[MOST_FOLLOWED - 1];
    if (!this.#follows || this.#state.fetching || last === undefined || rows.length < MOST_FOLLOWED * 2) {
      return { rows };
    }
    this.#cursor = last.id;
    return { rows: rows.slice(0, MOST_FOLLOWED), hasMore: true };
  }

  #enter(change: Partial<FeedState<Row>>): void {
    this.#state = { ...this.#state, ...change };
    for (const watch of this.#watchers) watch();
  }
}

/** Two lists, newest first, as one, each row once. */
function merge<Row extends Item>(newer: readonly Row[], older: readonly Row[]): readonly Row[] {
  const sorted = newer.toSorted(byIdDescending);
  const unique = sorted.filter((row, index) => row.id !== sorted[index - 1]?.id && !has(older, row.id));
  if (unique.length === 0) return older;
  const merged = [...unique, ...older];
  const [top] = older;
  const last = unique.at(-1);
  // Mostly all of them stand above; ids of several writers may come a little out of order.
  return top === undefined || (last !== undefined && last.id > top.id) ? merged : merged.sort(byIdDescending);
}

function byIdDescending(a: Item, b: Item): number {
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** By halves, as the rows stand in order. */
function has(rows: readonly Item[], id: string): boolean {
  const at = indexFrom(rows, id);
  return rows[at]?.id === id;
}

/** The index of the first row, newest first, that is not newer than `id`. */
export function indexFrom(rows: readonly Item[], id: string): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.id ?? '') > id) low = middle + 1;
    else high = middle;
  }
  return low;
}
