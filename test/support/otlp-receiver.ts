import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startNs: bigint;
  endNs: bigint;
  attributes: Record<string, unknown>;
  events: { name: string; attributes: Record<string, unknown> }[];
  error: string | null;
};

export type OtlpReceiver = {
  url: string;
  /** In the order in which they came. */
  spans: ReceivedSpan[];
  services: string[];
  requests: { path: string; contentType: string | undefined; spans: number }[];
  /** The statuses of the next answers; 200 when used up. */
  answerWith: number[];
  /** Resolves when so many spans have come. */
  arrived(spans: number): Promise<void>;
  close(): Promise<void>;
};

type KeyValue = { key: string; value: Record<string, unknown> };
type Json = {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: { schemaUrl: string; spans: (Record<string, unknown> & { attributes: KeyValue[] })[] }[];
  }[];
};

/** A receiver of OTLP over HTTP in this process, which takes JSON as a collector does. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const services: string[] = [];
  const requests: OtlpReceiver['requests'] = [];
  const answerWith: number[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Json;
    const status = answerWith.shift() ?? 200;
    const received = toSpans(body);
    requests.push({
      path: request.url ?? '',
      contentType: request.headers['content-type'],
      spans: received.length,
    });
    if (status === 200) {
      spans.push(...received);
      services.push(
        ...body.resourceSpans.map(({ resource }) => String(toRecord(resource.attributes)['service.name'])),
      );
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    services,
    requests,
    answerWith,
    async arrived(count) {
      while (spans.length < count) await sleep(10);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toSpans({ resourceSpans }: Json): ReceivedSpan[] {
  const all = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans);
  return all.map((span) => ({
    traceId: String(span['traceId']),
    spanId: String(span['spanId']),
    ...(span['parentSpanId'] === undefined ? {} : { parentSpanId: String(span['parentSpanId']) }),
    name: String(span['name']),
    kind: Number(span['kind']),
    startNs: BigInt(String(span['startTimeUnixNano'])),
    endNs: BigInt(String(span['endTimeUnixNano'])),
    attributes: toRecord(span.attributes),
    events: (span['events'] as { name: string; attributes: KeyValue[] }[]).map(({ name, attributes }) => ({
      name,
      attributes: toRecord(attributes),
    })),
    error:
      (span['status'] as { code?: number; message?: string }).code === 2
        ? String((span['status'] as { message: string }).message)
        : null,
  }));
}

function toRecord(attributes: KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, toValue(value)]));
}

function toValue(value: Record<string, unknown>): unknown {
  if ('intValue' in value) return Number(value['intValue']);
  if ('arrayValue' in value)
    return (value['arrayValue'] as { values: Record<string, unknown>[] }).values.map(toValue);
  return Object.values(value)[0];
}
