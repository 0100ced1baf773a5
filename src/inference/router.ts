import type { Commit } from '../config/settings.ts';
import { type Caller, type CallTools, type OpenCall, openCall, previewPlan, runCall } from './call.ts';
import type { ChatChunk, ChatCompletion, ChatRequest } from './chat.ts';
import { type ChatAnswer, createChatRunner, deliveryOf } from './chat-runner.ts';
import { chunksOf, streamOf } from './chunks.ts';
import type { EmbeddingsRequest, EmbeddingsResponse } from './embeddings.ts';
import { createEmbeddingsRunner } from './embeddings.ts';
import type { Served } from './execute.ts';
import type { Candidate, Provider } from './model.ts';
import type { Plan, Target } from './plan.ts';
import type { Receipt } from './receipt.ts';
import { record } from './recording.ts';
import { relay } from './relay.ts';
import { estimatedUsage, estimateInput, estimateOutput, toUsage } from './usage.ts';
import type { OpenTarget } from './wire/openai-wire.ts';

export type ChatCall = Caller & {
  /** `auto`, `role:<name>`, a deployment's id, or `simulation`. */
  model: string;
  request: ChatRequest;
  /** When a stream is committed to the caller; the role's and then the general setting hold when absent. */
  commit?: Commit;
};

export type EmbeddingsCall = Caller & { model: string; request: EmbeddingsRequest };

export type CompleteResult = { completion: ChatCompletion; receipt: Receipt };

export type StreamResult = {
  receiptId: string;
  served: NonNullable<Receipt['served']>;
  fallbackReason: string | null;
  /**
   * The chunks, one array per read from the target. Ends only when the answer is whole; throws a TiercelError when it was
   * cut short. Leaving the loop aborts the target.
   */
  chunks: AsyncGenerator<ChatChunk[], void, void>;
  /** Closed when the stream has ended, however it ended. */
  receipt: Promise<Receipt>;
};

/** The one door to every tier. */
export interface Router {
  /** @throws TiercelError with `details.receiptId` once the call was planned */
  complete(call: ChatCall): Promise<CompleteResult>;
  /** Resolves at the point of commit. @throws TiercelError as {@link Router.complete}, before it */
  stream(call: ChatCall): Promise<StreamResult>;
  embed(call: EmbeddingsCall): Promise<{ response: EmbeddingsResponse; receipt: Receipt }>;
  /** The plan that a call of this name would get now. @throws TiercelError `model_not_found` */
  plan(model: string, kind?: 'chat' | 'embeddings'): Plan;
}

export type RouterParts = CallTools & {
  wire: Provider & { embed: OpenTarget };
  simulation: Provider;
};

export function createRouter(parts: RouterParts): Router {
  const providerOf = (candidate: Candidate) =>
    candidate.tier === 'simulation' ? parts.simulation : parts.wire;

  async function openChat(call: ChatCall, streamed: boolean) {
    const { request } = call;
    const inputTokens = estimateInput(request);
    const open = await openCall(
      parts,
      {
        kind: 'chat',
        model: call.model,
        streamed,
        inputTokens,
        maxOutputTokens: request.max_completion_tokens ?? request.max_tokens ?? null,
        toolsOffered: request.tools ? toolNames(request) : [],
        body: () => JSON.stringify(request),
      },
      call,
    );
    const commit = call.commit ?? commitOf(open.target) ?? open.settings.commit;
    const delivery = deliveryOf(request, streamed, commit);
    const runner = createChatRunner({ request, role: open.role, delivery, providerOf });
    return { open, inputTokens, served: await runCall(parts, open, runner) };
  }

  return {
    async complete(call) {
      const { open, inputTokens, served } = await openChat(call, false);
      return recordWhole(open, served, providerOf(served.candidate).name, inputTokens);
    },

    async stream(call) {
      const { open, inputTokens, served } = await openChat(call, true);
      const { candidate } = served;
      const provider = providerOf(candidate).name;
      const relayed = relay({
        served: { ...served, answer: toOpenAnswer(served) },
        provider,
        idleMs: candidate.tier === 'simulation' ? 0 : open.settings.limits[candidate.tier].idleMs,
        inputTokens,
        includeUsage: call.request.stream_options?.include_usage === true,
        recorder: open.recorder,
      });
      const { tier, deployment } = candidate;
      return {
        receiptId: open.recorder.draft.id,
        served: { tier, deployment, provider, model: relayed.model },
        fallbackReason: open.recorder.draft.fallbackReason,
        chunks: relayed.chunks,
        receipt: relayed.receipt,
      };
    },

    async embed(call) {
      const runner = createEmbeddingsRunner(call.request, parts.wire.embed);
      const open = await openCall(parts, { ...runner.intent, model: call.model }, call);
      const served = await runCall(parts, open, runner);
      served.report({ kind: 'healthy' });
      const { response, usage } = served.answer;
      const { candidate } = served;
      const receipt = await record(
        open.recorder,
        { outcome: 'ok', usage, served: { candidate, provider: parts.wire.name, model: response.model } },
        null,
      );
      return { response, receipt };
    },

    plan: (model, kind = 'chat') => previewPlan(parts, model, { kind, inputTokens: 0, tools: false }),
  };
}

async function recordWhole(
  { recorder }: OpenCall,
  { answer, candidate, report }: Served<ChatAnswer>,
  provider: string,
  inputTokens: number,
): Promise<CompleteResult> {
  if (answer.kind !== 'whole') throw new Error('A call that is not streamed has a whole answer.');
  report({ kind: 'healthy' });
  const { completion: answered, malformed } = answer;
  const usage = answered.usage ?? estimatedUsage(inputTokens, estimateOutput(answered));
  const completion = answered.usage ? answered : { ...answered, usage };
  const receipt = await record(
    recorder,
    {
      outcome: 'ok',
      usage: toUsage(usage),
      served: { candidate, provider, model: completion.model },
      malformedEvents: malformed,
      toolsCalled: calledTools(completion),
    },
    () => JSON.stringify(completion.choices),
  );
  return { completion, receipt };
}

/** An answer that was held until it was whole reaches the caller as a stream all the same. */
function toOpenAnswer({ answer }: Served<ChatAnswer>) {
  if (answer.kind === 'open') return answer;
  return { held: chunksOf(answer.completion), stream: streamOf([]), malformed: answer.malformed };
}

function commitOf(target: Target): Commit | undefined {
  return target.kind === 'role' ? target.role.commit : undefined;
}

function toolNames({ tools }: ChatRequest): string[] {
  return (tools ?? []).map((tool) => tool.function?.name ?? tool.type);
}

function calledTools({ choices }: ChatCompletion): string[] {
  return choices.flatMap(({ message }) =>
    (message.tool_calls ?? []).map((call) => call.function?.name ?? call.type),
  );
}
