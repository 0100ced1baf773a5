import type { Deployment } from '../../config/settings.ts';
import type { Egress, Opened } from '../../egress/model.ts';
import type { ChatRequest } from '../chat.ts';
import { chunksOf, streamOf } from '../chunks.ts';
import type { AttemptCall, AttemptFailure, Completed, Failed, Provider, Streaming } from '../model.ts';
import { createChunkStream } from './chunk-stream.ts';
import type { Credentials } from './credentials.ts';
import { failureFromHttp } from './http-failure.ts';
import { isRecord, normaliseCompletion } from './normalise.ts';
import { failureFromTransport } from './transport-failure.ts';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 256 * 1024;

/** Opens one POST to a path under a deployment's base URL: `chat/completions`, `embeddings`. */
export type OpenTarget = (call: AttemptCall, path: string, body: unknown) => Promise<Opened | Failed>;

/** Every target that speaks OpenAI's dialect; vendors differ by configuration, not by code. */
export function createOpenAiWire(egress: Egress, credentials: Credentials): Provider & { embed: OpenTarget } {
  const open = createOpener(egress, credentials);

  return {
    name: 'openai-wire',

    async complete(call) {
      const opened = await open(call, 'chat/completions', toBody(call, false));
      if (opened.kind === 'failed') return opened;
      const { deployment } = call.candidate;
      const value = await readJson(opened, call);
      if ('failure' in value) return { kind: 'failed', failure: value.failure, headerMs: opened.headerMs };
      const completion = normaliseCompletion(value.json, call.candidate.model);
      if (completion) return { kind: 'completed', completion, headerMs: opened.headerMs } satisfies Completed;
      return { kind: 'failed', failure: noCompletion(deployment, opened), headerMs: opened.headerMs };
    },

    async stream(call) {
      const opened = await open(call, 'chat/completions', toBody(call, true));
      if (opened.kind === 'failed') return opened;
      const { deployment, model } = call.candidate;
      const type = String(opened.headers['content-type'] ?? '');
      if (type.includes('text/event-stream')) {
        const stream = createChunkStream(opened.body, deployment, model);
        return { kind: 'streaming', stream, headerMs: opened.headerMs } satisfies Streaming;
      }
      // No event stream: a server that cannot stream, an error under HTTP 200, or a page of a proxy in between.
      const value = await readJson(opened, call);
      if ('failure' in value) return { kind: 'failed', failure: value.failure, headerMs: opened.headerMs };
      const completion = normaliseCompletion(value.json, model);
      if (completion)
        return { kind: 'streaming', stream: streamOf(chunksOf(completion)), headerMs: opened.headerMs };
      return { kind: 'failed', failure: noCompletion(deployment, opened), headerMs: opened.headerMs };
    },

    embed: open,
  };
}

function noCompletion(deployment: string, opened: Opened): AttemptFailure {
  const message = `${deployment} answered no chat completion.`;
  return { code: 'upstream_invalid_response', message, httpStatus: opened.status };
}

function toBody(
  { request, candidate }: AttemptCall,
  stream: boolean,
): ChatRequest & { model: string; stream: boolean } {
  return { ...request, model: candidate.model, stream };
}

function createOpener(egress: Egress, credentials: Credentials): OpenTarget {
  return async (call, path, body) => {
    const { target, deployment } = call.candidate;
    if (!target) throw new Error('Simulation has no address.');
    const authenticated = await authenticate(credentials, target);
    if ('failure' in authenticated) return { kind: 'failed', failure: authenticated.failure };
    const opened = await egress.open({
      method: 'POST',
      url: targetUrl(target.baseUrl, path),
      headers: { 'content-type': 'application/json', ...authenticated.headers },
      body: JSON.stringify(body),
      purpose: 'inference',
      scope: target.tier === 'local' ? 'local' : 'declared',
      limits: { connectMs: call.limits.connectMs, headerMs: call.limits.headerMs },
      deadlineAt: call.deadlineAt,
      signal: call.signal,
    });
    if (opened.kind === 'failed') {
      const limit = opened.failure.reason === 'connect_timeout' ? 'connectMs' : 'headerMs';
      const inForce = { limit, limitMs: call.limits[limit] };
      return { kind: 'failed', failure: failureFromTransport(deployment, opened.failure, inForce, false) };
    }
    if (opened.status >= 200 && opened.status < 300) return opened;
    return failedByStatus(opened, call);
  };
}

async function authenticate(
  credentials: Credentials,
  target: Deployment,
): Promise<{ headers: Record<string, string> } | { failure: AttemptFailure }> {
  try {
    return { headers: await credentials.headers(target) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    return {
      failure: { code: 'upstream_credentials', message: `${target.id} has no credentials: ${reason}` },
    };
  }
}

async function failedByStatus(opened: Opened, call: AttemptCall): Promise<Failed> {
  const body = await opened.body.text(call.limits.idleMs, MAX_ERROR_BYTES);
  const text = body.kind === 'text' ? body.text : '';
  const failure = failureFromHttp(call.candidate.deployment, opened.status, opened.headers, text);
  return { kind: 'failed', failure, headerMs: opened.headerMs };
}

/** The JSON of a 2xx body. An `error` object in it is a failure, whatever the status says. */
export async function readJson(
  opened: Opened,
  call: AttemptCall,
): Promise<{ json: unknown } | { failure: AttemptFailure }> {
  const { deployment } = call.candidate;
  const body = await opened.body.text(call.limits.idleMs, MAX_ANSWER_BYTES);
  if (body.kind === 'failed') {
    return {
      failure: failureFromTransport(deployment, body, { limit: 'idleMs', limitMs: call.limits.idleMs }),
    };
  }
  let json: unknown;
  try {
    json = JSON.parse(body.text);
  } catch {
    const message = `${deployment} answered something that is not JSON.`;
    return { failure: { code: 'upstream_invalid_response', message, httpStatus: opened.status } };
  }
  if (isRecord(json) && json.error !== undefined && json.error !== null) {
    return { failure: failureFromHttp(deployment, opened.status, opened.headers, json) };
  }
  return { json };
}

const urls = new Map<string, string>();

/** Joins path and base URL before a query string, which Azure's `?api-version=` needs kept. */
export function targetUrl(baseUrl: string, path: string): string {
  const key = `${baseUrl}\n${path}`;
  let url = urls.get(key);
  if (!url) {
    const parsed = new URL(baseUrl);
    parsed.pathname = `${parsed.pathname.replace(/\/$/, '')}/${path}`;
    url = parsed.href;
    urls.set(key, url);
  }
  return url;
}
