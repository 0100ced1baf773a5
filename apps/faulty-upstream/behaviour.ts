import {
  type Frames,
  type Json,
  okPieces,
  PROMPT_TOKENS,
  type Reply,
  textReply,
  toCompletion,
  toFrames,
} from './chunks.ts';
import { toEmbeddings } from './embeddings.ts';
import { type Exchange, SSE } from './exchange.ts';

/** One row of a table: what it does in a line for people, and the doing. */
export type Behaviour = { meaning: string; play: (exchange: Exchange) => void | Promise<void> };

/**
 * Behaviours by name. A number in braces is a parameter and its example: `cut-after-{40}` is listed as
 * `cut-after-40` and any other number may stand there.
 */
export type BehaviourTable = Readonly<Record<string, Behaviour>>;

/** A behaviour that answers well-formed, with the reply that the exchange calls for. */
export function answering(meaning: string, reply: (exchange: Exchange) => Reply): Behaviour {
  return { meaning, play: (exchange) => answer(exchange, reply(exchange)) };
}

/** Answers as the caller asked: whole, as a stream, or with vectors on the embeddings route. */
export async function answer(exchange: Exchange, reply: Reply): Promise<void> {
  if (!exchange.streaming) {
    exchange.send(200, 'application/json', wholeBody(exchange, reply));
    return;
  }
  const frames = framesOf(exchange, reply);
  exchange.begin(SSE);
  await exchange.raw(frames.role);
  for (const frame of frames.content) await exchange.raw(frame);
  await finish(exchange, frames);
}

/** The regular end of a stream: finish reason, usage, `[DONE]`. */
export async function finish(exchange: Exchange, frames: Frames): Promise<void> {
  await exchange.raw(frames.finish + frames.usage + frames.done);
  exchange.end();
}

export function framesOf(exchange: Exchange, reply: Reply = okReply()): Frames {
  return toFrames(exchange.invocation.model, reply, exchange.includeUsage);
}

/** The body of an answer that is not streamed. */
export function wholeBody(exchange: Exchange, reply: Reply = okReply()): string {
  return JSON.stringify(
    exchange.embeddings
      ? toEmbeddings(exchange.invocation.model, exchange.body, PROMPT_TOKENS)
      : toCompletion(exchange.invocation.model, reply),
  );
}

export function okReply(pieces?: number): Reply {
  return textReply(okPieces(pieces));
}

/** The number after `/` in the behaviour's name. */
export function numberArgument(exchange: Exchange, fallback: number): number {
  const given = Number(exchange.invocation.argument);
  return Number.isSafeInteger(given) && given >= 0 ? given : fallback;
}

/** The nth number in the behaviour's name. The table's pattern guarantees that it is there. */
export function numberInName(exchange: Exchange, at = 0): number {
  return exchange.invocation.numbers[at] ?? 0;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
