import { z } from 'zod';
import { COMMITS } from '../config/settings.ts';
import type { ErrorCode } from '../errors.ts';
import type { RequestHeader } from './route.ts';

/** Headers that the model routes read. */
export const MODEL_HEADERS: readonly RequestHeader[] = [
  {
    name: 'x-tiercel-include',
    description: '`receipt` puts the receipt into the body, under `tiercel`.',
    schema: z.literal('receipt'),
  },
  {
    name: 'x-tiercel-commit',
    description: 'When a stream is let through: at its first output, or held until it is whole.',
    schema: z.enum(COMMITS),
  },
  {
    name: 'x-request-id',
    description: 'A token of at most 128 characters, given back and written to the log.',
    schema: z.string(),
  },
  {
    name: 'traceparent',
    description: 'W3C trace context; the receipt takes its trace id.',
    schema: z.string(),
  },
];

/** What a call to a model may be refused or fail with, on every model route. */
export const MODEL_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_json',
  'invalid_header',
  'model_not_found',
  'body_too_large',
  'unsupported_content_type',
  'policy_denied',
  'suspended',
  'budget_exceeded',
  'upstream_rate_limited',
  'upstream_unreachable',
  'upstream_timeout',
  'upstream_unavailable',
  'upstream_credentials',
  'answer_invalid',
  'no_candidate',
  'deadline_exceeded',
];
