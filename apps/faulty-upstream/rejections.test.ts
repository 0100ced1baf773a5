import { afterAll, beforeAll, expect, test } from 'vitest';
import { callUpstream } from './call-upstream.ts';
import { type FaultyUpstream, startFaultyUpstream } from './server.ts';

let upstream: FaultyUpstream;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
});
afterAll(() => upstream.close());

test.each([
  ['status-500', 500, null],
  ['status-503', 503, null],
  ['status-418', 418, null],
  ['unauthorized', 401, 'invalid_api_key'],
  ['insufficient-quota', 429, 'insufficient_quota'],
  ['model-not-found', 404, 'model_not_found'],
  ['model-not-pulled', 404, null],
  ['context-too-long', 400, 'context_length_exceeded'],
  ['content-filter', 400, 'content_filter'],
])('%s answers %i with code %s, streaming or not', async (model, status, code) => {
  for (const stream of [true, false]) {
    const heard = await callUpstream(upstream, model, { stream });
    expect(heard.status).toBe(status);
    expect(JSON.parse(heard.text)).toMatchObject({ error: { message: expect.stringMatching(/./), code } });
  }
});

test('error-200 puts an error object under HTTP 200', async () => {
  const { status, text } = await callUpstream(upstream, 'error-200', { stream: true });
  expect([status, text]).toEqual([200, '{"error":{"message":"overloaded"}}']);
});

test.each([
  ['status-429-retry-2', '2'],
  ['status-429-retry-287441', '287441'],
])('%s gives Retry-After in seconds', async (model, value) => {
  const { status, headers } = await callUpstream(upstream, model);
  expect([status, headers['retry-after']]).toEqual([429, value]);
});

test('status-429-date-3 gives a date three to four seconds ahead', async () => {
  const { headers } = await callUpstream(upstream, 'status-429-date-3');
  const ahead = Date.parse(headers['retry-after'] ?? '') - Date.now();
  expect(headers['retry-after']).toMatch(/GMT$/);
  expect(ahead).toBeGreaterThan(2500);
  expect(ahead).toBeLessThanOrEqual(4000);
});

test('down-300ms fails for that long from the first request on', async () => {
  const statusNow = async () => (await callUpstream(upstream, 'down-300ms')).status;
  expect([await statusNow(), await statusNow()]).toEqual([503, 503]);
  await new Promise((resolve) => setTimeout(resolve, 310));
  expect(await statusNow()).toBe(200);
});

test.each([
  [{ authorization: 'Bearer s3cret' }, 200],
  [{ 'api-key': 's3cret' }, 200],
  [{ authorization: 'Bearer other' }, 401],
  [{}, 401],
])('needs-key/s3cret with %j answers %i', async (headers, status) => {
  expect((await callUpstream(upstream, 'needs-key/s3cret', {}, { headers })).status).toBe(status);
});

async function objection(model: string, body: Record<string, unknown>) {
  const { status, text } = await callUpstream(upstream, model, body);
  return status === 200 ? null : [status, JSON.parse(text).error];
}

test('params-picky refuses max_tokens, then the temperature, then answers', async () => {
  expect(await objection('params-picky', { max_tokens: 100, temperature: 0.2 })).toEqual([
    400,
    {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      type: 'invalid_request_error',
      param: 'max_tokens',
      code: 'unsupported_parameter',
    },
  ]);
  expect(await objection('params-picky', { max_completion_tokens: 100, temperature: 0.2 })).toEqual([
    400,
    {
      message:
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'unsupported_value',
    },
  ]);
  expect(await objection('params-picky', { max_completion_tokens: 100 })).toBeNull();
});

test('picky refuses the named parameters in their order', async () => {
  const model = 'picky/stream_options,developer,json_schema';
  const body = {
    stream_options: { include_usage: true },
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'developer', content: 'Be kind' },
    ],
    response_format: { type: 'json_schema' },
  };
  expect(await objection(model, body)).toMatchObject([400, { param: 'stream_options' }]);
  const { stream_options: _, ...second } = body;
  expect(await objection(model, second)).toMatchObject([
    400,
    { param: 'messages[1].role', code: 'unsupported_value' },
  ]);
  const third = { ...second, messages: [{ role: 'system', content: 'Be kind' }] };
  expect(await objection(model, third)).toMatchObject([400, { param: 'response_format' }]);
  expect(await objection(model, { ...third, response_format: { type: 'json_object' } })).toBeNull();
});

test('no-response-format answers JSON once the parameter is gone', async () => {
  const format = { response_format: { type: 'json_object' } };
  expect(await objection('no-response-format', format)).toMatchObject([
    400,
    { message: 'response_format unsupported' },
  ]);
  const { text } = await callUpstream(upstream, 'no-response-format');
  expect(JSON.parse(JSON.parse(text).choices[0].message.content)).toEqual({ title: 'right' });
});

test('quotes-503 repeats key, URL and body', async () => {
  const heard = await callUpstream(
    upstream,
    'quotes-503',
    { user: 'canary-body' },
    {
      path: '/chat/completions?key=canary-url',
      headers: { authorization: 'Bearer canary-key' },
    },
  );
  expect(heard.status).toBe(503);
  for (const canary of ['canary-key', 'canary-url', 'canary-body']) expect(heard.text).toContain(canary);
});

test('redirect points to a public host, or where its argument says', async () => {
  const { status, headers } = await callUpstream(upstream, 'redirect');
  expect([status, headers.location]).toEqual([302, 'https://example.com/v1/chat/completions']);
  const other = await callUpstream(upstream, 'redirect/http://192.0.2.1/x');
  expect(other.headers.location).toBe('http://192.0.2.1/x');
});

test.each([
  ['html-200', 'text/html', /^<!doctype html>/],
  ['empty-200', 'application/json', /^$/],
  ['no-choices', 'application/json', /"choices":\[\]/],
])('%s is a 200 of %s that is no answer', async (model, type, body) => {
  const heard = await callUpstream(upstream, model);
  expect([heard.status, heard.headers['content-type']]).toEqual([200, type]);
  expect(heard.text).toMatch(body);
});
