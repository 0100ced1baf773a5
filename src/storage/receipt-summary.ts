import type pg from 'pg';
import type { ReceiptSummary, ReceiptSums, SummaryFilter } from './receipt.ts';

// The id of a receipt is made when its call starts, so the primary key finds the span; the start itself then decides, since
// ids run ahead of a clock that was set back. Percentiles leave out what failed: a refusal in 2 ms is no fast answer.
const STATEMENT = `
  with span as (
    select date_trunc('minute', started_at) as minute, tier, outcome, duration_ms, input_tokens, output_tokens, cost_amount,
      cost_currency, fallback_reason
    from receipts
    where id >= $1 and started_at >= $2 and started_at < $3 and ($4::text is null or principal = $4)
  ), billed as (select mode() within group (order by cost_currency) as currency from span)
  select minute as at, grouping(minute) = 1 as is_total, (select currency from billed) as currency,
    count(*) as requests,
    count(*) filter (where tier = 'live' and outcome in ('ok', 'cancelled')) as live,
    count(*) filter (where tier = 'local' and outcome in ('ok', 'cancelled')) as local,
    count(*) filter (where tier = 'simulation' and outcome in ('ok', 'cancelled')) as simulation,
    count(*) filter (where outcome in ('error', 'truncated')) as failed,
    count(fallback_reason) as fallbacks,
    percentile_cont(0.5) within group (order by duration_ms) filter (where outcome = 'ok') as p50_ms,
    percentile_cont(0.95) within group (order by duration_ms) filter (where outcome = 'ok') as p95_ms,
    coalesce(sum(input_tokens), 0) as input_tokens,
    coalesce(sum(output_tokens), 0) as output_tokens,
    coalesce(sum(cost_amount) filter (where cost_currency = (select currency from billed)), 0) as cost
  from span group by grouping sets ((minute), ()) order by minute`;

type Row = {
  at: Date | null;
  is_total: boolean;
  currency: string | null;
  requests: string;
  live: string;
  local: string;
  simulation: string;
  failed: string;
  fallbacks: string;
  p50_ms: number | null;
  p95_ms: number | null;
  input_tokens: number;
  output_tokens: number;
  cost: number;
};

const NOTHING: ReceiptSums = {
  requests: 0,
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

/** Counts and sums in one statement, without looking into a body. */
export async function summariseReceipts(pool: pg.Pool, filter: SummaryFilter): Promise<ReceiptSummary> {
  const { from, to, principal = null } = filter;
  const { rows } = await pool.query<Row>(STATEMENT, [
    firstIdAt(from),
    from.toISOString(),
    to.toISOString(),
    principal,
  ]);
  const total = rows.find((row) => row.is_total);
  return {
    totals: total ? toSums(total) : NOTHING,
    minutes: rows.flatMap((row) => (row.is_total || row.at === null ? [] : [{ at: row.at, ...toSums(row) }])),
    currency: total?.currency ?? null,
  };
}

/** The lowest UUIDv7 of a moment. */
function firstIdAt(moment: Date): string {
  const time = moment.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

// The driver gives counts, which are bigint, as text.
function toSums(row: Row): ReceiptSums {
  return {
    requests: Number(row.requests),
    live: Number(row.live),
    local: Number(row.local),
    simulation: Number(row.simulation),
    failed: Number(row.failed),
    fallbacks: Number(row.fallbacks),
    p50Ms: row.p50_ms,
    p95Ms: row.p95_ms,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cost: row.cost,
  };
}
