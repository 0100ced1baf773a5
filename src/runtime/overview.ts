import type { Settings } from '../config/settings.ts';
import type { Plan } from '../inference/plan.ts';
import type { Router } from '../inference/router.ts';
import type { Database } from '../storage/database.ts';
import type { ReceiptStore, ReceiptSummary, ReceiptSums } from '../storage/receipt.ts';
import type { DeploymentHealth, DeploymentStates } from './deployment-states.ts';

/** One minute; its sums are of the calls that started in it. `at` is ISO 8601. */
export type Bucket = { at: string } & Omit<ReceiptSums, 'requests'>;

export type Totals = Pick<
  ReceiptSums,
  'requests' | 'fallbacks' | 'failed' | 'p50Ms' | 'p95Ms' | 'inputTokens' | 'outputTokens'
> & {
  /** Null: nothing had a price. */
  cost: { amount: number; currency: string } | null;
};

/** What a person should look at. `href` is a path of the console. */
export type Attention = {
  kind: 'breaker_open' | 'unreachable' | 'not_configured' | 'warning';
  text: string;
  href: string;
};

/** What this process is, what serves now and why, and how the last minutes went. */
export type Overview = Pick<Settings, 'mode' | 'routing' | 'floor'> & {
  now: string;
  database: Database['kind'];
  /** Of `auto`, as its plan. */
  label: Plan['label'];
  plan: {
    candidates: { tier: Plan['candidates'][number]['tier']; deployment: string; model: string }[];
    excluded: Plan['excluded'];
  };
  deployments: DeploymentHealth[];
  /** One for each minute, also where nothing happened; the last is the one that is passing. */
  buckets: Bucket[];
  totals: Totals;
  attention: Attention[];
};

export type OverviewParts = {
  settings: { current(): Settings; resolved(): { warnings: readonly string[] } };
  router: Router;
  states: DeploymentStates;
  store: ReceiptStore;
  database: Database;
};

const MINUTE_MS = 60_000;
/** Within it, viewers share one reading of the receipts. */
const SHARED_MS = 1000;

/**
 * @returns the overview of the last `minutes`; `principal` limits the sums, though not the deployments, to one caller's calls
 * @throws TiercelError `not_ready` when the database does not answer
 */
export function createOverview(
  parts: OverviewParts,
): (asked: { minutes: number; principal?: string }) => Promise<Overview> {
  const { settings, router, states, store, database } = parts;
  const readings = new Map<string, { at: number; summary: Promise<ReceiptSummary> }>();

  function read(from: Date, to: Date, principal: string | undefined): Promise<ReceiptSummary> {
    const time = Date.now();
    for (const [key, { at }] of readings) if (time - at > SHARED_MS) readings.delete(key);
    const key = JSON.stringify([from, principal]);
    const known = readings.get(key);
    if (known) return known.summary;
    const summary = store.summarise({ from, to, ...(principal === undefined ? {} : { principal }) });
    readings.set(key, { at: time, summary });
    summary.catch(() => readings.delete(key));
    return summary;
  }

  return async ({ minutes, principal }) => {
    const now = Date.now();
    const end = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
    const from = end - minutes * MINUTE_MS;
    const { minutes: counted, totals, currency } = await read(new Date(from), new Date(end), principal);
    const { mode, routing, floor } = settings.current();
    const { label, candidates, excluded } = router.plan('auto');
    const deployments = states.look();
    return {
      now: new Date(now).toISOString(),
      database: database.kind,
      mode,
      routing,
      floor,
      label,
      plan: {
        candidates: candidates.map(({ tier, deployment, model }) => ({ tier, deployment, model })),
        excluded,
      },
      deployments,
      buckets: toBuckets(counted, from, minutes),
      totals: toTotals(totals, currency),
      attention: [...deployments.flatMap(toAttention), ...settings.resolved().warnings.map(toWarning)],
    };
  };
}

const QUIET: Omit<Bucket, 'at'> = {
  live: 0,
  local: 0,
  simulation: 0,
  failed: 0,
  fallbacks: 0,
  p50Ms: null,
  p95Ms: null,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
};

function toBuckets(counted: ReceiptSummary['minutes'], from: number, minutes: number): Bucket[] {
  const byStart = new Map(counted.map(({ at, requests: _, ...sums }) => [at.getTime(), sums]));
  return Array.from({ length: minutes }, (_, index) => {
    const start = from + index * MINUTE_MS;
    return { at: new Date(start).toISOString(), ...(byStart.get(start) ?? QUIET) };
  });
}

function toTotals(sums: ReceiptSums, currency: string | null): Totals {
  const { requests, fallbacks, failed, p50Ms, p95Ms, inputTokens, outputTokens, cost } = sums;
  return {
    requests,
    fallbacks,
    failed,
    p50Ms,
    p95Ms,
    inputTokens,
    outputTokens,
    cost: currency === null ? null : { amount: cost, currency },
  };
}

const DEPLOYMENTS = '/settings#deployments';

function toAttention({ id, state, detail = '', until }: DeploymentHealth): Attention[] {
  switch (state) {
    case 'breaker_open':
      return [
        { kind: state, text: `${id}: breaker open until ${until}. ${detail}`.trim(), href: DEPLOYMENTS },
      ];
    case 'unreachable':
    case 'not_configured':
      return [{ kind: state, text: `${id}: ${detail}`, href: DEPLOYMENTS }];
    default:
      return [];
  }
}

function toWarning(text: string): Attention {
  return { kind: 'warning', text, href: '/settings' };
}
