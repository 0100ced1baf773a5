import type { z } from 'zod';
import type { fileSchema } from '../config/schema.ts';
import type { Commit } from '../config/settings.ts';
import type { AdmissionPolicy } from '../governance/admission.ts';
import type { Caller } from '../inference/call.ts';
import type { ChatChunk, ChatCompletion, ChatRequest } from '../inference/chat.ts';
import { parseChatBody, parseEmbeddingsBody } from '../inference/chat-schema.ts';
import type { EmbeddingsRequest, EmbeddingsResponse } from '../inference/embeddings.ts';
import type { Plan } from '../inference/plan.ts';
import type { Receipt } from '../inference/receipt.ts';
import type { SimulationScript } from '../inference/simulation/script.ts';
import type { Log } from '../lib/log.ts';
import type { Trace } from '../trace/event.ts';
import type { Receipts } from './receipts.ts';
import { openRuntime } from './runtime.ts';

type DeepPartial<Value> = Value extends readonly (infer Item)[]
  ? readonly Item[]
  : Value extends object
    ? { [Key in keyof Value]?: DeepPartial<Value[Key]> }
    : Value;

/** What `tiercel.yaml` may hold, as an object. */
export type TiercelConfig = DeepPartial<z.input<typeof fileSchema>>;

export type TiercelOptions = {
  /** Where keys and overrides are read from; `process.env` unless given. */
  env?: Readonly<Record<string, string | undefined>>;
  /** What relative paths start from, and where `tiercel.yaml` is looked for when no settings are given. */
  cwd?: string;
  /** Asked before each call; admits all unless given. */
  admission?: AdmissionPolicy;
  /** What the simulation says and calls, by role. */
  scripts?: Record<string, SimulationScript>;
  log?: Log;
};

export type CallOptions = Caller & {
  /** `complete` holds a stream back until the answer is whole, so that even a cut in the middle is rescued. */
  commit?: Commit;
};

/** OpenAI's request; `model` is `auto`, `role:<name>`, a deployment's id, or `simulation`. */
export type ModelRequest<Request> = Request & { model: string };

export type Answer = {
  /** The text of the first choice; empty when it called tools instead. */
  text: string;
  completion: ChatCompletion;
  receipt: Receipt;
};

/** Iterate over it once for the chunks; it throws a TiercelError when the answer was cut short. */
export interface AnswerStream extends AsyncIterable<ChatChunk> {
  readonly receiptId: string;
  readonly served: NonNullable<Receipt['served']>;
  /** Why the plan's first candidate does not serve; null when it does. */
  readonly fallbackReason: string | null;
  /** Resolves when the stream has ended, however it ended. */
  readonly receipt: Promise<Receipt>;
}

/** A running Tiercel without HTTP. */
export interface Tiercel {
  /** @throws TiercelError; `details.receiptId` names the receipt of a call that failed */
  complete(request: ModelRequest<ChatRequest>, options?: CallOptions): Promise<Answer>;
  /** Resolves when the first output is there. @throws TiercelError as {@link Tiercel.complete} */
  stream(request: ModelRequest<ChatRequest>, options?: CallOptions): Promise<AnswerStream>;
  /** @throws TiercelError `embedder_unavailable` when only simulation could answer */
  embed(
    request: ModelRequest<EmbeddingsRequest>,
    options?: Caller,
  ): Promise<{ response: EmbeddingsResponse; receipt: Receipt }>;
  /** Who would serve a call of this name now, in which order, and who would not and why. */
  plan(model: string): Plan;
  readonly receipts: Receipts;
  readonly trace: Trace;
  /** Stores what is pending and frees files, sockets and threads. */
  close(): Promise<void>;
}

/**
 * Opens Tiercel in this process.
 *
 * @param config the settings; when left out, `tiercel.yaml` of `options.cwd` is read if it is there
 * @throws TiercelError `config_invalid`, `data_folder_locked`, `database_unreachable` and others of opening
 */
export async function createTiercel(config?: TiercelConfig, options: TiercelOptions = {}): Promise<Tiercel> {
  const { env = process.env, cwd = process.cwd(), ...parts } = options;
  const runtime = await openRuntime({
    ...parts,
    env,
    cwd,
    ...(config ? { configObject: config } : {}),
  });
  const { router, receipts, trace } = runtime;
  return {
    async complete(body, call) {
      const { model, request } = parseChatBody(body);
      const { completion, receipt } = await router.complete({ ...call, model, request });
      return { text: completion.choices[0]?.message.content ?? '', completion, receipt };
    },
    async stream(body, call) {
      const { model, request } = parseChatBody(body);
      const { chunks, ...head } = await router.stream({ ...call, model, request });
      return { ...head, [Symbol.asyncIterator]: () => flatten(chunks) };
    },
    async embed(body, call) {
      return router.embed({ ...call, ...parseEmbeddingsBody(body) });
    },
    plan: (model) => router.plan(model),
    receipts,
    trace,
    close: () => runtime.close(),
  };
}

async function* flatten(
  reads: AsyncGenerator<ChatChunk[], void, void>,
): AsyncGenerator<ChatChunk, void, void> {
  for await (const chunks of reads) yield* chunks;
}
