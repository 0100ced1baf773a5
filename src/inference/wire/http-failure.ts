import type { ErrorCode } from '../../errors.ts';
import type { AttemptFailure } from '../model.ts';
import { isRecord } from './normalise.ts';

/** What a target said besides its status, in whichever of the common shapes it said it. */
type Complaint = { message: string; code: string; param?: string; status?: number };

const CONTEXT =
  /context[ _-]?(length|window|size)|maximum context|too many (input )?tokens|prompt is too long|input is too long|exceeds? the (available|maximum) /i;
const SAFETY = /content[ _-]?(filter|policy)|responsible ?ai|safety system|moderation/i;
const UNSUPPORTED =
  /unsupported|not supported|does(n't| not) support|unrecognized|unknown (parameter|field|argument)|unexpected (keyword|field|parameter)|extra (inputs|fields)|not permitted|invalid (parameter|role)|is not allowed|cannot be used|not available|use '?max_/i;
const NO_MODEL =
  /model .*(not found|does not exist|not exist|unknown)|(unknown|no such) model|deploymentnotfound/i;

const CODES_UNDER_OK: Record<string, ErrorCode> = {
  rate_limit_exceeded: 'upstream_rate_limited',
  insufficient_quota: 'upstream_rate_limited',
  too_many_requests: 'upstream_rate_limited',
  invalid_api_key: 'upstream_credentials',
  authentication_error: 'upstream_credentials',
  model_not_found: 'upstream_model_not_found',
};

/**
 * Classifies an answer that is a failure: by status, and by the body where the status says too little, down to an
 * `error` object under HTTP 200.
 *
 * @param target names the deployment in messages
 * @param body the text of the body, or its parsed `error` event
 */
export function failureFromHttp(
  target: string,
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: unknown,
  now = Date.now(),
): AttemptFailure {
  const complaint = readComplaint(body);
  const effective = status < 300 ? (complaint.status ?? status) : status;
  const code = effective < 300 ? codeUnderOk(complaint) : codeOf(effective, complaint);
  const failure: AttemptFailure = {
    code,
    message: messageOf(code, target, status, complaint),
    httpStatus: status,
  };
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now);
  if (retryAfterMs !== undefined) failure.retryAfterMs = retryAfterMs;
  if (code === 'upstream_unsupported_parameter') {
    failure.detail = { text: complaint.message, ...(complaint.param ? { param: complaint.param } : {}) };
  }
  return failure;
}

function readComplaint(body: unknown): Complaint {
  const parsed = typeof body === 'string' ? parseJson(body) : body;
  if (!isRecord(parsed)) return { message: typeof body === 'string' ? body : '', code: '' };
  // OpenAI nests under `error`; vLLM's older servers and FastAPI answer `message` or `detail` at the top.
  const error = isRecord(parsed.error) ? parsed.error : parsed;
  const inner = isRecord(error.innererror) ? String(error.innererror.code ?? '') : '';
  const message = [error.message, error.detail, parsed.error].find(
    (one) => typeof one === 'string' && one !== '',
  );
  const numeric = [error.code, error.status].map(Number).find((one) => one >= 400 && one < 600);
  return {
    message: typeof message === 'string' ? message : JSON.stringify(error.detail ?? ''),
    code: [error.code, error.type, inner]
      .filter((one) => typeof one === 'string')
      .join(' ')
      .toLowerCase(),
    ...(typeof error.param === 'string' ? { param: error.param } : {}),
    ...(numeric ? { status: numeric } : {}),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function codeOf(status: number, complaint: Complaint): ErrorCode {
  if (status === 429) return 'upstream_rate_limited';
  if (status >= 500 || status === 408) return 'upstream_unavailable';
  if (status >= 400) {
    if (SAFETY.test(complaint.code)) return 'content_filtered';
    if (status === 401 || status === 403) return 'upstream_credentials';
    if (status === 404) return 'upstream_model_not_found';
    return codeOfRejection(complaint);
  }
  return 'upstream_invalid_response';
}

function codeOfRejection({ message, code }: Complaint): ErrorCode {
  if (code.includes('context_length') || CONTEXT.test(message)) return 'context_length_exceeded';
  if (SAFETY.test(message)) return 'content_filtered';
  if (code.includes('model_not_found') || NO_MODEL.test(message)) return 'upstream_model_not_found';
  if (/unsupported|unknown_parameter/.test(code) || UNSUPPORTED.test(message))
    return 'upstream_unsupported_parameter';
  return 'upstream_rejected_request';
}

function codeUnderOk(complaint: Complaint): ErrorCode {
  for (const [word, code] of Object.entries(CODES_UNDER_OK)) if (complaint.code.includes(word)) return code;
  if (SAFETY.test(complaint.code)) return 'content_filtered';
  if (complaint.code.includes('context_length')) return 'context_length_exceeded';
  return 'upstream_unavailable';
}

/** The target's own words are given only where the caller must act on them; they may quote the prompt. */
function messageOf(code: ErrorCode, target: string, status: number, complaint: Complaint): string {
  switch (code) {
    case 'context_length_exceeded':
    case 'content_filtered':
    case 'upstream_rejected_request':
      return `${target} refused the request: ${complaint.message || `HTTP ${status}`}`;
    case 'upstream_unsupported_parameter':
      return `${target} cannot take ${complaint.param ?? 'a parameter of the request'}.`;
    case 'upstream_credentials':
      return `${target} refused the credentials (HTTP ${status}).`;
    case 'upstream_model_not_found':
      return `${target} does not know the model (HTTP ${status}).`;
    case 'upstream_rate_limited':
      return `${target} is rate limited (HTTP ${status}).`;
    case 'upstream_invalid_response':
      return `${target} answered HTTP ${status}, which the protocol does not provide for.`;
    default:
      return status < 300
        ? `${target} answered an error under HTTP ${status}.`
        : `${target} answered HTTP ${status}.`;
  }
}

/** `Retry-After` in milliseconds: whole seconds, or an HTTP date (RFC 9110 §10.2.3). Undefined when absent or neither. */
export function parseRetryAfter(value: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Date.parse takes far more than HTTP dates do ("1.5" is a day in May): a date has a weekday or a time.
  if (!/:/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
