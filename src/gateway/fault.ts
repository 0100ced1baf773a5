import { TiercelError } from '../errors.ts';

/**
 * What was thrown while a request was handled, as an error to answer with. What Fastify finds wrong with a request
 * gets our codes; anything unforeseen is `internal_error`, which tells the caller nothing of its cause.
 */
export function toTiercelError(thrown: unknown): TiercelError {
  if (thrown instanceof TiercelError) return thrown;
  const { code, statusCode } = thrown as { code?: unknown; statusCode?: unknown };
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new TiercelError(
        'unsupported_content_type',
        'The body must be sent with content-type: application/json.',
        { param: 'content-type' },
      );
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new TiercelError('body_too_large', 'The body is larger than server.maxBodyBytes allows.');
    default:
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new TiercelError('invalid_request', 'The request is not well-formed HTTP.');
  }
  return new TiercelError('internal_error', 'Something failed that should not have. The log has the cause.', {
    cause: thrown,
  });
}
