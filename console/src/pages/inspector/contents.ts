import type { ReceiptWithContents } from '../../api/types.ts';

export type ToolCall = { id: string; name: string; arguments: string };

export type Answer = {
  /** Null where only tools were called. */
  text: string | null;
  refusal: string | null;
  reasoning: string | null;
  reasoningSummary: string | null;
  toolCalls: readonly ToolCall[];
};

export type Kept<Value> =
  | { kind: 'full'; value: Value }
  | { kind: 'digest'; digest: string }
  /** The setting `content` says to keep nothing, or there was nothing. */
  | { kind: 'none' };

type Message = {
  content?: string | null;
  refusal?: string | null;
  reasoning_content?: string | null;
  reasoning_summary?: string | null;
  tool_calls?: { id?: string; function?: { name?: string; arguments?: string } }[];
};

/** The answer that a receipt keeps. */
export function answerOf({ contents }: ReceiptWithContents): Kept<Answer> {
  const kept = keptOf(contents?.answer);
  if (kept.kind !== 'full') return kept;
  const choices = Array.isArray(kept.value)
    ? kept.value
    : ((kept.value as { choices?: unknown[] }).choices ?? []);
  const message = (choices[0] as { message?: Message } | undefined)?.message ?? {};
  return {
    kind: 'full',
    value: {
      text: message.content ?? null,
      refusal: message.refusal ?? null,
      reasoning: message.reasoning_content ?? null,
      reasoningSummary: message.reasoning_summary ?? null,
      toolCalls: (message.tool_calls ?? []).map(({ id, function: called }) => ({
        id: id ?? '',
        name: called?.name ?? '',
        arguments: called?.arguments ?? '',
      })),
    },
  };
}

export type AskedMessage = { role: string; content: unknown };
export type AskedRequest = { messages?: AskedMessage[]; [member: string]: unknown };

/** The request that a receipt keeps. */
export function requestOf({ contents }: ReceiptWithContents): Kept<AskedRequest> {
  return keptOf(contents?.request) as Kept<AskedRequest>;
}

function keptOf(text: string | undefined): Kept<unknown> {
  if (text === undefined) return { kind: 'none' };
  if (text.startsWith('sha256:')) return { kind: 'digest', digest: text };
  try {
    return { kind: 'full', value: JSON.parse(text) };
  } catch {
    return { kind: 'none' };
  }
}

/** A command that sends the kept request again; null when only its digest or nothing was kept. */
export function toCurl(receipt: ReceiptWithContents, origin: string): string | null {
  const kept = requestOf(receipt);
  if (kept.kind !== 'full') return null;
  const path = receipt.kind === 'embeddings' ? '/v1/embeddings' : '/v1/chat/completions';
  const stream = receipt.streamed ? { stream: true } : {};
  const body = JSON.stringify({ model: receipt.requested, ...kept.value, ...stream });
  // Inside single quotes a shell takes everything as it stands but the quote itself.
  const quoted = body.replaceAll("'", "'\\''");
  const flag = receipt.streamed ? 'curl -sN' : 'curl -s';
  return `${flag} '${origin}${path}' -H 'content-type: application/json' -d '${quoted}'`;
}
