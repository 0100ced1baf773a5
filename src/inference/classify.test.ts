import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../errors.ts';
import { type AttemptSituation, nextStep, verdictOf } from './classify.ts';
import type { AttemptFailure } from './model.ts';

const situation: AttemptSituation = {
  retriesLeft: 1,
  timeLeftMs: 10_000,
  repair: null,
  probe: false,
  reasked: false,
  largerContextAhead: false,
  random: 0.5,
};

function step(code: ErrorCode, more: Partial<AttemptSituation> = {}, failure: Partial<AttemptFailure> = {}) {
  return nextStep({ code, message: '', ...failure }, { ...situation, ...more }).step;
}

describe('nextStep', () => {
  it.each([
    ['connection refused or reset', 'upstream_unreachable', 'retry'],
    ['silence', 'upstream_timeout', 'next'],
    ['429 without Retry-After', 'upstream_rate_limited', 'next'],
    ['500, 502, 503, 504', 'upstream_unavailable', 'retry'],
    ['401, 403', 'upstream_credentials', 'next'],
    ['404', 'upstream_model_not_found', 'next'],
    ['a parameter that cannot be repaired', 'upstream_unsupported_parameter', 'next'],
    ['a context too long with none larger', 'context_length_exceeded', 'stop'],
    ['a content filter', 'content_filtered', 'stop'],
    ['another 400', 'upstream_rejected_request', 'stop'],
    ['the caller gone', 'client_closed', 'stop'],
    ['a cut before the commit', 'upstream_truncated', 'next'],
    ['an answer that breaks the protocol', 'upstream_invalid_response', 'next'],
    ['an answer that does not validate', 'answer_invalid', 'reask'],
    ['a connection that egress refuses', 'egress_denied', 'next'],
  ] as const)('after %s goes on with %3$s', (_, code, expected) => {
    expect(step(code)).toBe(expected);
  });

  it('retries a 429 when its Retry-After fits the time that is left, and waits just that long', () => {
    const failure: AttemptFailure = { code: 'upstream_rate_limited', message: '', retryAfterMs: 2000 };
    expect(nextStep(failure, situation)).toEqual({ step: 'retry', delayMs: 2000 });
    expect(nextStep(failure, { ...situation, timeLeftMs: 1999 })).toEqual({ step: 'next' });
  });

  it('retries no more often than allowed, and a probe never', () => {
    expect(step('upstream_unavailable', { retriesLeft: 0 })).toBe('next');
    expect(step('upstream_unavailable', { probe: true })).toBe('next');
  });

  it('repairs while a repair is left', () => {
    expect(step('upstream_unsupported_parameter', { repair: 'drop_temperature' })).toBe('repair');
  });

  it('goes to a larger context window only', () => {
    expect(step('context_length_exceeded', { largerContextAhead: true })).toBe('next');
  });

  it('asks again for a valid answer once', () => {
    expect(step('answer_invalid', { reasked: true })).toBe('next');
  });
});

describe('verdictOf', () => {
  it('blames a target for its own failures and not for the caller’s', () => {
    const verdict = (code: ErrorCode) => verdictOf({ code, message: '' }).kind;
    expect(
      ['upstream_timeout', 'upstream_unavailable', 'upstream_credentials'].map((code) =>
        verdict(code as ErrorCode),
      ),
    ).toEqual(['failing', 'failing', 'failing']);
    expect(verdict('upstream_rejected_request')).toBe('healthy');
    expect(verdict('answer_invalid')).toBe('healthy');
    expect(verdict('client_closed')).toBe('neutral');
  });

  it('passes on how long the target wants to be left alone', () => {
    expect(verdictOf({ code: 'upstream_rate_limited', message: '', retryAfterMs: 7 })).toEqual({
      kind: 'failing',
      retryAfterMs: 7,
    });
  });
});
