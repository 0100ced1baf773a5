import type { ChatCompletion, ChatCompletionRequest, Ledger, Receipt, Verification } from './schema.ts';
import type { Overview, Page, RunDetail, RunSummary } from './types.ts';

/** What the gateway said no with, or why it could not be asked (`status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** A code of the gateway's table of errors; `unreachable` when no answer came. */
  readonly code: string;
  readonly param: string | null;
  readonly receiptId: string | null;

  constructor(status: number, code: string, message: string, param?: string | null, receiptId?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param ?? null;
    this.receiptId = receiptId ?? null;
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;
export type Ask = { query?: Query; body?: unknown; method?: string; signal?: AbortSignal };

/**
 * Asks the gateway that served this page.
 * @throws ApiError with the gateway's own code and message
 */
export async function ask<Answer>(path: string, { query, body, method, signal }: Ask = {}): Promise<Answer> {
  const response = await send(path, {
    ...(query ? { query } : {}),
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
    ...(signal ? { signal } : {}),
  });
  return (await response.json()) as Answer;
}

async function send(path: string, { query = {}, body, method, signal }: Ask): Promise<Response> {
  const search = toSearch(query);
  const response = await fetch(search ? `${path}?${search}` : path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    credentials: 'same-origin',
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, 'unreachable', 'The server does not answer.');
  });
  if (response.ok) return response;
  throw await errorOf(response);
}

async function errorOf(response: Response): Promise<ApiError> {
  const said = (await response.json().catch(() => null)) as {
    error?: { message?: string; code?: string; param?: string | null; receipt_id?: string };
  } | null;
  const { message, code, param, receipt_id } = said?.error ?? {};
  return new ApiError(
    response.status,
    code ?? 'unknown',
    message ?? `The server answered ${response.status} without a reason.`,
    param,
    receipt_id,
  );
}

/** Only what is set, in the order given. */
export function toSearch(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

export type RunFilter = {
  tier?: string | undefined;
  outcome?: string | undefined;
  role?: string | undefined;
  q?: string | undefined;
};

export function getOverview(signal: AbortSignal): Promise<Overview> {
  return ask('/api/overview', { query: { minutes: 15 }, signal });
}

export function getRuns(
  filter: RunFilter,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<RunSummary>> {
  return ask('/api/runs', { query: { limit: 100, ...filter, cursor: cursor ?? undefined }, signal });
}

export function getRun(id: string, signal: AbortSignal): Promise<RunDetail> {
  return ask(`/api/runs/${encodeURIComponent(id)}`, { signal });
}

export function getLedger(signal: AbortSignal): Promise<Ledger> {
  return ask('/api/ledger', { signal });
}

/** Checks all that is stored; seconds for 100,000 events. */
export function verifyLedger(): Promise<Verification> {
  return ask('/api/ledger/verify', { body: {} });
}

export type Answered = { completion: ChatCompletion; receipt: Receipt };

/** Sends a chat request as any caller would, and takes the receipt with the answer. */
export async function complete(request: ChatCompletionRequest): Promise<Answered> {
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', 'x-tiercel-include': 'receipt' },
    body: JSON.stringify({ ...request, stream: false }),
  }).catch(() => {
    throw new ApiError(0, 'unreachable', 'The server does not answer.');
  });
  if (!response.ok) throw await errorOf(response);
  const completion = (await response.json()) as ChatCompletion;
  if (!completion.tiercel)
    throw new ApiError(response.status, 'unknown', 'The answer came without a receipt.');
  return { completion, receipt: completion.tiercel };
}

/** The run that a receipt belongs to. */
export async function findRunOf(receiptId: string): Promise<string> {
  const { data } = await ask<Page<RunSummary>>('/api/runs', { query: { q: receiptId, limit: 1 } });
  return data[0]?.id ?? receiptId;
}

/** Starts the demonstration of a failing upstream; the run named is the one that fell back. */
export function startFallbackDemo(): Promise<{ runId: string }> {
  return ask('/api/demo/fallback', { body: {} });
}
