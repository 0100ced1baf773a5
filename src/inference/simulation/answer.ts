import { CHARS_PER_TOKEN, estimateTokens } from '../../lib/tokens.ts';
import type { ChatRequest, Choice, FinishReason, ToolCall, ToolDefinition } from '../chat.ts';
import type { AttemptFailure } from '../model.ts';
import { inferSchema } from './infer-schema.ts';
import { cut } from './phrases.ts';
import { composeText } from './prose.ts';
import { createRandom, type Random } from './random.ts';
import type { Reading } from './reading.ts';
import { generateValue } from './schema/generate.ts';
import type { SchemaNode } from './schema/generation.ts';
import { fill, followScript, type SimulationCall, type SimulationScript } from './script.ts';

/** All that an answer is made from. `digest` is of the canonical request. */
export type Question = {
  request: ChatRequest;
  reading: Reading;
  role: string | null;
  script: SimulationScript | undefined;
  digest: string;
};

export type Answer = { kind: 'choice'; choice: Choice } | { kind: 'failed'; failure: AttemptFailure };

/** Answers a request once; `index` tells the choices of one request (`n`) apart. */
export function answer(question: Question, index: number): Answer {
  const { request, reading } = question;
  const random = createRandom(question.digest, index);
  const scripted = question.script ? followScript(question.script, request, reading) : null;
  if (scripted?.kind === 'call') return callTools(scripted.calls, question, index, random);
  if (!scripted) {
    const tool = chosenTool(request, reading);
    if (tool !== null) return callTools([{ tool }], question, index, random);
  }
  const format = request.response_format;
  if (format?.type === 'json_schema') {
    return json(format.json_schema.schema ?? {}, format.json_schema.name, question, index, random);
  }
  if (format?.type === 'json_object') return json(inferSchema(request, reading), '', question, index, random);
  const text = scripted ? scripted.text : composeText(reading, question.role, random);
  return { kind: 'choice', choice: toChoice(index, text, request) };
}

/** The tool that must or should be called when no script says so; null for none. */
function chosenTool(request: ChatRequest, reading: Reading): string | null {
  const names = (request.tools ?? []).flatMap((tool) => (tool.function ? [tool.function.name] : []));
  const choice = request.tool_choice ?? 'auto';
  const first = names[0];
  if (choice === 'none' || first === undefined) return null;
  if (typeof choice === 'object') return names.find((name) => name === choice.function?.name) ?? null;
  const said = names.find((name) => mentions(reading.text, name));
  if (choice === 'required') return said ?? first;
  return reading.calls.length === 0 ? (said ?? null) : null;
}

/** Whether a tool's name stands in the text as a word of its own. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}

function callTools(
  calls: readonly SimulationCall[],
  question: Question,
  index: number,
  random: Random,
): Answer {
  const { request, reading } = question;
  const toolCalls: ToolCall[] = [];
  for (const call of request.parallel_tool_calls === false ? calls.slice(0, 1) : calls) {
    const made = makeArguments(call, request.tools ?? [], reading, random);
    if (made.kind === 'unsatisfiable') {
      return invalid(`Simulation cannot make arguments for the tool ${call.tool}: ${made.reason}`);
    }
    const id = `call_${question.digest.slice(0, 16)}_${index}_${reading.calls.length + toolCalls.length}`;
    toolCalls.push({
      id,
      type: 'function',
      function: { name: call.tool, arguments: JSON.stringify(made.value) },
    });
  }
  const tokens = toolCalls.reduce((sum, call) => sum + callTokens(call), 0);
  if (tokens > limitOf(request)) return tooShort(tokens);
  const message = { role: 'assistant' as const, content: null, tool_calls: toolCalls };
  return { kind: 'choice', choice: { index, message, finish_reason: 'tool_calls' } };
}

function makeArguments(
  call: SimulationCall,
  tools: readonly ToolDefinition[],
  reading: Reading,
  random: Random,
) {
  if (call.arguments) return { kind: 'value' as const, value: fill(call.arguments, reading) };
  const definition = tools.find((tool) => tool.function?.name === call.tool)?.function;
  const schema: SchemaNode = { type: 'object', ...definition?.parameters };
  // Without declared properties nothing is known to be wanted, so nothing is made up.
  if (!('properties' in schema) && !('$ref' in schema) && !('required' in schema))
    schema['additionalProperties'] = false;
  return generateValue(schema, call.tool, reading, random);
}

function json(schema: unknown, name: string, question: Question, index: number, random: Random): Answer {
  const made = generateValue(schema, name, question.reading, random);
  if (made.kind === 'unsatisfiable') return invalid(`Simulation cannot satisfy the schema at ${made.reason}`);
  const text = JSON.stringify(made.value);
  const choice = toChoice(index, text, question.request);
  if (choice.message.content === text) return { kind: 'choice', choice };
  if (choice.finish_reason === 'length') return tooShort(estimateTokens(text));
  return invalid('A stop sequence occurs in the JSON that was asked for');
}

function invalid(message: string): Answer {
  return { kind: 'failed', failure: { code: 'answer_invalid', message } };
}

function tooShort(tokens: number): Answer {
  return invalid(`The answer takes about ${tokens} tokens, more than max_tokens allows`);
}

function toChoice(index: number, whole: string, request: ChatRequest): Choice {
  const stopped = beforeStop(whole, request.stop);
  const longest = limitOf(request) * CHARS_PER_TOKEN;
  const text = cut(stopped, longest);
  const finish: FinishReason = text.length < stopped.length ? 'length' : 'stop';
  return { index, message: { role: 'assistant', content: text, refusal: null }, finish_reason: finish };
}

function beforeStop(text: string, stop: ChatRequest['stop']): string {
  const sequences = typeof stop === 'string' ? [stop] : (stop ?? []);
  const found = sequences.map((sequence) => (sequence === '' ? -1 : text.indexOf(sequence)));
  const first = Math.min(...found.filter((at) => at >= 0));
  return first === Infinity ? text : text.slice(0, first);
}

function limitOf(request: ChatRequest): number {
  return request.max_completion_tokens ?? request.max_tokens ?? Infinity;
}

/** The estimate for one call: its name and its arguments. */
export function callTokens(call: ToolCall): number {
  return estimateTokens(call.function.name) + estimateTokens(call.function.arguments);
}
