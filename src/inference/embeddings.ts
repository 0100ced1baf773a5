import { estimateTokens } from '../lib/tokens.ts';
import type { CallIntent } from './call.ts';
import type { AttemptFailure } from './model.ts';
import type { Usage } from './receipt.ts';
import type { AttemptContext, AttemptResult, Runner } from './runner.ts';
import { isRecord } from './wire/normalise.ts';
import { type OpenTarget, readJson } from './wire/openai-wire.ts';

/** OpenAI's embeddings request without its `model` (https://platform.openai.com/docs/api-reference/embeddings). */
export type EmbeddingsRequest = {
  input: string | string[] | number[] | number[][];
  encoding_format?: 'float' | 'base64';
  dimensions?: number;
  [more: string]: unknown;
};

export type EmbeddingsResponse = {
  object: 'list';
  model: string;
  data: { object: 'embedding'; index: number; embedding: number[] | string }[];
  usage: { prompt_tokens: number; total_tokens: number; source?: 'estimated' };
};

export type EmbeddingsAnswer = { response: EmbeddingsResponse; usage: Usage };

/** Embeddings pass through the same plan as chat; a target's answer must hold one vector per input, or it has failed. */
export function createEmbeddingsRunner(
  request: EmbeddingsRequest,
  open: OpenTarget,
): Runner<EmbeddingsAnswer> & { intent: Omit<CallIntent, 'model'> } {
  const inputTokens = estimateInputs(request.input);

  async function attempt(context: AttemptContext): Promise<AttemptResult<EmbeddingsAnswer>> {
    const { deployment, model } = context.candidate;
    const call = { ...context, role: null, request: { messages: [] } };
    const opened = await open(call, 'embeddings', { ...request, model });
    if (opened.kind === 'failed') return { kind: 'failed', failure: opened.failure, timing: {} };
    const timing = { headerMs: opened.headerMs };
    const value = await readJson(opened, call);
    if ('failure' in value) return { kind: 'failed', failure: value.failure, timing };
    const answer = toAnswer(value.json, model, inputTokens, countInputs(request.input));
    if (answer) return { kind: 'served', answer, timing };
    const message = `${deployment} answered no embeddings, or not one for each input.`;
    const failure: AttemptFailure = { code: 'upstream_invalid_response', message, httpStatus: opened.status };
    return { kind: 'failed', failure, timing };
  }

  return {
    unavailable: 'embedder_unavailable',
    attempt,
    repairFor: () => null,
    intent: {
      kind: 'embeddings',
      streamed: false,
      inputTokens,
      maxOutputTokens: 0,
      toolsOffered: [],
      body: () => JSON.stringify(request),
    },
  };
}

function toAnswer(
  json: unknown,
  model: string,
  inputTokens: number,
  expected: number,
): EmbeddingsAnswer | null {
  if (!isRecord(json) || !Array.isArray(json.data) || json.data.length !== expected) return null;
  const data: EmbeddingsResponse['data'] = [];
  for (const [position, entry] of json.data.entries()) {
    if (!isRecord(entry)) return null;
    const { embedding, index } = entry;
    if (!Array.isArray(embedding) && typeof embedding !== 'string') return null;
    data.push({ object: 'embedding', index: typeof index === 'number' ? index : position, embedding });
  }
  const reported = isRecord(json.usage) ? json.usage.prompt_tokens : undefined;
  const isReported = typeof reported === 'number';
  const tokens = isReported ? reported : inputTokens;
  return {
    response: {
      object: 'list',
      model: typeof json.model === 'string' && json.model !== '' ? json.model : model,
      data,
      usage: { prompt_tokens: tokens, total_tokens: tokens, ...(isReported ? {} : { source: 'estimated' }) },
    },
    usage: { inputTokens: tokens, outputTokens: 0, source: isReported ? 'reported' : 'estimated' },
  };
}

function isTokenList(input: EmbeddingsRequest['input']): input is number[] {
  return Array.isArray(input) && typeof input[0] === 'number';
}

function countInputs(input: EmbeddingsRequest['input']): number {
  return typeof input === 'string' || isTokenList(input) ? 1 : input.length;
}

function estimateInputs(input: EmbeddingsRequest['input']): number {
  if (typeof input === 'string') return estimateTokens(input);
  if (isTokenList(input)) return input.length;
  return input.reduce((sum, one) => sum + (typeof one === 'string' ? estimateTokens(one) : one.length), 0);
}
