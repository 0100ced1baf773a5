import type { Receipt, Usage } from '../../inference/receipt.ts';
import type { ChainedEvent } from '../../trace/event.ts';
import type { RunFilter, RunSummary } from './run.ts';

/** What a run is summed up from. */
export type RunFacts = {
  /** Oldest first; none where the receipt alone says it all. */
  events: readonly ChainedEvent[];
  receipts: readonly Receipt[];
  /** Whether nobody is left who could end it, as after a crash. */
  isAbandoned: boolean;
  /** Unix milliseconds. */
  now: number;
};

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0, source: 'reported' };

/** A call that came alone. */
export function summariseCall(receipt: Receipt): RunSummary {
  const { id, startedAt, requested, role, principal, served, outcome, durationMs } = receipt;
  return {
    id,
    startedAt,
    endedAt: new Date(Date.parse(startedAt) + durationMs).toISOString(),
    requested,
    role,
    principal,
    served,
    outcome,
    durationMs,
    ...sums([receipt]),
  };
}

/** @param id the run's, which is that of its first event */
export function summariseRun(id: string, facts: RunFacts): RunSummary {
  const { events, receipts } = facts;
  const [only] = receipts;
  if (only?.id === id) return summariseCall(only);
  const [first] = events;
  const startedAt = first?.ts ?? only?.startedAt ?? new Date(facts.now).toISOString();
  const { outcome, endedAt, durationMs } = endingOf(startedAt, facts);
  return {
    id,
    startedAt,
    endedAt,
    requested: only?.requested ?? textOf(first, 'name') ?? textOf(first, 'requested') ?? '',
    role: only?.role ?? null,
    principal: first?.actor ?? only?.principal ?? '',
    served: receipts.at(-1)?.served ?? null,
    outcome,
    durationMs,
    ...sums(receipts),
  };
}

function endingOf(
  startedAt: string,
  { events, isAbandoned, now }: RunFacts,
): Pick<RunSummary, 'outcome' | 'endedAt' | 'durationMs'> {
  const start = Date.parse(startedAt);
  const finished = events.find(({ type }) => type === 'RUN_FINISHED');
  const last = finished ?? events.at(-1);
  if (finished === undefined && !isAbandoned) {
    return { outcome: 'running', endedAt: null, durationMs: Math.max(0, now - start) };
  }
  const isOk = finished?.payload['outcome'] === 'ok';
  const took = finished?.payload['durationMs'];
  return {
    outcome: isOk ? 'ok' : 'error',
    endedAt: last?.ts ?? startedAt,
    durationMs: typeof took === 'number' ? took : Date.parse(last?.ts ?? startedAt) - start,
  };
}

function sums(
  receipts: readonly Receipt[],
): Pick<RunSummary, 'usage' | 'cost' | 'fallbackReason' | 'receiptIds'> {
  const fallbackReason = receipts.find((receipt) => receipt.fallbackReason)?.fallbackReason;
  const costs = receipts.flatMap(({ cost }) => (cost ? [cost] : []));
  const [first] = costs;
  const isOneCurrency = costs.every(({ currency }) => currency === first?.currency);
  return {
    ...(fallbackReason === undefined ? {} : { fallbackReason }),
    usage: sumUsage(receipts),
    ...(first && isOneCurrency
      ? { cost: { amount: costs.reduce((sum, { amount }) => sum + amount, 0), currency: first.currency } }
      : {}),
    receiptIds: receipts.map(({ id }) => id),
  };
}

/** A sum is only as good as its worst part, so that is its source. */
function sumUsage(receipts: readonly Receipt[]): Usage {
  const worst = { reported: 0, estimated: 1, simulated: 2 } as const;
  return receipts.reduce<Usage>((sum, { usage }) => {
    const reasoning = (sum.reasoningTokens ?? 0) + (usage.reasoningTokens ?? 0);
    return {
      inputTokens: sum.inputTokens + usage.inputTokens,
      outputTokens: sum.outputTokens + usage.outputTokens,
      ...(reasoning > 0 ? { reasoningTokens: reasoning } : {}),
      source: worst[usage.source] > worst[sum.source] ? usage.source : sum.source,
    };
  }, NOTHING);
}

function textOf(event: ChainedEvent | undefined, member: string): string | undefined {
  const value = event?.payload[member];
  return typeof value === 'string' ? value : undefined;
}

export function matchesRun(run: RunSummary, { tier, outcome, role, principal, q }: RunFilter): boolean {
  return (
    (tier === undefined || run.served?.tier === tier) &&
    (outcome === undefined || run.outcome === outcome) &&
    (role === undefined || run.role === role) &&
    (principal === undefined || run.principal === principal) &&
    (q === undefined || JSON.stringify(run).toLowerCase().includes(q.toLowerCase()))
  );
}
