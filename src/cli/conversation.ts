import { setTimeout as sleep } from 'node:timers/promises';
import { TiercelError } from '../errors.ts';
import type { ChatMessage } from '../inference/chat.ts';
import type { Receipt } from '../inference/receipt.ts';
import type { Backend } from './backend/backend.ts';

/** What a turn came to. `error` is set when the answer is not whole; `receipt` is null when the call was not planned. */
export type Turn = { text: string; receipt: Receipt | null; error: TiercelError | null };

/** Told as the answer comes in. */
export type TurnListener = { text(part: string): void; reasoning(part: string): void };

const RECEIPT_TRIES = 20;
const RECEIPT_PAUSE_MS = 50;

/**
 * The messages of one conversation so far. A turn that fails or is cancelled leaves no trace in them, so that it can be
 * asked again.
 */
export class Conversation {
  model: string;
  readonly #backend: Pick<Backend, 'chat' | 'receipts'>;
  readonly #system: ChatMessage[];
  #turns: ChatMessage[] = [];

  constructor(backend: Pick<Backend, 'chat' | 'receipts'>, model: string, system?: string) {
    this.#backend = backend;
    this.model = model;
    this.#system = system === undefined ? [] : [{ role: 'system', content: system }];
  }

  clear(): void {
    this.#turns = [];
  }

  async ask(content: string, signal: AbortSignal, listener: TurnListener): Promise<Turn> {
    const question: ChatMessage = { role: 'user', content };
    const messages = [...this.#system, ...this.#turns, question];
    let text = '';
    let receiptId: string | undefined;
    let error: TiercelError | null = null;
    try {
      const answer = await this.#backend.chat({ model: this.model, messages, signal });
      receiptId = answer.receiptId;
      for await (const { choices } of answer.chunks) {
        const delta = choices[0]?.delta;
        if (delta?.reasoning_content) listener.reasoning(delta.reasoning_content);
        const part = delta?.content ?? delta?.refusal ?? '';
        if (part !== '') listener.text(part);
        text += part;
      }
      this.#turns.push(question, { role: 'assistant', content: text });
    } catch (thrown) {
      if (!(thrown instanceof TiercelError)) throw thrown;
      error = thrown;
      receiptId ??= thrown.details.receiptId;
    }
    return { text, error, receipt: receiptId ? await this.#receipt(receiptId) : null };
  }

  /** A receipt is closed a moment after the last byte of a stream, or after a cancelled call was noticed. */
  async #receipt(id: string): Promise<Receipt | null> {
    for (let tries = 0; tries < RECEIPT_TRIES; tries++) {
      const receipt = await this.#backend.receipts.get(id);
      if (receipt) return receipt;
      await sleep(RECEIPT_PAUSE_MS);
    }
    return null;
  }
}
