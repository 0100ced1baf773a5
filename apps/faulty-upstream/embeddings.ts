import { createHash } from 'node:crypto';
import type { Json } from './chunks.ts';

const DIMENSIONS = 8;

/**
 * An answer of `/v1/embeddings`: for each input a unit vector that depends on its text alone. Honours `dimensions`
 * and `encoding_format`, whose `base64` the official clients ask for by default.
 */
export function toEmbeddings(model: string, body: Json, promptTokens: number): Json {
  const inputs = Array.isArray(body['input']) ? body['input'] : [body['input']];
  const dimensions = typeof body['dimensions'] === 'number' ? body['dimensions'] : DIMENSIONS;
  const data = inputs.map((input, index) => {
    const vector = toVector(String(input), dimensions);
    const packed = Buffer.from(Float32Array.from(vector).buffer).toString('base64');
    return { object: 'embedding', index, embedding: body['encoding_format'] === 'base64' ? packed : vector };
  });
  return {
    object: 'list',
    data,
    model,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  };
}

function toVector(text: string, dimensions: number): number[] {
  const raw = Array.from({ length: dimensions }, (_, at) => {
    const digest = createHash('sha256').update(`${at}:${text}`).digest();
    return digest.readInt32LE(0) / 2 ** 31;
  });
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}
