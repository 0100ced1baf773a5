export { ERRORS, type ErrorCode, type Fault, TiercelError } from './errors.ts';
export type {
  AdmissionPolicy,
  AdmissionRequest,
  Admitted,
  Denied,
  SettledUsage,
} from './governance/admission.ts';
export type {
  ChatChunk,
  ChatCompletion,
  ChatMessage,
  ChatRequest,
  ToolCall,
  ToolDefinition,
} from './inference/chat.ts';
export type { EmbeddingsRequest, EmbeddingsResponse } from './inference/embeddings.ts';
export type { Plan } from './inference/plan.ts';
export type { Attempt, Exclusion, Label, Receipt, Usage } from './inference/receipt.ts';
export type { SimulationScript } from './inference/simulation/script.ts';
export type { Receipts } from './runtime/receipts.ts';
export type { TiercelConfig } from './runtime/tiercel.ts';
export {
  type Answer,
  type AnswerStream,
  type CallOptions,
  createTiercel,
  type ModelRequest,
  type Tiercel,
  type TiercelOptions,
} from './runtime/tiercel.ts';
export { withRun } from './trace/context.ts';
export { defineEvents } from './trace/define-events.ts';
export type { ChainedEvent, EventInput, Trace, TraceEvent } from './trace/event.ts';
export type { EventType } from './trace/events.ts';
