/**
 * The lingua franca inside and outside: OpenAI's Chat Completions wire shapes
 * (https://platform.openai.com/docs/api-reference/chat). Only what Tiercel acts on is typed; every other
 * parameter of a request passes through to the target untouched.
 */

export type ContentPart = { type: string; text?: string; [more: string]: unknown };

export type ToolCall = {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
};

export type ChatMessage = {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function';
  content?: string | ContentPart[] | null;
  name?: string;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
  [more: string]: unknown;
};

export type ToolDefinition = {
  type: string;
  function?: { name: string; description?: string; parameters?: { [keyword: string]: unknown } };
  [more: string]: unknown;
};

export type ToolChoice = 'none' | 'auto' | 'required' | { type: string; function?: { name: string } };

export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema';
      json_schema: { name: string; schema?: { [keyword: string]: unknown }; strict?: boolean | null };
    };

/** A request without its `model`, which belongs to the candidate and is added at the send. */
export type ChatRequest = {
  messages: ChatMessage[];
  tools?: ToolDefinition[];
  tool_choice?: ToolChoice;
  parallel_tool_calls?: boolean;
  response_format?: ResponseFormat;
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  reasoning_effort?: string | null;
  seed?: number | null;
  n?: number | null;
  stop?: string | string[] | null;
  stream_options?: { include_usage?: boolean } | null;
  [more: string]: unknown;
};

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** OpenAI's usage, in tokens. `source` is ours, and set only when the numbers were not reported by the target. */
export type WireUsage = {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  completion_tokens_details?: { reasoning_tokens?: number; [more: string]: unknown };
  source?: 'estimated' | 'simulated';
  [more: string]: unknown;
};

export type AssistantMessage = {
  role: 'assistant';
  content: string | null;
  refusal?: string | null;
  /** The model's reasoning, kept apart from the answer (the field's name at DeepSeek and vLLM). */
  reasoning_content?: string;
  tool_calls?: ToolCall[];
  [more: string]: unknown;
};

export type Choice = {
  index: number;
  message: AssistantMessage;
  finish_reason: FinishReason | null;
  [more: string]: unknown;
};

export type ChatCompletion = {
  id: string;
  object: 'chat.completion';
  created: number;
  model: string;
  choices: Choice[];
  usage?: WireUsage;
  [more: string]: unknown;
};

export type ToolCallDelta = {
  index: number;
  id: string;
  type: 'function';
  function: { name?: string; arguments: string };
};

export type Delta = {
  role?: 'assistant';
  content?: string | null;
  refusal?: string | null;
  reasoning_content?: string;
  tool_calls?: ToolCallDelta[];
  [more: string]: unknown;
};

export type ChunkChoice = {
  index: number;
  delta: Delta;
  finish_reason: FinishReason | null;
  [more: string]: unknown;
};

export type ChatChunk = {
  id: string;
  object: 'chat.completion.chunk';
  created: number;
  model: string;
  choices: ChunkChoice[];
  usage?: WireUsage | null;
  [more: string]: unknown;
};
