import { createId } from '../../lib/ids.ts';
import type {
  AssistantMessage,
  ChatChunk,
  ChatCompletion,
  Choice,
  ChunkChoice,
  Delta,
  FinishReason,
  ToolCall,
  WireUsage,
} from '../chat.ts';
import { createReasoningSplitter, type ReasoningSplitter, splitReasoning } from './reasoning.ts';
import { argumentsText, createToolCallDeltas, type ToolCallDeltas } from './tool-call-deltas.ts';

type Raw = Record<string, unknown>;

export function isRecord(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A target's `usage` when it is one; some send null until the last chunk. */
function toUsage(value: unknown): WireUsage | undefined {
  if (!isRecord(value)) return undefined;
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = value;
  if (typeof input !== 'number') return undefined;
  const written = typeof output === 'number' ? output : 0;
  return {
    ...value,
    prompt_tokens: input,
    completion_tokens: written,
    total_tokens: typeof total === 'number' ? total : input + written,
  };
}

/** A whole answer in the protocol's shape, or null when it has no choices and so is none. */
export function normaliseCompletion(raw: unknown, model: string): ChatCompletion | null {
  if (!isRecord(raw) || !Array.isArray(raw.choices) || raw.choices.length === 0) return null;
  const choices: Choice[] = [];
  for (const [position, choice] of raw.choices.entries()) {
    if (!isRecord(choice) || !isRecord(choice.message)) return null;
    choices.push(normaliseChoice(choice, choice.message, position));
  }
  const { usage: rawUsage, ...rest } = raw;
  const usage = toUsage(rawUsage);
  return {
    ...rest,
    id: text(raw.id) || `chatcmpl-${createId()}`,
    object: 'chat.completion',
    created: typeof raw.created === 'number' ? raw.created : Math.floor(Date.now() / 1000),
    model: text(raw.model) || model,
    choices,
    ...(usage ? { usage } : {}),
  };
}

function normaliseChoice(choice: Raw, message: Raw, position: number): Choice {
  const { tool_calls: rawCalls, reasoning, ...kept } = message;
  const split = splitReasoning(text(message.content) ?? '');
  const reasoningText = text(message.reasoning_content) ?? text(reasoning) ?? '';
  const toolCalls = Array.isArray(rawCalls) ? rawCalls.filter(isRecord).map(toToolCall) : [];
  const answer: AssistantMessage = {
    ...kept,
    role: 'assistant',
    content: split.answer === '' && toolCalls.length > 0 ? null : split.answer,
    ...(typeof message.refusal === 'string'
      ? { refusal: message.refusal, content: text(message.content) ?? null }
      : {}),
  };
  if (reasoningText + split.reasoning !== '') answer.reasoning_content = reasoningText + split.reasoning;
  if (toolCalls.length > 0) answer.tool_calls = toolCalls;
  return {
    ...choice,
    index: typeof choice.index === 'number' ? choice.index : position,
    message: answer,
    finish_reason: finishReason(choice.finish_reason, toolCalls.length > 0),
  };
}

function toToolCall(raw: Raw): ToolCall {
  // A kind of call that is not a function's (OpenAI's `custom`) is the caller's own and passes as it came.
  if (!isRecord(raw.function)) return raw as unknown as ToolCall;
  return {
    id: text(raw.id) || `call_${createId().replaceAll('-', '')}`,
    type: 'function',
    function: {
      name: text(raw.function.name) ?? '',
      arguments: argumentsText(raw.function.arguments) || '{}',
    },
  };
}

function finishReason(value: unknown, hasToolCalls: boolean): FinishReason | null {
  if (typeof value !== 'string' || value === '') return null;
  return hasToolCalls && value === 'stop' ? 'tool_calls' : (value as FinishReason);
}

type ChoiceState = { toolCalls: ToolCallDeltas; reasoning: ReasoningSplitter };

/** Brings the chunks of one stream into the protocol's shape; keeps what must agree from chunk to chunk. */
export interface ChunkNormaliser {
  /** Null when the value is no chunk. */
  normalise(raw: unknown): ChatChunk | null;
  /**
   * What the splitters held back. After a proper end (`[DONE]`), the finish reason too, for the choices whose server left it
   * out: it said that it is done.
   */
  flush(proper: boolean): ChatChunk | null;
  /** Whether every choice that was begun has given a finish reason. */
  readonly finished: boolean;
}

export function createChunkNormaliser(model: string): ChunkNormaliser {
  const states = new Map<number, ChoiceState>();
  const finishedChoices = new Set<number>();
  let fallbackId: string | null = null;
  let head: Pick<ChatChunk, 'id' | 'created' | 'model'> | null = null;

  function stateOf(index: number): ChoiceState {
    let state = states.get(index);
    if (!state) {
      state = { toolCalls: createToolCallDeltas(), reasoning: createReasoningSplitter() };
      states.set(index, state);
    }
    return state;
  }

  function toChoice(raw: Raw, position: number): ChunkChoice {
    const index = typeof raw.index === 'number' ? raw.index : position;
    const state = stateOf(index);
    const delta = isRecord(raw.delta) ? toDelta(raw.delta, state) : {};
    const finish = finishReason(raw.finish_reason, state.toolCalls.count > 0);
    if (finish !== null) {
      finishedChoices.add(index);
      append(delta, state.reasoning.end());
    }
    return { ...raw, index, delta, finish_reason: finish };
  }

  /** The same on every chunk, and drawn only for a target that names none. */
  function ownId(): string {
    fallbackId ??= `chatcmpl-${createId()}`;
    return fallbackId;
  }

  function toHead(raw: Raw): Pick<ChatChunk, 'id' | 'created' | 'model'> {
    if (head) return head;
    const next = {
      id: text(raw.id) || ownId(),
      created:
        typeof raw.created === 'number' && raw.created > 0 ? raw.created : Math.floor(Date.now() / 1000),
      model: text(raw.model) || model,
    };
    // Azure's first chunk has no choices and an empty id and model; the head is fixed by the first real one.
    if (text(raw.id)) head = next;
    return next;
  }

  return {
    normalise(raw) {
      if (!isRecord(raw) || (!Array.isArray(raw.choices) && !isRecord(raw.usage))) return null;
      const choices = Array.isArray(raw.choices) ? raw.choices.filter(isRecord).map(toChoice) : [];
      const { usage: rawUsage, ...rest } = raw;
      const usage = toUsage(rawUsage);
      return {
        ...rest,
        ...toHead(raw),
        object: 'chat.completion.chunk',
        choices,
        ...(usage ? { usage } : {}),
      };
    },
    flush(proper) {
      const choices: ChunkChoice[] = [];
      for (const [index, state] of states) {
        const delta: Delta = {};
        append(delta, state.reasoning.end());
        const unfinished = proper && !finishedChoices.has(index);
        if (unfinished) finishedChoices.add(index);
        const finish = unfinished ? finishReason('stop', state.toolCalls.count > 0) : null;
        if (finish || Object.keys(delta).length > 0) choices.push({ index, delta, finish_reason: finish });
      }
      return choices.length === 0 ? null : { ...toHead({}), object: 'chat.completion.chunk', choices };
    },
    get finished() {
      return states.size > 0 && finishedChoices.size === states.size;
    },
  };
}

function toDelta(raw: Raw, state: ChoiceState): Delta {
  const { tool_calls: rawCalls, reasoning, role, content, ...kept } = raw;
  const delta: Delta = kept;
  if (role !== undefined) delta.role = 'assistant';
  const reasoningText = text(raw.reasoning_content) ?? text(reasoning);
  if (reasoningText !== undefined) delta.reasoning_content = reasoningText;
  const written = text(content);
  if (written === '' || content === null) delta.content = content as string | null;
  else if (written !== undefined) append(delta, state.reasoning.push(written));
  if (Array.isArray(rawCalls)) {
    const calls = rawCalls.map((call) => state.toolCalls.normalise(call)).filter((call) => call !== null);
    if (calls.length > 0) delta.tool_calls = calls;
  }
  return delta;
}

function append(delta: Delta, split: { reasoning: string; answer: string }): void {
  if (split.reasoning !== '') delta.reasoning_content = (delta.reasoning_content ?? '') + split.reasoning;
  if (split.answer !== '') delta.content = (delta.content ?? '') + split.answer;
}
