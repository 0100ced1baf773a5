import { SCHEMA_URL, SERVICE_NAME } from './conventions.ts';
import type { Attributes, AttributeValue, Span } from './span.ts';

// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding: ids in hex, 64-bit integers as strings, enums as numbers.
const KINDS = { internal: 1, client: 3 } as const;
const STATUS_ERROR = 2;
const FLAG_SAMPLED = 1;

/** The body of one export request (`ExportTraceServiceRequest`). */
export function toOtlpJson(spans: readonly Span[], serviceName: string): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toKeyValues({ [SERVICE_NAME]: serviceName }) },
        scopeSpans: [{ scope: { name: 'tiercel' }, schemaUrl: SCHEMA_URL, spans: spans.map(toOtlpSpan) }],
      },
    ],
  });
}

function toOtlpSpan(span: Span): object {
  const { traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, events, error } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    flags: FLAG_SAMPLED,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(endMs),
    attributes: toKeyValues(attributes),
    events: events.map((event) => ({
      timeUnixNano: toNanoseconds(event.atMs),
      name: event.name,
      attributes: toKeyValues(event.attributes),
    })),
    // A span without an error keeps the status unset, as the conventions ask of libraries.
    status: error === undefined ? {} : { code: STATUS_ERROR, message: error },
  };
}

/** A double holds today's Unix time to a quarter of a microsecond, so what is finer is left out. */
function toNanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}

function toKeyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toAnyValue(value) }],
  );
}

function toAnyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } };
}
