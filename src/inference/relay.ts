import { TiercelError } from '../errors.ts';
import { CHARS_PER_TOKEN } from '../lib/tokens.ts';
import type { ChatChunk, WireUsage } from './chat.ts';
import { type Collector, createCollector } from './chunks.ts';
import { verdictOf } from './classify.ts';
import type { Served } from './execute.ts';
import type { AttemptFailure, ChunkStream } from './model.ts';
import type { Receipt } from './receipt.ts';
import type { Ending } from './receipt-draft.ts';
import { type Recorder, record } from './recording.ts';
import { estimatedUsage, toUsage } from './usage.ts';

export type RelayInput = {
  served: Served<{ held: ChatChunk[]; stream: ChunkStream; malformed: number }>;
  provider: string;
  idleMs: number;
  inputTokens: number;
  /** Whether the caller asked for usage; else it is taken down for the receipt only. */
  includeUsage: boolean;
  recorder: Recorder;
};

export type Relay = {
  /** The model that serves, as it named itself. */
  model: string;
  /**
   * What reaches the caller, one array per read. Ends only when the answer is whole; throws the error that cut it short. Leaving
   * the loop early aborts the target.
   */
  chunks: AsyncGenerator<ChatChunk[], void, void>;
  receipt: Promise<Receipt>;
};

/**
 * Passes a committed stream on. There is no switching any more: a cut, a stall or an error in the stream ends it as
 * `truncated`. Work per chunk is constant; the answer is put together only when it is stored.
 */
export function relay(input: RelayInput): Relay {
  const { served, recorder } = input;
  let settle: (receipt: Promise<Receipt>) => void = () => {};
  const receipt = new Promise<Receipt>((resolve) => {
    settle = resolve;
  });
  // Who is not interested in the receipt must not crash over a store that fails; who is, still gets the error.
  receipt.catch(() => {});
  const model = served.answer.held.find((chunk) => chunk.choices.length > 0)?.model ?? served.candidate.model;
  const tally = new Tally(recorder.content === 'off' ? null : createCollector());
  tally.malformed = served.answer.malformed;

  function finish(outcome: Ending['outcome'], failure: AttemptFailure | null): Promise<Receipt> {
    served.report(failure ? verdictOf(failure) : { kind: outcome === 'ok' ? 'healthy' : 'neutral' });
    const { collector } = tally;
    const done = record(
      recorder,
      {
        outcome,
        ...(failure ? { errorCode: failure.code } : {}),
        usage: toUsage(tally.usage ?? estimatedUsage(input.inputTokens, tally.outputTokens)),
        served: { candidate: served.candidate, provider: input.provider, model },
        malformedEvents: tally.malformed,
        toolsCalled: tally.toolsCalled,
      },
      collector ? () => JSON.stringify(collector.completion().choices) : null,
    );
    settle(done);
    return done;
  }

  return { model, chunks: started(passOn(input, tally, finish)), receipt };
}

/** Runs a generator to its first value, so that leaving it before the first read runs its `finally` too. */
function started<Value>(generator: AsyncGenerator<Value, void, void>): AsyncGenerator<Value, void, void> {
  let first: Promise<IteratorResult<Value, void>> | null = generator.next();
  const next = generator.next.bind(generator);
  generator.next = () => {
    const value = first ?? next();
    first = null;
    return value;
  };
  return generator;
}

async function* passOn(
  { served, idleMs, includeUsage, inputTokens }: RelayInput,
  tally: Tally,
  finish: (outcome: Ending['outcome'], failure: AttemptFailure | null) => Promise<Receipt>,
): AsyncGenerator<ChatChunk[], void, void> {
  const { stream, held } = served.answer;
  let ended = false;
  try {
    yield tally.take(held, includeUsage);
    for (;;) {
      const read = await stream.read(idleMs, 'idleMs');
      if (read.kind === 'chunks') {
        tally.malformed += read.malformed;
        const chunks = tally.take(read.chunks, includeUsage);
        if (chunks.length > 0) yield chunks;
        continue;
      }
      const failure = read.kind === 'failed' ? read.failure : read.finished ? null : CUT;
      ended = true;
      if (failure) {
        const outcome = failure.code === 'client_closed' ? 'cancelled' : 'truncated';
        const receipt = await finish(outcome, failure);
        throw new TiercelError(failure.code, failure.message, { receiptId: receipt.id });
      }
      const receipt = await finish('ok', null);
      if (includeUsage && !tally.usage) {
        yield [usageChunk(held, estimatedUsage(inputTokens, receipt.usage.outputTokens))];
      }
      return;
    }
  } finally {
    stream.cancel();
    if (!ended) await finish('cancelled', { code: 'client_closed', message: 'The caller went away.' });
  }
}

const CUT: AttemptFailure = {
  code: 'upstream_truncated',
  message: 'The target ended its stream before the answer was whole.',
};

function usageChunk(held: readonly ChatChunk[], usage: WireUsage): ChatChunk {
  const { id = '', created = 0, model = '' } = held.find((chunk) => chunk.choices.length > 0) ?? {};
  return { id, object: 'chat.completion.chunk', created, model, choices: [], usage };
}

/** What is taken down of a stream as it passes. */
class Tally {
  usage: WireUsage | null = null;
  malformed = 0;
  readonly collector: Collector | null;
  readonly #toolsCalled = new Map<string, string>();
  #outputChars = 0;

  constructor(collector: Collector | null) {
    this.collector = collector;
  }

  get toolsCalled(): string[] {
    return [...this.#toolsCalled.values()];
  }

  get outputTokens(): number {
    return Math.ceil(this.#outputChars / CHARS_PER_TOKEN);
  }

  /** Takes the chunks down and gives back what the caller is to see of them. */
  take(chunks: readonly ChatChunk[], includeUsage: boolean): ChatChunk[] {
    const visible: ChatChunk[] = [];
    for (const chunk of chunks) {
      this.collector?.push(chunk);
      for (const choice of chunk.choices) this.#count(choice);
      if (!chunk.usage) {
        visible.push(chunk);
        continue;
      }
      this.usage = chunk.usage;
      if (includeUsage) visible.push(chunk);
      else if (chunk.choices.length > 0) {
        const { usage: _, ...rest } = chunk;
        visible.push(rest);
      }
    }
    return visible;
  }

  #count({ index, delta }: ChatChunk['choices'][number]): void {
    this.#outputChars += (delta.content?.length ?? 0) + (delta.reasoning_content?.length ?? 0);
    for (const call of delta.tool_calls ?? []) {
      this.#outputChars += call.function.arguments.length;
      if (call.function.name) this.#toolsCalled.set(`${index}/${call.index}`, call.function.name);
    }
  }
}
