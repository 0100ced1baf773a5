import { findSchemaProblem } from '../lib/json-schema.ts';
import type { AssistantMessage, ChatCompletion, ChatRequest, ResponseFormat } from './chat.ts';

export type AnswerCheck =
  | { ok: true; completion: ChatCompletion }
  /** `problem` names the place and the rule, for the re-ask and the error. */
  | { ok: false; problem: string };

/** Whether the caller asked for JSON, so that an answer must be whole before it can be given out. */
export function asksForJson(request: ChatRequest): boolean {
  return request.response_format !== undefined && request.response_format.type !== 'text';
}

/**
 * Holds an answer against what the caller asked for. JSON that stands in a code fence or among prose is taken out, so
 * that the caller gets JSON alone. Answers that are no text (tool calls, refusals) have nothing to check.
 */
export function checkAnswer(completion: ChatCompletion, format: ResponseFormat | undefined): AnswerCheck {
  if (!format || format.type === 'text') return { ok: true, completion };
  let changed = false;
  const choices: ChatCompletion['choices'] = [];
  for (const choice of completion.choices) {
    if (hasNothingToCheck(choice.message) || choice.finish_reason === 'content_filter') {
      choices.push(choice);
      continue;
    }
    const content = choice.message.content ?? '';
    const found = findJson(content);
    if (!found) return { ok: false, problem: 'The answer is not JSON.' };
    const problem = validate(found.value, format);
    if (problem) return { ok: false, problem };
    changed ||= found.text !== content;
    choices.push(
      found.text === content ? choice : { ...choice, message: { ...choice.message, content: found.text } },
    );
  }
  return { ok: true, completion: changed ? { ...completion, choices } : completion };
}

function hasNothingToCheck(message: AssistantMessage): boolean {
  return (message.tool_calls?.length ?? 0) > 0 || typeof message.refusal === 'string';
}

const FENCED = /```(?:json)?[ \t]*\r?\n([\s\S]*?)```/gi;

/** Looks for one JSON value: the whole text, else a single fenced block, else what stands between the outermost brackets. */
function findJson(content: string): { text: string; value: unknown } | null {
  const whole = parse(content);
  if (whole) return whole;
  const fenced = [...content.matchAll(FENCED)];
  if (fenced.length > 0) return fenced.length === 1 ? parse((fenced[0]?.[1] ?? '').trim()) : null;
  const start = content.search(/[{[]/);
  const end = Math.max(content.lastIndexOf('}'), content.lastIndexOf(']'));
  return start >= 0 && end > start ? parse(content.slice(start, end + 1)) : null;
}

function parse(text: string): { text: string; value: unknown } | null {
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    return null;
  }
}

function validate(value: unknown, format: ResponseFormat): string | null {
  if (format.type === 'json_object') {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? null : 'The answer is JSON, but not an object.';
  }
  const schema = format.type === 'json_schema' ? format.json_schema.schema : undefined;
  const problem = schema ? findSchemaProblem(value, schema) : null;
  return problem === null ? null : `The answer is JSON, but not what was asked for. ${problem}`;
}
