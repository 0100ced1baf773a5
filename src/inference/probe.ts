import type { Deployment, Limits } from '../config/settings.ts';
import type { Egress } from '../egress/model.ts';
import type { Credentials } from './wire/credentials.ts';
import { failureFromHttp } from './wire/http-failure.ts';
import { isRecord } from './wire/normalise.ts';
import { targetUrl } from './wire/openai-wire.ts';
import { failureFromTransport } from './wire/transport-failure.ts';

/** What a deployment said when it was asked for its models: a call that costs nothing. */
export type Probe =
  | { ok: true; deployment: string; latencyMs: number; models: string[]; servesModel: boolean | null }
  | { ok: false; deployment: string; latencyMs: number; code: string; message: string };

const MAX_LIST_BYTES = 4 * 1024 * 1024;

/**
 * Asks `GET {baseUrl}/models`. `servesModel` is null when the list does not say: some targets list families, or nothing.
 * Returns failures and never throws.
 */
export async function probe(
  egress: Egress,
  credentials: Credentials,
  deployment: Deployment,
  limits: Limits,
): Promise<Probe> {
  const began = performance.now();
  const { headerMs, idleMs, connectMs } = limits[deployment.tier];
  const failed = ({ code, message }: { code: string; message: string }): Probe => ({
    ok: false,
    deployment: deployment.id,
    latencyMs: since(began),
    code,
    message,
  });
  let headers: Record<string, string>;
  try {
    headers = await credentials.headers(deployment);
  } catch (error) {
    return failed({
      code: 'upstream_credentials',
      message: error instanceof Error ? error.message : String(error),
    });
  }
  const opened = await egress.open({
    method: 'GET',
    url: targetUrl(deployment.baseUrl, 'models'),
    headers: { ...headers, accept: 'application/json' },
    body: null,
    purpose: 'probe',
    scope: deployment.tier === 'local' ? 'local' : 'declared',
    limits: { connectMs, headerMs },
    deadlineAt: began + limits.totalMs,
  });
  if (opened.kind === 'failed') {
    const inForce = { limit: 'headerMs', limitMs: headerMs };
    return failed(failureFromTransport(deployment.id, opened.failure, inForce, false));
  }
  const body = await opened.body.text(idleMs, MAX_LIST_BYTES);
  const text = body.kind === 'text' ? body.text : '';
  // Some targets have no list of models and answer 404 to a request that proves all the same that they are there.
  if (opened.status >= 300 && opened.status !== 404) {
    return failed(failureFromHttp(deployment.id, opened.status, opened.headers, text));
  }
  const models = modelIds(text);
  return {
    ok: true,
    deployment: deployment.id,
    latencyMs: since(began),
    models,
    servesModel: models.length === 0 ? null : models.includes(deployment.model),
  };
}

function since(began: number): number {
  return Math.round((performance.now() - began) * 10) / 10;
}

function modelIds(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    const list = isRecord(parsed) && Array.isArray(parsed.data) ? parsed.data : [];
    return list.filter(isRecord).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  } catch {
    return [];
  }
}
