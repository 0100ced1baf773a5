import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Receipt } from '../inference/receipt.ts';
import type { Runtime } from '../runtime/runtime.ts';

/**
 * Prometheus metrics of this server. Labels hold only what configuration names (tiers, deployments, roles) and our own codes,
 * so that no caller can make a series.
 */
export interface Metrics {
  observe(receipt: Receipt): void;
  /** The receipt of a call that failed, which its error names. */
  observeFailed(receiptId: string): void;
  readonly contentType: string;
  text(): Promise<string>;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 45, 90];

export function createMetrics(runtime: Runtime): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'tiercel_requests_total',
    help: 'Calls that have ended, by the tier that served, the outcome and the role.',
    labelNames: ['kind', 'tier', 'outcome', 'role', 'error_code'],
    registers,
  });
  const attempts = new Counter({
    name: 'tiercel_attempts_total',
    help: 'Attempts on deployments, by outcome and error code.',
    labelNames: ['deployment', 'tier', 'outcome', 'error_code'],
    registers,
  });
  const fallbacks = new Counter({
    name: 'tiercel_fallbacks_total',
    help: 'Calls that another than the plan’s first candidate served, by reason.',
    labelNames: ['tier', 'reason'],
    registers,
  });
  const tokens = new Counter({
    name: 'tiercel_tokens_total',
    help: 'Tokens, by direction and where the number comes from.',
    labelNames: ['tier', 'direction', 'source'],
    registers,
  });
  const durations = new Histogram({
    name: 'tiercel_request_duration_seconds',
    help: 'From the call’s arrival to its end.',
    labelNames: ['tier', 'outcome'],
    buckets: SECONDS,
    registers,
  });
  const firstTokens = new Histogram({
    name: 'tiercel_first_token_seconds',
    help: 'From the call’s arrival to the first output of a stream.',
    labelNames: ['tier'],
    buckets: SECONDS,
    registers,
  });
  addGauges(registry, runtime);

  function observe(receipt: Receipt): void {
    const { kind, served, outcome, role, usage, fallbackReason, errorCode, firstTokenMs, durationMs } =
      receipt;
    const tier = served?.tier ?? 'none';
    requests.inc({ kind, tier, outcome, role: role ?? 'none', error_code: errorCode ?? 'none' });
    for (const attempt of receipt.attempts) {
      const { deployment, errorCode: error_code = 'none' } = attempt;
      attempts.inc({ deployment, tier: attempt.tier, outcome: attempt.outcome, error_code });
    }
    if (fallbackReason) fallbacks.inc({ tier, reason: fallbackReason });
    const { inputTokens, outputTokens, source } = usage;
    if (inputTokens > 0) tokens.inc({ tier, direction: 'input', source }, inputTokens);
    if (outputTokens > 0) tokens.inc({ tier, direction: 'output', source }, outputTokens);
    durations.observe({ tier, outcome }, durationMs / 1000);
    if (firstTokenMs !== undefined) firstTokens.observe({ tier }, firstTokenMs / 1000);
  }

  return {
    observe,
    observeFailed(receiptId) {
      runtime.receipts.get(receiptId).then(
        (receipt) => receipt && observe(receipt),
        (error: unknown) =>
          runtime.log.warn({ receiptId, error: String(error) }, 'a failed call was not counted'),
      );
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/** What is looked up when the metrics are asked for. */
function addGauges(registry: Registry, { settings, breakers, egress }: Runtime): void {
  const registers = [registry];
  new Gauge({
    name: 'tiercel_breaker_open',
    help: '1 while the deployment’s breaker is open, 0.5 while a probe may pass, else 0.',
    labelNames: ['deployment'],
    registers,
    collect() {
      this.reset();
      for (const { id } of settings.current().deployments) {
        const { state } = breakers.view(id);
        this.set({ deployment: id }, state === 'open' ? 1 : state === 'half_open' ? 0.5 : 0);
      }
    },
  });
  new Gauge({
    name: 'tiercel_egress_open_sockets',
    help: 'Connections to targets open now.',
    labelNames: ['origin'],
    registers,
    collect() {
      this.reset();
      for (const [origin, sockets] of egress.stats()) this.set({ origin }, sockets);
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
}
