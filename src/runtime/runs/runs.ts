import { isId } from '../../lib/ids.ts';
import type { ChainedEvent } from '../../trace/event.ts';
import type { RunEntry } from '../../trace/event-query.ts';
import type { Ledger } from '../../trace/ledger.ts';
import type { Receipts, ReceiptWithContents } from '../receipts.ts';
import type { RunDetail, RunFilter, RunSummary } from './run.ts';
import { toRunSpans } from './run-spans.ts';
import { matchesRun, summariseCall, summariseRun } from './summarise.ts';

/** A filtered list is given back, with what it has, after so long; the cursor goes on where it stopped. */
const SCAN_MS = 500;
const SCAN_RUNS = 100;

/** Runs as they are read from the ledger and the receipts. */
export interface Runs {
  /** Newest first. A page may be short, and even empty, before the end; `cursor` is null at the end. @throws TiercelError `invalid_request` */
  list(
    asked: RunFilter & { limit: number; cursor?: string },
  ): Promise<{ runs: RunSummary[]; cursor: string | null }>;
  /** Null when there is none of this id. */
  get(id: string): Promise<RunDetail | null>;
}

export function createRuns(ledger: Ledger, receipts: Receipts): Runs {
  // What this process's chain began before it, and did not end, was cut off.
  const openedAt = Date.now();

  function isAbandoned(first: ChainedEvent | undefined): boolean {
    return first !== undefined && first.writer === ledger.writer && Date.parse(first.ts) < openedAt;
  }

  async function receiptsOf(
    events: readonly ChainedEvent[],
    contents: boolean,
  ): Promise<ReceiptWithContents[]> {
    const found = await Promise.all(receiptIdsOf(events).map((id) => receipts.get(id, { contents })));
    return found.filter((receipt) => receipt !== null);
  }

  async function summarise({ runId, type }: RunEntry): Promise<RunSummary> {
    // A call that came alone has the id of its receipt, which then says it all.
    const alone = type === 'RUN_STARTED' ? null : await receipts.get(runId);
    if (alone !== null) return summariseCall(alone);
    const events = await ledger.run(runId);
    const facts = { events, isAbandoned: isAbandoned(events[0]), now: Date.now() };
    return summariseRun(runId, { ...facts, receipts: await receiptsOf(events, false) });
  }

  /** The run that a receipt belongs to. */
  async function findByReceipt(receiptId: string): Promise<RunSummary | null> {
    const receipt = await receipts.get(receiptId);
    if (receipt === null) return null;
    const { traceId } = receipt;
    const { events } = await ledger.events({
      traceId,
      q: receiptId,
      type: ['PLAN_RESOLVED', 'INFERENCE_FAILED'],
    });
    const runId = events[0]?.runId;
    return runId === undefined || runId === receiptId
      ? summariseCall(receipt)
      : ((await get(runId))?.run ?? null);
  }

  async function get(id: string): Promise<RunDetail | null> {
    const events = await ledger.run(id);
    const [first] = events;
    if (first === undefined) return null;
    const found = await receiptsOf(events, true);
    const facts = { events, receipts: found, isAbandoned: isAbandoned(first), now: Date.now() };
    const run = summariseRun(id, facts);
    return { run, receipts: found, events, spans: toRunSpans(run, events, found) };
  }

  return {
    get,
    async list({ limit, cursor, ...filter }) {
      if (filter.q !== undefined && isId(filter.q) && cursor === undefined) {
        const run = await findByReceipt(filter.q);
        if (run !== null) return { runs: matchesRun(run, filter) ? [run] : [], cursor: null };
      }
      const isFiltered = Object.values(filter).some((value) => value !== undefined);
      const deadline = performance.now() + SCAN_MS;
      const runs: RunSummary[] = [];
      let at: string | null = cursor ?? null;
      do {
        const page = await ledger.runs({
          limit: isFiltered ? SCAN_RUNS : limit,
          ...(at === null ? {} : { cursor: at }),
        });
        for (const run of await Promise.all(page.runs.map(summarise))) {
          if (!matchesRun(run, filter)) continue;
          runs.push(run);
          if (runs.length === limit) return { runs, cursor: run.id };
        }
        at = page.cursor;
      } while (at !== null && performance.now() < deadline);
      return { runs, cursor: at };
    },
  };
}

/** In the order of the calls. A call that was refused before it was planned has only its end. */
function receiptIdsOf(events: readonly ChainedEvent[]): string[] {
  const named = events
    .filter(({ type }) => type === 'PLAN_RESOLVED' || type === 'INFERENCE_FAILED')
    .map(({ payload }) => String(payload['receiptId']));
  return [...new Set(named)];
}
