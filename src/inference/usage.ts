import { estimateTokens } from '../lib/tokens.ts';
import type { ChatCompletion, ChatMessage, ChatRequest, WireUsage } from './chat.ts';
import type { Candidate } from './model.ts';
import type { Receipt, Usage } from './receipt.ts';

/** Tokens that one attempt spent, and who was paid for them. */
export type SpentUsage = { candidate: Candidate; usage: Usage };

/** A target's report, or our own numbers where it says so, in the receipt's terms. */
export function toUsage(usage: WireUsage): Usage {
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  return {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    ...(reasoning ? { reasoningTokens: reasoning } : {}),
    source: usage.source ?? 'reported',
  };
}

/** OpenAI's shape for a usage that the target did not report, marked as the estimate that it is. */
export function estimatedUsage(inputTokens: number, outputTokens: number): WireUsage {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    source: 'estimated',
  };
}

export function sumUsage(spent: readonly SpentUsage[]): Usage {
  const total: Usage = { inputTokens: 0, outputTokens: 0, source: spent.at(-1)?.usage.source ?? 'estimated' };
  for (const { usage } of spent) {
    total.inputTokens += usage.inputTokens;
    total.outputTokens += usage.outputTokens;
    if (usage.reasoningTokens) total.reasoningTokens = (total.reasoningTokens ?? 0) + usage.reasoningTokens;
    // One guessed part makes the sum a guess.
    if (usage.source === 'estimated') total.source = 'estimated';
  }
  return total;
}

/** Null when a price is missing for a part of what was spent, or the parts are in different currencies. */
export function costOf(spent: readonly SpentUsage[]): NonNullable<Receipt['cost']> | null {
  let amount = 0;
  let currency: string | null = null;
  for (const { candidate, usage } of spent) {
    const price = candidate.target?.price;
    if (!price || (currency !== null && price.currency !== currency)) return null;
    currency = price.currency;
    amount += (usage.inputTokens * price.inputPerM + usage.outputTokens * price.outputPerM) / 1_000_000;
  }
  return currency === null ? null : { amount: Number(amount.toFixed(9)), currency, priceSource: 'config' };
}

// What a picture or a sound costs differs widely; this is OpenAI's price of a small picture.
const TOKENS_PER_MEDIUM = 85;

/** Input tokens of a request, estimated from its characters. */
export function estimateInput({ messages, tools }: ChatRequest): number {
  let total = 0;
  for (const message of messages) total += estimateMessage(message);
  return tools ? total + estimateTokens(JSON.stringify(tools)) : total;
}

function estimateMessage({ content, tool_calls: toolCalls }: ChatMessage): number {
  let total = 4;
  if (typeof content === 'string') total += estimateTokens(content);
  else if (content) {
    for (const part of content) {
      total += typeof part.text === 'string' ? estimateTokens(part.text) : TOKENS_PER_MEDIUM;
    }
  }
  return toolCalls ? total + estimateTokens(JSON.stringify(toolCalls)) : total;
}

/** Output tokens of an answer, estimated from its characters. */
export function estimateOutput({ choices }: ChatCompletion): number {
  let total = 0;
  for (const { message } of choices) {
    total += estimateTokens(message.content ?? '') + estimateTokens(message.reasoning_content ?? '');
    if (message.tool_calls) total += estimateTokens(JSON.stringify(message.tool_calls));
  }
  return total;
}
