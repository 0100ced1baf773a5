import { describe, expect, it } from 'vitest';
import { failureFromHttp, parseRetryAfter } from './http-failure.ts';

function code(status: number, body: unknown) {
  return failureFromHttp('t', status, {}, typeof body === 'string' ? body : JSON.stringify(body)).code;
}

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

describe('failureFromHttp', () => {
  it.each([
    [429, error('slow down'), 'upstream_rate_limited'],
    [500, 'oops', 'upstream_unavailable'],
    [503, '<html>', 'upstream_unavailable'],
    [529, error('overloaded'), 'upstream_unavailable'],
    [408, '', 'upstream_unavailable'],
    [401, error('Incorrect API key provided'), 'upstream_credentials'],
    [403, error('no access'), 'upstream_credentials'],
    [404, error('model "x" not found, try pulling it first'), 'upstream_model_not_found'],
    [302, '', 'upstream_invalid_response'],
    [
      400,
      error("This model's maximum context length is 8192 tokens", { code: 'context_length_exceeded' }),
      'context_length_exceeded',
    ],
    [
      400,
      error('the request exceeds the available context size, try increasing it'),
      'context_length_exceeded',
    ],
    [400, { detail: 'prompt is too long: 9001 tokens' }, 'context_length_exceeded'],
    [
      400,
      error('filtered', { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } }),
      'content_filtered',
    ],
    [403, error('blocked', { code: 'content_policy_violation' }), 'content_filtered'],
    [
      400,
      error('Unsupported parameter', { code: 'unsupported_parameter', param: 'max_tokens' }),
      'upstream_unsupported_parameter',
    ],
    [400, error('response_format unsupported'), 'upstream_unsupported_parameter'],
    [
      422,
      { detail: [{ msg: 'Extra inputs are not permitted', loc: ['body', 'top_p'] }] },
      'upstream_unsupported_parameter',
    ],
    [400, error('The model `x` does not exist', { code: 'model_not_found' }), 'upstream_model_not_found'],
    [400, error("Invalid type for 'messages[0].content'"), 'upstream_rejected_request'],
    [400, '', 'upstream_rejected_request'],
    [200, error('overloaded'), 'upstream_unavailable'],
    [200, error('quota', { code: 'insufficient_quota' }), 'upstream_rate_limited'],
    [200, error('x', { code: 400 }), 'upstream_rejected_request'],
    [200, error('x', { code: 503 }), 'upstream_unavailable'],
    [200, { error: 'model not loaded' }, 'upstream_unavailable'],
  ])('HTTP %i with %j is %s', (status, body, expected) => {
    expect(code(status, body)).toBe(expected);
  });

  it('gives the target’s words only where the caller must act on them', () => {
    const quoting = error('you sent PROMPT with key SECRET');
    for (const status of [401, 404, 429, 503, 200]) {
      expect(failureFromHttp('t', status, {}, quoting).message).not.toContain('PROMPT');
    }
    expect(failureFromHttp('t', 400, {}, error('temperature must be a number')).message).toContain(
      'must be a number',
    );
  });

  it('takes Retry-After down', () => {
    expect(failureFromHttp('t', 429, { 'retry-after': '2' }, '').retryAfterMs).toBe(2000);
  });
});

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    ['2', 2000],
    ['287441', 287_441_000],
    ['Thu, 01 Jan 2026 00:00:03 GMT', 3000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['soon', undefined],
    ['1.5', undefined],
    ['-3', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j as %s ms', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
