import { createReadStream } from 'node:fs';
import type { Chain, EventStore, StoredEvent } from '../storage/event.ts';
import { type AnchorFile, readAnchor } from './anchor.ts';
import { ChainCheck, type ChainReport, type Finding, readRecord } from './chain-check.ts';

/** Rows of one read; the next is under way while these are checked. */
const PAGE_ROWS = 2000;

export type VerifyOptions = {
  /** Only this chain. */
  writer?: string;
  /** Only these numbers, of each chain; what comes before `from` and after `to` is not judged. */
  from?: number;
  to?: number;
  /** The anchor file. */
  anchor?: string;
  /** JSONL of segments that were archived, which are checked before the rest of their chains. */
  archives?: readonly string[];
  /** Public keys that may sign checkpoints, base64url. */
  publicKeys?: readonly string[];
};

export type VerifyReport = {
  /** No tampering and no loss was found; a torn last record is neither. */
  intact: boolean;
  events: number;
  chains: ChainReport[];
  /** Null when no anchor was given or there is none. */
  anchor: { heads: number; badLines: number[]; torn: boolean } | null;
};

/** Verifies what the database has stored, page by page. */
export async function verifyStored(store: EventStore, options: VerifyOptions = {}): Promise<VerifyReport> {
  const anchor = options.anchor === undefined ? null : await readAnchor(options.anchor);
  const archived = new Map<string, string[]>();
  for (const path of options.archives ?? []) {
    const writer = await firstWriter(path);
    if (writer !== null) archived.set(writer, [...(archived.get(writer) ?? []), path]);
  }
  const chains = await withLost(store, anchor, options.writer);
  const reports: ChainReport[] = [];
  for (const chain of chains) {
    reports.push(
      await verifyChain(store, chain, { ...options, archives: archived.get(chain.writer) ?? [] }, anchor),
    );
  }
  return toReport(reports, anchor);
}

/** The chains of the database, and those that only the anchor knows. */
async function withLost(store: EventStore, anchor: AnchorFile | null, writer?: string): Promise<Chain[]> {
  const chains = await store.chains();
  const known = new Set(chains.map((chain) => chain.writer));
  for (const { writer: anchored } of anchor?.heads ?? []) {
    if (known.has(anchored)) continue;
    known.add(anchored);
    const none = { seq: 0, hash: '' };
    chains.push({ writer: anchored, head: none, archived: none });
  }
  return writer === undefined ? chains : chains.filter((chain) => chain.writer === writer);
}

async function verifyChain(
  store: EventStore,
  chain: Chain,
  { from = 1, to, archives = [], publicKeys = [] }: VerifyOptions,
  anchor: AnchorFile | null,
): Promise<ChainReport> {
  const isPart = from > chain.archived.seq + 1 && from > 1;
  const hasSeam = chain.archived.seq > 0 && archives.length === 0;
  const check = new ChainCheck({
    writer: chain.writer,
    anchored: (anchor?.heads ?? []).filter(({ writer }) => writer === chain.writer),
    trusted: new Set(publicKeys),
    isPart,
    ...(hasSeam && !isPart ? { seam: chain.archived } : {}),
  });
  if (!isPart) {
    for (const path of archives) {
      for await (const { lines, torn } of readLines(path)) {
        for (const line of lines) check.add(line);
        if (torn) check.addTorn();
      }
    }
  }
  const through = to ?? Number.MAX_SAFE_INTEGER;
  for await (const rows of pagesOf(store, chain.writer, from - 1, through)) {
    for (const row of rows) check.add(row.body, row);
  }
  return to === undefined ? check.end(chain.head) : check.end();
}

/** All of a chain above `after`, read one page ahead. */
export async function* pagesOf(
  store: EventStore,
  writer: string,
  after: number,
  through = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<StoredEvent[]> {
  let next = store.readChain(writer, after, PAGE_ROWS, through);
  for (;;) {
    const rows = await next;
    const last = rows.at(-1);
    if (last === undefined) return;
    const isLast = rows.length < PAGE_ROWS;
    if (!isLast) {
      next = store.readChain(writer, last.seq, PAGE_ROWS, through);
      // Should the caller leave, nobody would hear of a failure.
      next.catch(() => {});
    }
    yield rows;
    if (isLast) return;
  }
}

/** Verifies an export, or an archive, without the database. Chains may follow each other or be mixed. */
export async function verifyExport(path: string, options: VerifyOptions = {}): Promise<VerifyReport> {
  const anchor = options.anchor === undefined ? null : await readAnchor(options.anchor);
  const checks = new ChecksOfExport(anchor, options);
  for await (const { lines, torn } of readLines(path)) {
    for (const line of lines) checks.of(line).add(line);
    if (torn) checks.of('').addTorn();
  }
  const head = options.to === undefined ? { seq: 0 } : undefined;
  return toReport(
    checks.all().map((check) => check.end(head)),
    anchor,
  );
}

/** The check of each chain of an export. State: the chain of the last line, which is mostly that of the next. */
class ChecksOfExport {
  readonly #anchor: AnchorFile | null;
  readonly #options: VerifyOptions;
  readonly #checks = new Map<string, ChainCheck>();
  #ending = '';
  #current: ChainCheck | null = null;

  constructor(anchor: AnchorFile | null, options: VerifyOptions) {
    this.#anchor = anchor;
    this.#options = options;
  }

  all(): ChainCheck[] {
    return [...this.#checks.values()];
  }

  of(line: string): ChainCheck {
    // `writer` is the last member; parsing each line for it would cost a third of the time.
    if (this.#current !== null && line.endsWith(this.#ending)) return this.#current;
    const writer = readRecord(line)?.event.writer;
    // What cannot be read is taken to belong to the chain it stands in.
    if (writer === undefined && this.#current !== null) return this.#current;
    return this.#select(writer ?? '');
  }

  #select(writer: string): ChainCheck {
    const { from = 1, publicKeys } = this.#options;
    const check =
      this.#checks.get(writer) ??
      new ChainCheck({
        writer,
        anchored: (this.#anchor?.heads ?? []).filter((head) => head.writer === writer),
        trusted: new Set(publicKeys),
        isPart: from > 1,
      });
    this.#checks.set(writer, check);
    this.#current = check;
    this.#ending = `"writer":"${writer}"}`;
    return check;
  }
}

function toReport(chains: ChainReport[], anchor: AnchorFile | null): VerifyReport {
  const isFault = ({ kind }: Finding) => kind !== 'torn';
  return {
    intact: !chains.some(({ findings }) => findings.some(isFault)) && (anchor?.badLines.length ?? 0) === 0,
    events: chains.reduce((sum, { events }) => sum + events, 0),
    chains,
    anchor: anchor && { heads: anchor.heads.length, badLines: anchor.badLines, torn: anchor.torn },
  };
}

/** The lines of a file, without their ends, some thousand at a time. What stands after the last end is torn unless it is whole. */
async function* readLines(path: string): AsyncGenerator<{ lines: string[]; torn: boolean }> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield { lines: lines.filter((line) => line !== ''), torn: false };
  }
  if (rest === '') return;
  yield readRecord(rest) === null ? { lines: [], torn: true } : { lines: [rest], torn: false };
}

async function firstWriter(path: string): Promise<string | null> {
  for await (const { lines } of readLines(path)) {
    const [first] = lines;
    if (first !== undefined) return readRecord(first)?.event.writer ?? null;
  }
  return null;
}
