import { asksForJson, checkAnswer } from './answer-check.ts';
import type { ChatChunk, ChatCompletion, ChatRequest } from './chat.ts';
import { createCollector, hasOutput, showsLife } from './chunks.ts';
import type { AttemptCall, AttemptFailure, Candidate, ChunkStream, Provider } from './model.ts';
import { applyRepair, type RepairName, repairFor } from './repair.ts';
import type { AttemptContext, AttemptResult, Runner, Timing } from './runner.ts';

/** A whole answer that was checked, or a stream whose first output has arrived. */
export type ChatAnswer =
  | { kind: 'whole'; completion: ChatCompletion; malformed: number }
  | { kind: 'open'; held: ChatChunk[]; stream: ChunkStream; malformed: number };

/**
 * How the answer is taken: `complete` asks for it in one piece, `open` streams and commits at the first output, `held`
 * streams but commits only when the answer is whole and checked.
 */
export type Delivery = 'complete' | 'open' | 'held';

export type ChatWork = {
  request: ChatRequest;
  role: string | null;
  delivery: Delivery;
  providerOf(candidate: Candidate): Provider;
};

/** A streamed call that asked for JSON is held, since what was sent cannot be checked afterwards. */
export function deliveryOf(
  request: ChatRequest,
  stream: boolean,
  commit: 'first_output' | 'complete',
): Delivery {
  if (!stream) return 'complete';
  return commit === 'complete' || asksForJson(request) ? 'held' : 'open';
}

export function createChatRunner({ request, role, delivery, providerOf }: ChatWork): Runner<ChatAnswer> {
  // What goes upstream always asks for usage in a stream; it is hidden from a caller who did not ask.
  const base: ChatRequest =
    delivery === 'complete'
      ? request
      : { ...request, stream_options: { ...request.stream_options, include_usage: true } };

  function repaired(repairs: readonly RepairName[]): ChatRequest {
    return repairs.reduce(applyRepair, base);
  }

  return {
    unavailable: 'no_candidate',
    async attempt(context) {
      const call: AttemptCall = { ...context, role, request: withReask(repaired(context.repairs), context) };
      const provider = providerOf(context.candidate);
      if (delivery === 'complete') return complete(provider, call, request);
      return stream(provider, call, delivery, request);
    },
    repairFor(failure, _candidate, applied) {
      if (!failure.detail) return null;
      return repairFor(failure.detail, repaired(applied), new Set(applied));
    },
  };
}

function withReask(request: ChatRequest, { reask }: AttemptContext): ChatRequest {
  if (!reask) return request;
  const complaint = `${reask.problem} Answer again, with JSON only that follows what was asked.`;
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: reask.content },
      { role: 'user', content: complaint },
    ],
  };
}

async function complete(
  provider: Provider,
  call: AttemptCall,
  asked: ChatRequest,
): Promise<AttemptResult<ChatAnswer>> {
  const answer = await provider.complete(call);
  const timing: Timing = answer.headerMs === undefined ? {} : { headerMs: answer.headerMs };
  if (answer.kind === 'failed') return { kind: 'failed', failure: answer.failure, timing };
  return checked(answer.completion, asked, timing, 0);
}

function checked(
  completion: ChatCompletion,
  asked: ChatRequest,
  timing: Timing,
  malformed: number,
): AttemptResult<ChatAnswer> {
  const check = checkAnswer(completion, asked.response_format);
  if (check.ok)
    return { kind: 'served', answer: { kind: 'whole', completion: check.completion, malformed }, timing };
  const content = completion.choices[0]?.message.content ?? '';
  return {
    kind: 'failed',
    failure: { code: 'answer_invalid', message: check.problem },
    timing,
    badAnswer: { content, problem: check.problem },
    ...(completion.usage ? { usage: completion.usage } : {}),
  };
}

async function stream(
  provider: Provider,
  call: AttemptCall,
  delivery: 'open' | 'held',
  asked: ChatRequest,
): Promise<AttemptResult<ChatAnswer>> {
  const began = performance.now();
  const opened = await provider.stream(call);
  if (opened.kind === 'failed') {
    return {
      kind: 'failed',
      failure: opened.failure,
      timing: opened.headerMs === undefined ? {} : { headerMs: opened.headerMs },
    };
  }
  const held = await hold(opened.stream, call, delivery);
  const timing: Timing = { headerMs: opened.headerMs };
  if (held.firstTokenAt !== null) timing.firstTokenMs = held.firstTokenAt - began;
  if (held.failure) {
    opened.stream.cancel();
    return { kind: 'failed', failure: held.failure, timing };
  }
  const { chunks, malformed } = held;
  if (delivery === 'open') {
    return {
      kind: 'served',
      answer: { kind: 'open', held: chunks, stream: opened.stream, malformed },
      timing,
    };
  }
  const collector = createCollector();
  for (const chunk of chunks) collector.push(chunk);
  return checked(collector.completion(), asked, timing, malformed);
}

type Held = {
  chunks: ChatChunk[];
  malformed: number;
  firstTokenAt: number | null;
  failure: AttemptFailure | null;
};

/**
 * Reads until the first output (`open`) or the end (`held`). Start-up metadata and role-only chunks stay here, so that
 * any failure before the point of commit still falls over. Reasoning shows that the target is at work and ends the
 * first-token limit, but commits to nothing.
 */
async function hold(source: ChunkStream, call: AttemptCall, delivery: 'open' | 'held'): Promise<Held> {
  const { limits } = call;
  const held: Held = { chunks: [], malformed: 0, firstTokenAt: null, failure: null };
  const firstTokenUntil = performance.now() + limits.firstTokenMs;
  for (;;) {
    const read =
      held.firstTokenAt === null
        ? await source.read(Math.max(0, firstTokenUntil - performance.now()), 'firstTokenMs')
        : await source.read(limits.idleMs, 'idleMs');
    if (read.kind === 'failed') return { ...held, failure: read.failure };
    held.malformed += read.malformed;
    if (read.kind === 'end')
      return { ...held, failure: failureAtEnd(call.candidate, held.chunks, read.finished) };
    for (const chunk of read.chunks) held.chunks.push(chunk);
    if (held.firstTokenAt === null && read.chunks.some(showsLife)) held.firstTokenAt = performance.now();
    if (delivery === 'open' && read.chunks.some(hasOutput)) return held;
  }
}

/** A proper end is an answer even when it is empty; an end without any choice is none. */
function failureAtEnd(
  { deployment }: Candidate,
  chunks: readonly ChatChunk[],
  finished: boolean,
): AttemptFailure | null {
  if (!finished) {
    return {
      code: 'upstream_truncated',
      message: `${deployment} ended its stream before the answer was whole.`,
    };
  }
  if (chunks.some((chunk) => chunk.choices.length > 0)) return null;
  return { code: 'upstream_invalid_response', message: `${deployment} ended its stream without an answer.` };
}
