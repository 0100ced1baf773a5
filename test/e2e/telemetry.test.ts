import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import type { TiercelConfig } from '../../src/runtime/tiercel.ts';
import { withRun } from '../../src/trace/context.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { CHAT, hello, post } from './gateway-request.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

let upstream: FaultyUpstream;
let receiver: OtlpReceiver;
let gateway: OpenGateway | null = null;
beforeAll(async () => {
  upstream = await startFaultyUpstream();
});
afterAll(() => upstream.close());
beforeEach(async () => {
  receiver = await startOtlpReceiver();
});
afterEach(async () => {
  await gateway?.close();
  gateway = null;
  await receiver.close();
});

function configOf(first: string, second: string, more: TiercelConfig = {}): TiercelConfig {
  const deployment = (id: string, model: string) =>
    ({ id, tier: 'local', baseUrl: upstream.baseUrl, auth: { type: 'none' }, model }) as const;
  return {
    mode: 'local',
    limits: { retriesPerTarget: 0 },
    deployments: [deployment('first', first), deployment('second', second)],
    defaults: { local: ['first', 'second'] },
    telemetry: { otlpEndpoint: receiver.url, serviceName: 'shop' },
    ...more,
  };
}

/** Closes the product, which sends what waits, and gives the spans by name. */
async function collect(): Promise<Map<string, ReceivedSpan>> {
  await gateway?.close();
  gateway = null;
  return new Map(receiver.spans.map((span) => [span.name, span]));
}

const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }];

describe('a call that falls back and is answered with a tool call', () => {
  it('is one inference span with an attempt below it for each try, in the trace of its caller', async () => {
    gateway = await openGateway(configOf('status-503', 'tools-two'));
    const answer = await post(gateway.url, CHAT, hello('auto', { tools }), {
      traceparent: `00-${TRACE}-${CALLER}-01`,
    });
    expect(answer.status).toBe(200);
    const receiptId = String(answer.headers['x-tiercel-receipt']);
    const spans = await collect();

    const call = spans.get('chat auto');
    expect([...spans.keys()]).toEqual(['chat auto', 'attempt first', 'attempt second']);
    expect(call).toMatchObject({
      traceId: TRACE,
      parentSpanId: CALLER,
      kind: 3,
      error: null,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'auto',
        'gen_ai.request.stream': false,
        'gen_ai.usage.input_tokens': expect.any(Number),
        'gen_ai.usage.output_tokens': expect.any(Number),
        'tiercel.receipt.id': receiptId,
        'tiercel.served.deployment': 'second',
        'tiercel.tools.offered': ['get_weather'],
        'tiercel.tools.called': ['get_weather', 'get_weather'],
      },
      events: [
        {
          name: 'tiercel.fell_back',
          attributes: { 'tiercel.deployment': 'second', 'tiercel.reason': 'upstream_unavailable' },
        },
      ],
    });
    expect(spans.get('attempt first')).toMatchObject({
      traceId: TRACE,
      parentSpanId: call?.spanId,
      error: 'upstream_unavailable',
      attributes: { 'error.type': 'upstream_unavailable', 'http.response.status_code': 503 },
    });
    expect(spans.get('attempt second')).toMatchObject({ parentSpanId: call?.spanId, error: null });
    for (const { startNs, endNs } of spans.values()) expect(endNs >= startNs).toBe(true);
    expect(new Set(receiver.spans.map(({ spanId }) => spanId)).size).toBe(3);
    expect(receiver.requests).toEqual([{ path: '/v1/traces', contentType: 'application/json', spans: 3 }]);
    expect(receiver.services).toEqual(['shop']);
  });

  it('names the spans that its events name', async () => {
    gateway = await openGateway(configOf('status-503', 'tools-two'));
    const answer = await post(gateway.url, CHAT, hello('auto', { tools }));
    const events = await gateway.runtime.ledger.run(String(answer.headers['x-tiercel-receipt']));
    const spans = await collect();
    const attempts = events.filter(({ type }) => type === 'INFERENCE_ATTEMPT').map(({ spanId }) => spanId);
    expect(attempts).toEqual([spans.get('attempt first')?.spanId, spans.get('attempt second')?.spanId]);
    expect(events.find(({ type }) => type === 'INFERENCE_SERVED')?.spanId).toBe(
      spans.get('chat auto')?.spanId,
    );
    expect(spans.get('chat auto')?.parentSpanId).toBeUndefined();
  });
});

describe('the tree of a run', () => {
  it('hangs the run’s calls below it, and ends a run that the stop cut off', async () => {
    gateway = await openGateway(configOf('ok', 'ok'));
    const { router, trace } = gateway.runtime;
    const request = { messages: [{ role: 'user' as const, content: 'Hello' }] };
    await withRun(trace, { actor: 'local', name: 'outer' }, () =>
      withRun(trace, { actor: 'local', name: 'inner' }, () => router.complete({ model: 'auto', request })),
    );
    void withRun(trace, { actor: 'local', name: 'cut off' }, () => new Promise(() => {}));
    const spans = await collect();
    expect(spans.get('inner')?.parentSpanId).toBe(spans.get('outer')?.spanId);
    expect(spans.get('chat auto')?.parentSpanId).toBe(spans.get('inner')?.spanId);
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(2);
    expect(spans.get('cut off')).toMatchObject({ error: 'unfinished' });
  });
});

describe('repairs and streams', () => {
  it('shows a repair as an event of the call and how long the first token took', async () => {
    gateway = await openGateway(configOf('params-picky', 'ok'));
    const answer = await post(gateway.url, CHAT, hello('auto', { max_tokens: 20, stream: true }));
    expect(answer.status).toBe(200);
    const spans = await collect();
    const call = spans.get('chat auto');
    expect(call?.events.map(({ name }) => name)).toEqual(['tiercel.repaired']);
    expect(call?.attributes).toMatchObject({
      'gen_ai.request.stream': true,
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'tiercel.served.deployment': 'first',
    });
    expect(receiver.spans.filter(({ name }) => name === 'attempt first')).toHaveLength(2);
  });
});

describe('the way out', () => {
  it('exports nothing unless an endpoint is set', async () => {
    gateway = await openGateway(configOf('ok', 'ok', { telemetry: {} }));
    await post(gateway.url, CHAT, hello('auto'));
    expect((await collect()).size).toBe(0);
  });

  it('lets nothing out to another machine under local_only', async () => {
    const telemetry = { otlpEndpoint: 'http://192.0.2.1:4318' };
    gateway = await openGateway(configOf('ok', 'ok', { telemetry, routing: 'local_only' }));
    const { logged } = gateway;
    await post(gateway.url, CHAT, hello('auto'));
    await collect();
    expect(logged.some((line) => line.includes('egress denied') && line.includes('telemetry'))).toBe(true);
    expect(logged.some((line) => line.includes('spans were not exported'))).toBe(true);
  });

  it('sends neither prompt nor answer', async () => {
    gateway = await openGateway(configOf('ok', 'ok'));
    await post(gateway.url, CHAT, { model: 'auto', messages: [{ role: 'user', content: 'CANARY-9317' }] });
    await collect();
    expect(receiver.spans.length).toBe(2);
    expect(
      JSON.stringify(receiver.spans, (_, value) => (typeof value === 'bigint' ? 0 : value)),
    ).not.toContain('CANARY-9317');
  });
});
