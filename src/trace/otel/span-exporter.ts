import type { Egress, NotOpened, Opened } from '../../egress/model.ts';
import { toOtlpJson } from './otlp-json.ts';
import type { Span } from './span.ts';

// The defaults of OpenTelemetry's own batch processor.
const MOST_WAITING = 2048;
const BATCH_SPANS = 512;
const PAUSE_MS = 5000;
const EXPORT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Answers after which the same may be sent again (https://opentelemetry.io/docs/specs/otlp/#failures-1). */
const RETRYABLE = [429, 502, 503, 504];

export type ExportTarget = { endpoint: string; serviceName: string };

export type ExportObserver = {
  /** Spans are gone: the queue was full, or the endpoint does not take them. */
  spansDropped?(spans: number, reason: string): void;
};

export type ExporterParts = {
  egress: Egress;
  /** Asked for before each batch; null while nothing is to be exported. */
  target: () => ExportTarget | null;
  observer?: ExportObserver;
  /** Between two batches, 5 s unless given. */
  pauseMs?: number;
};

/**
 * Sends spans over OTLP/HTTP as JSON, in batches, through the egress gate. State: the queue, and whether a batch is under way. A
 * batch that may be sent again stays at the head of the queue until the next turn; spans that then find it full are dropped.
 */
export class SpanExporter {
  readonly #parts: ExporterParts;
  readonly #timer: NodeJS.Timeout;
  #queue: Span[] = [];
  #dropped = 0;
  #sending: Promise<void> | null = null;

  constructor(parts: ExporterParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#drain(), parts.pauseMs ?? PAUSE_MS);
    this.#timer.unref();
  }

  /** Spans lost since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  add(spans: readonly Span[]): void {
    if (this.#parts.target() === null) return;
    const room = Math.max(0, MOST_WAITING - this.#queue.length);
    this.#queue.push(...spans.slice(0, room));
    if (spans.length > room) this.#drop(spans.length - room, 'the queue is full');
    if (this.#queue.length >= BATCH_SPANS) void this.#drain();
  }

  /** Resolves when what waits now was sent, or could not be. */
  async flush(): Promise<void> {
    // What is under way may have begun before the last spans came.
    if (this.#sending) await this.#sending;
    await this.#drain();
  }

  /** Sends what waits, once, and drops what cannot be sent. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    if (this.#queue.length > 0)
      this.#drop(this.#queue.splice(0).length, 'the endpoint did not take them in time');
  }

  #drain(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#queue.length > 0) {
      const target = this.#parts.target();
      if (target === null) {
        this.#queue = [];
        return;
      }
      const batch = this.#queue.slice(0, BATCH_SPANS);
      const failure = await this.#post(batch, target);
      if (failure?.isPassing) return;
      this.#queue.splice(0, batch.length);
      if (failure) this.#drop(batch.length, failure.reason);
    }
  }

  async #post(
    batch: readonly Span[],
    { endpoint, serviceName }: ExportTarget,
  ): Promise<{ reason: string; isPassing: boolean } | null> {
    const opened: Opened | NotOpened = await this.#parts.egress.open({
      method: 'POST',
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      headers: { 'content-type': 'application/json' },
      body: toOtlpJson(batch, serviceName),
      purpose: 'telemetry',
      scope: 'declared',
      limits: { connectMs: EXPORT_MS, headerMs: EXPORT_MS },
      deadlineAt: performance.now() + EXPORT_MS,
    });
    if (opened.kind === 'failed') {
      const { reason, message } = opened.failure;
      return { reason: message, isPassing: reason !== 'denied' };
    }
    // Read to its end, so that the connection can be used again.
    await opened.body.text(EXPORT_MS, MAX_ANSWER_BYTES);
    const { status } = opened;
    if (status < 300) return null;
    return { reason: `the endpoint answered ${status}`, isPassing: RETRYABLE.includes(status) };
  }

  #drop(spans: number, reason: string): void {
    this.#dropped += spans;
    this.#parts.observer?.spansDropped?.(spans, reason);
  }
}
