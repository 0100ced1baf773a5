import type { ChatMessage, ChatRequest } from './chat.ts';
import type { Candidate } from './model.ts';

/**
 * Repairs: what is changed in a request when a target says that it cannot take a parameter. Each is a pure function
 * of the request, applied at most once per call and target, and they compose in any order.
 */
type Repair = {
  /** The parameter that the target complains about, as it names it. */
  parameter: RegExp;
  /** Whether the request holds what the repair would change. */
  applies(request: ChatRequest): boolean;
  apply(request: ChatRequest): ChatRequest;
};

const REPAIRS = {
  drop_temperature: dropping('temperature'),
  drop_top_p: dropping('top_p'),
  drop_parallel_tool_calls: dropping('parallel_tool_calls'),
  drop_reasoning_effort: dropping('reasoning_effort'),
  drop_stream_options: dropping('stream_options'),
  max_tokens_to_max_completion_tokens: renaming('max_tokens', 'max_completion_tokens'),
  max_completion_tokens_to_max_tokens: renaming('max_completion_tokens', 'max_tokens'),
  json_schema_to_json_object: {
    parameter: /response_format|json_schema/i,
    applies: (request) => request.response_format?.type === 'json_schema',
    apply: (request) => withInstruction({ ...request, response_format: { type: 'json_object' } }, request),
  },
  response_format_to_instruction: {
    parameter: /response_format|json_object|json mode/i,
    applies: (request) => request.response_format !== undefined && request.response_format.type !== 'text',
    apply(request) {
      const { response_format: _, ...rest } = request;
      return withInstruction(rest, request);
    },
  },
  developer_to_system: {
    parameter: /developer|messages?\[\d+\]\.?\[?'?role/i,
    applies: (request) => request.messages.some((message) => message.role === 'developer'),
    apply: (request) => ({
      ...request,
      messages: request.messages.map((message) =>
        message.role === 'developer' ? { ...message, role: 'system' } : message,
      ),
    }),
  },
} as const satisfies Record<string, Repair>;

export type RepairName = keyof typeof REPAIRS;

export const REPAIR_NAMES = Object.keys(REPAIRS) as RepairName[];

function dropping(
  name: 'temperature' | 'top_p' | 'parallel_tool_calls' | 'reasoning_effort' | 'stream_options',
): Repair {
  return {
    parameter: new RegExp(`\\b${name}\\b`, 'i'),
    applies: (request) => request[name] !== undefined,
    apply(request) {
      const { [name]: _, ...rest } = request;
      return rest;
    },
  };
}

function renaming(
  from: 'max_tokens' | 'max_completion_tokens',
  to: 'max_tokens' | 'max_completion_tokens',
): Repair {
  return {
    parameter: new RegExp(`\\b${from}\\b`, 'i'),
    applies: (request) => request[from] !== undefined,
    apply(request) {
      const { [from]: limit, ...rest } = request;
      return rest[to] === undefined && limit !== undefined ? { ...rest, [to]: limit } : rest;
    },
  };
}

const INSTRUCTION_MARK = 'Answer with JSON only, without code fences or any other text.';

/** Adds the contract that `response_format` carried as a system message, unless an earlier repair did. */
function withInstruction(request: ChatRequest, original: ChatRequest): ChatRequest {
  const first = request.messages[0];
  if (
    first?.role === 'system' &&
    typeof first.content === 'string' &&
    first.content.startsWith(INSTRUCTION_MARK)
  ) {
    return request;
  }
  const format = original.response_format;
  const schema = format?.type === 'json_schema' ? format.json_schema.schema : undefined;
  const content = schema
    ? `${INSTRUCTION_MARK} It must match this JSON Schema: ${JSON.stringify(schema)}`
    : INSTRUCTION_MARK;
  const instruction: ChatMessage = { role: 'system', content };
  return { ...request, messages: [instruction, ...request.messages] };
}

/**
 * The repair that a target's complaint calls for. Its `param` is trusted first; else the parameter named earliest in
 * the text is taken as the culprit, since the hint ("use max_completion_tokens instead") comes after it.
 *
 * @param applied what was applied already in this call, and so is not tried again
 * @returns null when the complaint is not understood, or what it asks for was done already
 */
export function repairFor(
  complaint: { text: string; param?: string },
  request: ChatRequest,
  applied: ReadonlySet<RepairName>,
): RepairName | null {
  const left = REPAIR_NAMES.filter((name) => !applied.has(name) && REPAIRS[name].applies(request));
  for (const text of complaint.param ? [complaint.param, complaint.text] : [complaint.text]) {
    let best: { name: RepairName; at: number } | null = null;
    for (const name of left) {
      const at = text.search(REPAIRS[name].parameter);
      if (at >= 0 && (best === null || at < best.at)) best = { name, at };
    }
    if (best) return best.name;
  }
  return null;
}

/** Applies one repair. A request that does not hold what it changes comes back as it is. */
export function applyRepair(request: ChatRequest, name: RepairName): ChatRequest {
  const repair: Repair = REPAIRS[name];
  return repair.applies(request) ? repair.apply(request) : request;
}

/** What was learnt of each deployment, so that the next call is right at the first send. Lives as long as the process. */
export interface RepairMemory {
  /** Those known to be needed, in the order learnt. */
  known(candidate: Candidate): readonly RepairName[];
  learn(candidate: Candidate, names: Iterable<RepairName>): void;
}

export function createRepairMemory(): RepairMemory {
  // Keyed by address and model too: a deployment that is pointed elsewhere starts afresh.
  const memory = new Map<string, RepairName[]>();
  const keyOf = ({ deployment, model, target }: Candidate) =>
    JSON.stringify([deployment, model, target?.baseUrl]);

  function known(candidate: Candidate): readonly RepairName[] {
    const learnt = memory.get(keyOf(candidate)) ?? [];
    const configured = configuredRepairs(candidate);
    return configured.length === 0 ? learnt : [...new Set([...configured, ...learnt])];
  }

  return {
    known,
    learn(candidate, names) {
      const key = keyOf(candidate);
      memory.set(key, [...new Set([...(memory.get(key) ?? []), ...names])]);
    },
  };
}

function configuredRepairs({ target }: Candidate): RepairName[] {
  const names: RepairName[] = [];
  if (target?.capabilities.jsonObject === false) names.push('response_format_to_instruction');
  else if (target?.capabilities.jsonSchema === false) names.push('json_schema_to_json_object');
  if (target?.capabilities.streamUsage === false) names.push('drop_stream_options');
  return names;
}
