/** Whose fault an error is, and so who can mend it. */
export type Fault = 'caller' | 'upstream' | 'policy' | 'us';

type ErrorEntry = {
  /** HTTP status the gateway answers with. */
  readonly status: number;
  /** OpenAI's `error.type`. */
  readonly type: string;
  /** Whether the same call may succeed later without being changed. */
  readonly retryable: boolean;
  readonly fault: Fault;
  /** One line for docs/errors.md: when it is raised and what to do. */
  readonly meaning: string;
};

function entry(status: number, fault: Fault, retryable: boolean, meaning: string): ErrorEntry {
  const type =
    status === 401
      ? 'authentication_error'
      : status === 403
        ? 'permission_error'
        : status === 429
          ? 'rate_limit_error'
          : fault === 'upstream'
            ? 'upstream_error'
            : status >= 500
              ? 'server_error'
              : 'invalid_request_error';
  return { status, type, retryable, fault, meaning };
}

/** The one table of error codes. docs/errors.md is generated from it and a test holds the two equal. */
export const ERRORS = {
  // The caller's request.
  invalid_json: entry(400, 'caller', false, 'The body is not JSON. Send valid JSON.'),
  invalid_request: entry(400, 'caller', false, 'A field is missing or wrong; `param` names it.'),
  unsupported_content_type: entry(415, 'caller', false, 'Only `application/json` bodies are taken.'),
  body_too_large: entry(413, 'caller', false, 'The body is over `server.maxBodyBytes`.'),
  invalid_header: entry(
    400,
    'caller',
    false,
    'A request header has a value that is not allowed; `param` names it.',
  ),
  model_not_found: entry(
    404,
    'caller',
    false,
    'No role, deployment or `auto` has this name; see `GET /v1/models`.',
  ),
  context_length_exceeded: entry(
    400,
    'caller',
    false,
    'The request is larger than the context window of every candidate.',
  ),
  upstream_rejected_request: entry(
    400,
    'caller',
    false,
    'The target refused the request as wrong; its reason is in the message.',
  ),
  content_filtered: entry(
    400,
    'caller',
    false,
    'A safety system refused; its reason is in the message. Not tried elsewhere.',
  ),
  client_closed: entry(499, 'caller', true, 'The caller went away before the answer was whole.'),
  not_found: entry(404, 'caller', false, 'No such route.'),
  method_not_allowed: entry(405, 'caller', false, 'The route exists, but not for this method.'),
  receipt_not_found: entry(
    404,
    'caller',
    false,
    'No receipt has this id, or it belongs to another principal.',
  ),
  run_not_found: entry(404, 'caller', false, 'No run has this id, or it belongs to another principal.'),
  event_not_found: entry(404, 'caller', false, 'No event has this id; it may have been archived.'),
  key_not_found: entry(404, 'caller', false, 'No API key has this id or name.'),
  deployment_not_found: entry(404, 'caller', false, 'No deployment has this id.'),
  // Access.
  invalid_api_key: entry(
    401,
    'policy',
    false,
    'The key is missing, unknown or revoked. Make one with `tiercel keys create`.',
  ),
  sign_in_expired: entry(
    401,
    'policy',
    false,
    'The sign-in link was used already, or is older than ten minutes. `POST /api/session/link` makes a new one, as does a restart.',
  ),
  host_not_allowed: entry(
    403,
    'policy',
    false,
    'The `Host` header is not one this server answers to (guards against DNS rebinding).',
  ),
  origin_not_allowed: entry(
    403,
    'policy',
    false,
    'The `Origin` header is of another site (guards against calls from a page).',
  ),
  forbidden: entry(403, 'policy', false, 'The key is valid but may not do this; an admin key is needed.'),
  policy_denied: entry(403, 'policy', false, 'A policy forbids the call.'),
  suspended: entry(403, 'policy', false, 'The principal or agent is suspended.'),
  budget_exceeded: entry(429, 'policy', true, 'The day budget is used up; `resets_at` says when it renews.'),
  per_request_tokens_exceeded: entry(
    429,
    'policy',
    false,
    'The request asks for more tokens than one request may use.',
  ),
  egress_denied: entry(
    403,
    'policy',
    false,
    'The egress gate refused the connection; the message names the host and the rule.',
  ),
  // The upstream.
  upstream_unreachable: entry(502, 'upstream', true, 'Connection refused or reset, DNS or TLS failure.'),
  upstream_timeout: entry(
    504,
    'upstream',
    true,
    'The target was silent past a limit; the message names the limit.',
  ),
  upstream_rate_limited: entry(
    429,
    'upstream',
    true,
    'The target answered 429; its `Retry-After` is forwarded.',
  ),
  upstream_unavailable: entry(502, 'upstream', true, 'The target answered 5xx, or an error under HTTP 200.'),
  upstream_credentials: entry(
    502,
    'upstream',
    false,
    'The target answered 401 or 403: check the deployment’s credentials.',
  ),
  upstream_model_not_found: entry(502, 'upstream', false, 'The target does not know the deployment’s model.'),
  upstream_unsupported_parameter: entry(
    502,
    'upstream',
    false,
    'The target cannot take a parameter and no repair was left.',
  ),
  upstream_invalid_response: entry(
    502,
    'upstream',
    true,
    'The target’s answer is not what the protocol allows.',
  ),
  upstream_truncated: entry(502, 'upstream', true, 'The target’s stream was cut before its end.'),
  answer_invalid: entry(
    502,
    'upstream',
    true,
    'The answer is not the JSON, or does not match the schema, that was asked for.',
  ),
  no_candidate: entry(
    503,
    'upstream',
    true,
    'No deployment may serve the call; the receipt’s `excluded` says why.',
  ),
  embedder_unavailable: entry(
    503,
    'upstream',
    false,
    'No embedding model is configured, and simulation has none: a hash is not an embedding.',
  ),
  deadline_exceeded: entry(504, 'upstream', true, 'The total deadline over all attempts passed.'),
  // Us.
  stopping: entry(503, 'us', true, 'The server is shutting down and takes no new requests.'),
  not_ready: entry(503, 'us', true, 'The database does not answer.'),
  internal_error: entry(500, 'us', true, 'A defect of Tiercel; the log has it under the request id.'),
  // Start-up and configuration.
  config_invalid: entry(
    500,
    'caller',
    false,
    'A setting has a wrong value; the message names file or variable, path, value and allowed values.',
  ),
  config_unreadable: entry(500, 'caller', false, 'The configuration file cannot be read or is not YAML.'),
  keys_required: entry(
    500,
    'caller',
    false,
    'Binding to an address beyond loopback needs at least one API key.',
  ),
  address_in_use: entry(500, 'caller', false, 'Another program listens on this port.'),
  data_folder_locked: entry(500, 'caller', false, 'Another process uses this data folder.'),
  database_unreachable: entry(
    500,
    'caller',
    true,
    'PostgreSQL at `DATABASE_URL` cannot be reached or refuses the login.',
  ),
  database_unsupported: entry(
    500,
    'caller',
    false,
    'The database is older than PostgreSQL 15, or was migrated by a newer Tiercel.',
  ),
  database_corrupt: entry(
    500,
    'us',
    false,
    'The embedded database does not open; the message says what to do.',
  ),
  server_not_running: entry(500, 'caller', false, 'The command needs a running server and found none.'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

export type ErrorDetails = {
  /** The field, header or setting at fault, as a path (`messages[0].role`). */
  param?: string;
  /** More members for the `error` object, for example `resets_at`. Never secrets. */
  extra?: Record<string, string | number | boolean>;
  /** Milliseconds after which a retry may succeed; becomes `Retry-After`. */
  retryAfterMs?: number;
  /** The receipt of the failed call. */
  receiptId?: string;
  cause?: unknown;
};

/** Every error that crosses a room's border. `code` is a key of {@link ERRORS}. */
export class TiercelError extends Error {
  override readonly name = 'TiercelError';
  readonly code: ErrorCode;
  readonly details: Omit<ErrorDetails, 'cause'>;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    const { cause: _, ...rest } = details;
    this.code = code;
    this.details = rest;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
