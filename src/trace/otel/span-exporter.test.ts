import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OtlpReceiver, startOtlpReceiver } from '../../../test/support/otlp-receiver.ts';
import { createEgress } from '../../egress/egress.ts';
import type { Egress } from '../../egress/model.ts';
import type { Span } from './span.ts';
import { SpanExporter } from './span-exporter.ts';

let receiver: OtlpReceiver;
let egress: Egress;
let lost: [number, string][];
beforeEach(async () => {
  receiver = await startOtlpReceiver();
  lost = [];
  const rules = { localOnly: true, allow: [], allowPrivate: [], declared: [receiver.url] };
  egress = createEgress({ rules: () => rules });
});
afterEach(async () => {
  await egress.close();
  await receiver.close();
});

function create(pauseMs: number): SpanExporter {
  return new SpanExporter({
    egress,
    target: () => ({ endpoint: `${receiver.url}/`, serviceName: 'test' }),
    observer: { spansDropped: (spans, reason) => lost.push([spans, reason]) },
    pauseMs,
  });
}

function spans(count: number): Span[] {
  return Array.from({ length: count }, (_, at) => ({
    traceId: 'a'.repeat(32),
    spanId: (at + 1).toString(16).padStart(16, '0'),
    name: `span ${at}`,
    kind: 'internal',
    startMs: 1_800_000_000_000.25,
    endMs: 1_800_000_000_001,
    attributes: { count: at, part: 0.5, on: true, missing: undefined },
    events: [],
  }));
}

it('sends what waits after a pause, in order, with times in nanoseconds', async () => {
  const exporter = create(20);
  exporter.add(spans(3));
  await receiver.arrived(3);
  expect(receiver.spans.map(({ name }) => name)).toEqual(['span 0', 'span 1', 'span 2']);
  expect(receiver.spans[2]).toMatchObject({
    startNs: 1_800_000_000_000_250_000n,
    attributes: { count: 2, part: 0.5, on: true },
  });
  await exporter.close();
});

it('sends batches of 512, and the rest when it is closed', async () => {
  const exporter = create(60_000);
  exporter.add(spans(1100));
  await exporter.close();
  expect(receiver.requests.map((request) => request.spans)).toEqual([512, 512, 76]);
  expect(exporter.dropped).toBe(0);
});

it('keeps a batch that may be sent again, and drops one that the endpoint refuses', async () => {
  const exporter = create(60_000);
  receiver.answerWith.push(503);
  exporter.add(spans(2));
  await exporter.flush();
  expect(receiver.spans).toEqual([]);
  await exporter.flush();
  expect(receiver.spans).toHaveLength(2);

  receiver.answerWith.push(400);
  exporter.add(spans(1));
  await exporter.flush();
  expect(lost).toEqual([[1, 'the endpoint answered 400']]);
  await exporter.close();
});

it('holds 2048 spans while the endpoint is away, and counts those beyond', async () => {
  const exporter = create(60_000);
  await receiver.close();
  exporter.add(spans(2500));
  expect(exporter.dropped).toBe(452);
  await exporter.close();
  expect(exporter.dropped).toBe(2500);
  receiver = await startOtlpReceiver();
});
