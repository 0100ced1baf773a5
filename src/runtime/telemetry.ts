import type { LiveSettings } from '../config/live.ts';
import type { Egress } from '../egress/model.ts';
import type { Receipt } from '../inference/receipt.ts';
import type { Log } from '../lib/log.ts';
import type { Trace } from '../trace/event.ts';
import { toCallSpans } from '../trace/otel/call-spans.ts';
import { createRunSpans } from '../trace/otel/run-spans.ts';
import { SpanExporter } from '../trace/otel/span-exporter.ts';

/** What happens, exported as OpenTelemetry spans where an endpoint is configured. */
export interface Telemetry {
  /** A call has ended. */
  observe(receipt: Receipt): void;
  /** Sends what waits. To be called before egress closes. */
  close(): Promise<void>;
}

export function createTelemetry({
  settings,
  egress,
  trace,
  log,
}: {
  settings: LiveSettings;
  egress: Egress;
  trace: Trace;
  log: Log;
}): Telemetry {
  const exporter = new SpanExporter({
    egress,
    target() {
      const { otlpEndpoint: endpoint, serviceName } = settings.current().telemetry;
      return endpoint === undefined ? null : { endpoint, serviceName };
    },
    observer: { spansDropped: (spans, reason) => log.warn({ spans, reason }, 'spans were not exported') },
  });
  const runs = createRunSpans((span) => exporter.add([span]));
  const unsubscribe = trace.subscribe((event) => runs.hear(event));
  return {
    observe(receipt) {
      if (settings.current().telemetry.otlpEndpoint !== undefined) exporter.add(toCallSpans(receipt));
    },
    async close() {
      unsubscribe();
      runs.closeAll();
      await exporter.close();
    },
  };
}
