import type { Receipt } from '../../inference/receipt.ts';
import { type Html, html } from './html.ts';
import { agoWords, countWords, durationWords, shortId, spoken, tierMark } from './words.ts';

/** The last receipts, newest first. The script replaces the rows when the page is asked for again. */
export function receiptsSection(receipts: readonly Receipt[], now: number): Html {
  const rows = receipts.map((receipt) => row(receipt, now));
  return html`<section id="receipts" aria-labelledby="receipts-title">
<div class="head"><h2 id="receipts-title">What happened to the last calls</h2><button type="button" id="new" hidden></button></div>
<table><thead><tr><th scope="col">Time</th><th scope="col">Asked</th><th scope="col">Served by</th><th scope="col">Fallback</th><th scope="col">Outcome</th><th scope="col" class="number">Tokens</th><th scope="col" class="number">Duration</th><th scope="col">Receipt</th></tr></thead>
<tbody id="rows">${rows.length > 0 ? rows : EMPTY}</tbody></table>
</section>`;
}

function row(receipt: Receipt, now: number): Html {
  const { id, startedAt, requested, served, fallbackReason, usage, durationMs } = receipt;
  const tokens = usage.inputTokens + usage.outputTokens;
  const counted = usage.source === 'reported' ? '' : ` (${usage.source})`;
  return html`<tr data-id="${id}">
<td class="time"><time datetime="${startedAt}" title="${startedAt}">${agoWords(startedAt, now)}</time></td>
<td class="asked"><code>${requested}</code></td>
<td class="served">${tierMark(served?.tier ?? 'none')}${served ? servedWords(served) : html`<span class="none">nobody</span>`}</td>
<td class="fallback">${fallbackReason ? html`<span class="amber">${spoken(fallbackReason)}</span>` : html`<span class="muted">none</span>`}</td>
<td class="outcome">${outcomeWords(receipt)}</td>
<td class="number tokens" title="${usage.inputTokens} in, ${usage.outputTokens} out${counted}">${countWords(tokens)}</td>
<td class="number duration">${durationWords(durationMs)}</td>
<td class="receipt"><a href="/api/receipts/${id}?contents=true" data-receipt="${id}" title="${id}">${shortId(id)}</a></td>
</tr>`;
}

function servedWords({ tier, deployment, model }: NonNullable<Receipt['served']>): Html {
  if (tier === 'simulation') return html`<span class="simulation">simulation</span>`;
  return html`<span class="${tier}">${tier}</span> <code>${deployment}</code> <span class="muted model"><code>${model}</code></span>`;
}

function outcomeWords({ outcome, errorCode }: Receipt): Html {
  if (outcome === 'ok') return html`ok`;
  const tone = outcome === 'error' ? 'none' : 'amber';
  return html`<span class="${tone}" title="${errorCode ?? ''}">${outcome === 'error' && errorCode ? spoken(errorCode) : outcome}</span>`;
}

const EMPTY = html`<tr class="empty"><td colspan="8">No calls yet. Send one above, or from a terminal; its receipt appears here.</td></tr>`;
