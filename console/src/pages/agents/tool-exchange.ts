import type { ReceiptWithContents, RunDetail } from '../../api/types.ts';
import { answerOf, requestOf } from '../inspector/contents.ts';
import { fieldOf } from '../inspector/notes.ts';

export type OfferedTool = { name: string; description: string | null; parameters: unknown };

export type CalledTool = {
  id: string;
  name: string;
  /** JSON text as the model wrote it. */
  arguments: string;
  /** What came back, where a later call of the same run carried it. */
  result: { given: true; value: unknown } | { given: false };
};

export type ToolExchange = {
  offered: readonly OfferedTool[];
  called: readonly CalledTool[];
  /** Results of earlier calls that came with this request. */
  brought: readonly CalledTool[];
  /** `digest` and `none` leave only names. */
  kept: 'full' | 'digest' | 'none';
};

type Message = {
  role?: string;
  content?: unknown;
  tool_call_id?: string;
  tool_calls?: { id?: string; function?: { name?: string; arguments?: string } }[];
};

/**
 * The tools of one call: offered with the request, called by the answer, and what came back. Where the caller runs the
 * tools, a result is seen only when a later request of the run brings it; those run here have spans.
 *
 * @param run receipts and spans of the same run
 */
export function exchangeOf(
  receipt: ReceiptWithContents,
  run: Pick<RunDetail, 'receipts' | 'spans'>,
): ToolExchange {
  const request = requestOf(receipt);
  const answer = answerOf(receipt);
  const { toolsOffered, toolsCalled } = receipt.proof;
  const tools = request.kind === 'full' ? listOf<Offer>(request.value['tools']) : [];
  const results = new Map([
    ...run.receipts.flatMap((one) => [...resultsIn(messagesOf(one))]),
    ...run.spans
      .filter((span) => fieldOf(span, 'result') !== undefined)
      .map((span) => [String(fieldOf(span, 'callId')), fieldOf(span, 'result')] as const),
  ]);
  const own = messagesOf(receipt);
  const ownResults = resultsIn(own);
  return {
    offered: toolsOffered.map((name) => {
      const found = tools.find((tool) => tool.function?.name === name)?.function;
      return { name, description: found?.description ?? null, parameters: found?.parameters };
    }),
    called:
      answer.kind === 'full'
        ? answer.value.toolCalls.map((call) => ({ ...call, result: resultFor(results, call.id) }))
        : toolsCalled.map((name) => ({ id: '', name, arguments: '', result: { given: false } })),
    brought: own
      .flatMap(({ tool_calls }) => tool_calls ?? [])
      .map(({ id = '', function: called }) => ({
        id,
        name: called?.name ?? '',
        arguments: called?.arguments ?? '',
        result: resultFor(ownResults, id),
      })),
    kept: request.kind === 'full' ? 'full' : answer.kind,
  };
}

type Offer = { function?: { name?: string; description?: string; parameters?: unknown } };

function messagesOf(receipt: ReceiptWithContents): readonly Message[] {
  const request = requestOf(receipt);
  return request.kind === 'full' ? listOf<Message>(request.value.messages) : [];
}

function resultsIn(messages: readonly Message[]): Map<string, unknown> {
  const given = messages.filter(({ role }) => role === 'tool');
  return new Map(given.map(({ tool_call_id, content }) => [tool_call_id ?? '', content]));
}

function resultFor(results: ReadonlyMap<string, unknown>, id: string): CalledTool['result'] {
  return results.has(id) ? { given: true, value: results.get(id) } : { given: false };
}

function listOf<Item>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value : [];
}
