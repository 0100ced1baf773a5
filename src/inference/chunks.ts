import type {
  AssistantMessage,
  ChatChunk,
  ChatCompletion,
  Choice,
  ChunkChoice,
  ToolCall,
  WireUsage,
} from './chat.ts';
import type { ChunkStream } from './model.ts';

/** Whether a chunk holds real output: text, a tool call or a refusal. Before it nothing is committed to the caller. */
export function hasOutput(chunk: ChatChunk): boolean {
  return chunk.choices.some(
    ({ delta }) => Boolean(delta.content) || Boolean(delta.refusal) || (delta.tool_calls?.length ?? 0) > 0,
  );
}

/** Whether a chunk shows that the model is at work: output, or reasoning that comes before it. */
export function showsLife(chunk: ChatChunk): boolean {
  return hasOutput(chunk) || chunk.choices.some(({ delta }) => Boolean(delta.reasoning_content));
}

type Parts = {
  content: string[];
  refusal: string[];
  reasoning: string[];
  toolCalls: Map<number, { id: string; name: string; arguments: string[] }>;
  finish: Choice['finish_reason'];
};

/** Puts the chunks of a stream together into the answer that they are. */
export interface Collector {
  push(chunk: ChatChunk): void;
  completion(): ChatCompletion;
}

export function createCollector(): Collector {
  const choices = new Map<number, Parts>();
  let head: Pick<ChatChunk, 'id' | 'created' | 'model'> | null = null;
  let usage: WireUsage | undefined;

  function partsOf(index: number): Parts {
    let parts = choices.get(index);
    if (!parts) {
      parts = { content: [], refusal: [], reasoning: [], toolCalls: new Map(), finish: null };
      choices.set(index, parts);
    }
    return parts;
  }

  function take({ index, delta, finish_reason }: ChunkChoice): void {
    const parts = partsOf(index);
    if (delta.content) parts.content.push(delta.content);
    if (delta.refusal) parts.refusal.push(delta.refusal);
    if (delta.reasoning_content) parts.reasoning.push(delta.reasoning_content);
    for (const call of delta.tool_calls ?? []) {
      const known = parts.toolCalls.get(call.index);
      const target = known ?? { id: call.id, name: '', arguments: [] };
      if (!known) parts.toolCalls.set(call.index, target);
      target.name ||= call.function.name ?? '';
      target.arguments.push(call.function.arguments);
    }
    if (finish_reason) parts.finish = finish_reason;
  }

  return {
    push(chunk) {
      if (chunk.choices.length > 0) head ??= chunk;
      if (chunk.usage) usage = chunk.usage;
      for (const choice of chunk.choices) take(choice);
    },
    completion() {
      const { id, created, model } = head ?? { id: '', created: 0, model: '' };
      const sorted = [...choices].sort(([a], [b]) => a - b);
      return {
        id,
        object: 'chat.completion',
        created,
        model,
        choices: sorted.map(([index, parts]) => toChoice(index, parts)),
        ...(usage ? { usage } : {}),
      };
    },
  };
}

function toChoice(index: number, parts: Parts): Choice {
  const calls: ToolCall[] = [...parts.toolCalls]
    .sort(([a], [b]) => a - b)
    .map(([, call]) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments.join('') || '{}' },
    }));
  const content = parts.content.join('');
  const message: AssistantMessage = {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
  };
  if (parts.refusal.length > 0) {
    message.refusal = parts.refusal.join('');
    if (content === '') message.content = null;
  }
  if (parts.reasoning.length > 0) message.reasoning_content = parts.reasoning.join('');
  if (calls.length > 0) message.tool_calls = calls;
  return { index, message, finish_reason: parts.finish };
}

/** A whole answer as the chunks of a stream: role, reasoning, content, tool calls, finish reason, usage. */
export function chunksOf(completion: ChatCompletion): ChatChunk[] {
  const { id, created, model, usage } = completion;
  const toChunk = (choices: ChunkChoice[]): ChatChunk => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices,
  });
  const chunks: ChatChunk[] = [];
  for (const { index, message, finish_reason } of completion.choices) {
    const add = (delta: ChunkChoice['delta'], finish: ChunkChoice['finish_reason'] = null) =>
      chunks.push(toChunk([{ index, delta, finish_reason: finish }]));
    add({ role: 'assistant', content: message.content === null ? null : '' });
    if (message.reasoning_content) add({ reasoning_content: message.reasoning_content });
    if (message.content) add({ content: message.content });
    if (message.refusal) add({ refusal: message.refusal });
    if (message.tool_calls)
      add({ tool_calls: message.tool_calls.map((call, at) => ({ ...call, index: at })) });
    add({}, finish_reason ?? 'stop');
  }
  if (usage) chunks.push({ ...toChunk([]), usage });
  return chunks;
}

/** A stream over chunks that are all there already. */
export function streamOf(chunks: ChatChunk[]): ChunkStream {
  let given = false;
  return {
    async read() {
      if (given) return { kind: 'end', finished: true, malformed: 0 };
      given = true;
      return { kind: 'chunks', chunks, malformed: 0 };
    },
    cancel() {},
  };
}
