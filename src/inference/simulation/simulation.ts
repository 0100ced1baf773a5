import { createHash } from 'node:crypto';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { estimateTokens } from '../../lib/tokens.ts';
import type { ChatCompletion, ChatMessage, Choice, WireUsage } from '../chat.ts';
import type { AttemptCall, AttemptFailure, Completed, Failed, Provider, Streaming } from '../model.ts';
import { answer, callTokens } from './answer.ts';
import { createChunkStream } from './chunk-stream.ts';
import { readRequest } from './reading.ts';
import type { SimulationScript } from './script.ts';

export const SIMULATION_MODEL = 'tiercel-simulation';

/** The `created` of every answer, 2025-01-01T00:00:00Z: a clock would make equal requests differ. */
const CREATED = 1_735_689_600;

/** OpenAI's limit for `n`. */
const MOST_CHOICES = 128;

/**
 * The provider of the simulation tier: deterministic code that composes answers from the request's own words and
 * says so. Role, messages, tools, tool choice, response format and seed decide the bytes of an answer; `n`,
 * `stop` and the token limits only how much of it is given. A role's script decides which tools it calls.
 *
 * Failures: `answer_invalid` when a schema cannot be satisfied (the message names the path), `invalid_request`
 * for an `n` out of range, `client_closed` when the caller has gone away.
 */
export function createSimulation(
  settings: { scripts?: Readonly<Record<string, SimulationScript>> } = {},
): Provider {
  const scripts = new Map(Object.entries(settings.scripts ?? {}));
  return {
    name: 'simulation',
    complete: async (call) => complete(call, scripts),
    stream: async (call): Promise<Streaming | Failed> => {
      const completed = complete(call, scripts);
      if (completed.kind === 'failed') return completed;
      return { kind: 'streaming', stream: createChunkStream(completed.completion, call.signal), headerMs: 0 };
    },
  };
}

function complete(call: AttemptCall, scripts: ReadonlyMap<string, SimulationScript>): Completed | Failed {
  if (call.signal.aborted) return failed({ code: 'client_closed', message: 'The caller went away' });
  try {
    return respond(call, scripts);
  } catch (error) {
    return failed({ code: 'internal_error', message: `Simulation failed: ${String(error)}` });
  }
}

function failed(failure: AttemptFailure): Failed {
  return { kind: 'failed', failure };
}

function respond(call: AttemptCall, scripts: ReadonlyMap<string, SimulationScript>): Completed | Failed {
  const { request, role } = call;
  const count = request.n ?? 1;
  if (!Number.isInteger(count) || count < 1 || count > MOST_CHOICES) {
    const message = `n must be an integer from 1 to ${MOST_CHOICES}`;
    return failed({ code: 'invalid_request', message, detail: { text: message, param: 'n' } });
  }
  const digest = digestOf(call);
  const script = role === null ? undefined : scripts.get(role);
  const question = { request, reading: readRequest(request), role, script, digest };
  const choices: Choice[] = [];
  for (let index = 0; index < count; index++) {
    const answered = answer(question, index);
    if (answered.kind === 'failed') return failed(answered.failure);
    choices.push(answered.choice);
  }
  const completion: ChatCompletion = {
    id: `chatcmpl-${digest.slice(0, 24)}`,
    object: 'chat.completion',
    created: CREATED,
    model: SIMULATION_MODEL,
    choices,
    usage: usageOf(request.messages, choices),
  };
  return { kind: 'completed', completion, headerMs: 0 };
}

function digestOf({ request, role }: AttemptCall): string {
  const { messages, tools, tool_choice, response_format, seed } = request;
  const asked = { role, messages, tools, tool_choice, response_format, seed };
  return createHash('sha256').update(canonical(asked)).digest('hex');
}

function canonical(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    // A lone surrogate in a message has no canonical form, but the message is still to be answered.
    return JSON.stringify(value);
  }
}

function usageOf(messages: readonly ChatMessage[], choices: readonly Choice[]): WireUsage {
  const prompt = messages.reduce((sum, message) => sum + messageTokens(message), 0);
  const completion = choices.reduce((sum, choice) => sum + messageTokens(choice.message), 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    source: 'simulated',
  };
}

function messageTokens(message: Pick<ChatMessage, 'content' | 'tool_calls'>): number {
  const { content } = message;
  const text =
    typeof content === 'string'
      ? estimateTokens(content)
      : (content ?? []).reduce((sum, part) => sum + estimateTokens(part.text ?? ''), 0);
  return text + (message.tool_calls ?? []).reduce((sum, call) => sum + callTokens(call), 0);
}
