import type { Attempt, Exclusion, Receipt, Usage } from '../../inference/receipt.ts';
import type { ReceiptWithContents } from '../../runtime/receipts.ts';
import type { Paint } from '../output.ts';
import { type Cell, toTable } from './table.ts';
import { tierCell } from './tier.ts';
import { toDuration, toLocalTime } from './units.ts';

/** The line under an answer: tier, deployment, model, fallback reason, duration, tokens, receipt id. */
export function toReceiptLine(receipt: Receipt, paint: Paint): string {
  const { served, outcome, errorCode, fallbackReason, durationMs, usage, id } = receipt;
  const { text, style } = tierCell(served && outcome === 'ok' ? served.tier : 'failed');
  const facts = [
    served && outcome !== 'ok' ? served.tier : undefined,
    served?.deployment,
    served?.model,
    outcome === 'ok' ? undefined : outcome,
    errorCode,
    fallbackReason && `fell back: ${fallbackReason}`,
    toDuration(durationMs),
    toTokens(usage),
    id,
  ];
  return `${paint(style, text)} ${paint('dim', facts.filter(Boolean).join(' · '))}`;
}

/** A receipt as people read it: who served and why, what was tried, what was left out, what it took. */
export function toReceiptText(receipt: ReceiptWithContents, paint: Paint): string {
  const { served, contents } = receipt;
  const head: Cell[][] = [
    ['receipt', { text: receipt.id, style: 'bold' }],
    ['outcome', receipt.outcome === 'ok' ? 'ok' : { text: failureOf(receipt), style: 'red' }],
    ['served by', tierCell(served?.tier ?? 'failed')],
    ...(served ? [['', `${served.deployment}, model ${served.model} (${served.provider})`]] : []),
    ['why', whyOf(receipt)],
    ['asked for', `${receipt.requested}, ${receipt.kind}${receipt.streamed ? ', streamed' : ''}`],
    ['by', receipt.principal],
    ['at', `${toLocalTime(receipt.startedAt)}, ${timesOf(receipt)}`],
    ['usage', toTokens(receipt.usage)],
    ['cost', costOf(receipt)],
    ...proofRows(receipt),
    ['trace', receipt.traceId],
  ];
  const parts = [toTable(head, paint)];
  if (receipt.attempts.length > 0) parts.push(`attempts\n${toAttempts(receipt.attempts, paint)}`);
  if (receipt.excluded.length > 0) parts.push(`left out\n${toExclusions(receipt.excluded, paint)}`);
  if (contents?.request) parts.push(`request\n${indentJson(contents.request)}`);
  if (contents?.answer) parts.push(`answer\n${indentJson(contents.answer)}`);
  return parts.join('\n\n');
}

/** One receipt a line, newest first. */
export function toReceiptList(receipts: readonly Receipt[], paint: Paint): string {
  return toTable(
    receipts.map((receipt) => [
      receipt.id,
      toLocalTime(receipt.startedAt),
      tierCell(receipt.served?.tier ?? 'failed'),
      receipt.requested,
      receipt.served?.deployment ?? receipt.errorCode ?? '',
      receipt.outcome,
      toDuration(receipt.durationMs),
      toTokens(receipt.usage),
    ]),
    paint,
  );
}

export function toExclusions(excluded: readonly Exclusion[], paint: Paint): string {
  return toTable(
    excluded.map(({ deployment, tier, reason }) => [tierCell(tier), deployment, reason]),
    paint,
    '  ',
  );
}

function toAttempts(attempts: readonly Attempt[], paint: Paint): string {
  const rows = attempts.map((attempt, index): Cell[] => {
    const { tier, deployment, model, outcome, errorCode, httpStatus } = attempt;
    const failure = [errorCode, httpStatus && `HTTP ${httpStatus}`].filter(Boolean).join(', ');
    return [
      String(index + 1),
      tierCell(tier),
      deployment,
      model,
      outcome === 'served' ? outcome : { text: outcome, style: 'red' },
      timesOf(attempt),
      [failure, attempt.repairs.length > 0 ? `repaired: ${attempt.repairs.join(', ')}` : '']
        .filter(Boolean)
        .join('; '),
    ];
  });
  return toTable(rows, paint, '  ');
}

function failureOf({ outcome, errorCode }: Receipt): string {
  return errorCode ? `${outcome}, ${errorCode}` : outcome;
}

function whyOf({ mode, routing, label, fallbackReason }: Receipt): string {
  const plan = `mode ${mode}, routing ${routing}: the plan was ${label}`;
  return fallbackReason ? `${plan}; fell back: ${fallbackReason}` : plan;
}

function timesOf({
  headerMs,
  firstTokenMs,
  durationMs,
}: {
  headerMs?: number;
  firstTokenMs?: number;
  durationMs: number;
}) {
  const parts = [
    headerMs === undefined ? undefined : `header ${toDuration(headerMs)}`,
    firstTokenMs === undefined ? undefined : `first token ${toDuration(firstTokenMs)}`,
    `${toDuration(durationMs)} in all`,
  ];
  return parts.filter(Boolean).join(', ');
}

function toTokens({ inputTokens, outputTokens, reasoningTokens, source }: Usage): string {
  const reasoning = reasoningTokens ? ` (${reasoningTokens} reasoning)` : '';
  return `${inputTokens} in, ${outputTokens} out${reasoning}${source === 'reported' ? '' : ` ${source}`}`;
}

function costOf({ cost, served }: Receipt): string {
  if (cost) return `${cost.amount} ${cost.currency}, by the price in the settings`;
  return served && served.tier !== 'simulation' ? 'unknown: the deployment has no price' : 'none';
}

function proofRows({ proof, malformedEvents }: Receipt): Cell[][] {
  const rows: [string, string[]][] = [
    ['tools', proof.toolsOffered],
    ['called', proof.toolsCalled],
    ['retrieved', proof.retrievalHits],
    ['recalled', proof.memoryInjected],
    ['skipped', malformedEvents ? [`${malformedEvents} events that did not parse`] : []],
  ];
  return rows.filter(([, values]) => values.length > 0).map(([name, values]) => [name, values.join(', ')]);
}

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replace(/^/gm, '  ');
  } catch {
    return text.replace(/^/gm, '  ');
  }
}
