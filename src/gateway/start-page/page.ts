import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Settings } from '../../config/settings.ts';
import type { Breakers } from '../../inference/breaker.ts';
import type { Receipt } from '../../inference/receipt.ts';
import { VERSION } from '../version.ts';
import { type Html, html } from './html.ts';
import { type NamedPlan, planSection } from './plan-section.ts';
import { receiptsSection } from './receipts-section.ts';
import { sendSection } from './send-section.ts';
import { spoken, tierMark } from './words.ts';

/** What the page shows. */
export type PageContent = {
  settings: Settings;
  breakers: Breakers;
  plans: readonly NamedPlan[];
  models: readonly string[];
  receipts: readonly Receipt[];
  url: string;
  /** Whether the local user needs no key. */
  keyless: boolean;
  database: 'embedded' | 'postgres';
};

const STYLE = ['base.css', 'sections.css', 'narrow.css'].map(readAsset).join('\n');
const SCRIPT = readAsset('script.mjs');

/** Only this page's own style and script run, and only this server is talked to. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${hashSource(STYLE)}`,
  `script-src ${hashSource(SCRIPT)}`,
  "connect-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

function readAsset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** The page of whoever may see it. */
export function renderPage(content: PageContent): string {
  const { settings, breakers, plans, models, receipts, url, keyless } = content;
  return renderDocument(
    statusStrip(content),
    html`${runningSection(content)}
<div class="columns">${planSection(plans, settings, breakers)}${sendSection(models, url, keyless)}</div>
${receiptsSection(receipts, Date.now())}`,
  );
}

/** The page of whoever is still to say who they are. */
export function renderKeyPage(): string {
  return renderDocument(
    html`<span class="muted">locked</span>`,
    html`<section id="locked" aria-labelledby="key-title">
<h2 id="key-title">This server needs an API key</h2>
<form id="unlock"><label for="key">API key</label>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" required placeholder="tcl_…">
<div class="actions"><button type="submit" class="primary">Show page</button></div>
<p id="unlock-problem" class="none" role="alert"></p>
<p class="muted">The key stays in this tab. Make one with <code>tiercel keys create --name &lt;name&gt;</code>.</p></form></section>`,
  );
}

function renderDocument(strip: Html, main: Html): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tiercel</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"><style>${{ html: STYLE }}</style></head>
<body><header><h1>Tiercel</h1><div id="strip">${strip}</div><span class="version muted">${VERSION}</span></header>
<main>${main}</main>
<dialog id="dialog" aria-labelledby="dialog-title"><div class="head"><h2 id="dialog-title">Receipt</h2>
<button type="button" data-copy="dialog-text">Copy</button><button type="button" id="dialog-close">Close</button></div>
<pre id="dialog-text" tabindex="0"></pre></dialog>
<noscript><p class="noscript">The form and the refresh need JavaScript; the call for a terminal does not.</p></noscript>
<script type="module">${{ html: SCRIPT }}</script></body></html>
`.html;
}

function statusStrip({ settings, plans, breakers }: PageContent): Html {
  const { deployments, floor } = settings;
  const label = plans.find(({ model }) => model === 'auto')?.plan.label ?? 'none';
  const tiers = (['live', 'local'] as const).map((tier) => {
    const own = deployments.filter((one) => one.tier === tier);
    const open = own.filter(({ id }) => breakers.view(id).state === 'open').length;
    const words = own.length === 0 ? 'not configured' : `${own.length} configured`;
    return html`<span class="state">${tierMark(tier)}<span class="${tier}">${tier}</span> ${words}${open > 0 ? html` <span class="amber">${open} open breaker</span>` : ''}</span>`;
  });
  return html`${tiers}<span class="state">${tierMark('simulation')}<span class="simulation">simulation</span> floor: ${floor}</span><span class="state label">${label}</span>`;
}

function runningSection({ settings, url, keyless, plans, database }: PageContent): Html {
  const { mode, routing, content, dataDir } = settings;
  const auto = plans.find(({ model }) => model === 'auto')?.plan.candidates ?? [];
  const chain = auto.map(
    ({ tier, deployment }, at) => html`${at > 0 ? ', then ' : ''}${tierMark(tier)}<code>${deployment}</code>`,
  );
  const store =
    database === 'embedded' ? html`the embedded database in <code>${dataDir}</code>` : html`PostgreSQL`;
  const kept = {
    full: 'with what was asked and answered',
    digest: 'with digests of what was asked and answered',
    off: 'without what was asked and answered',
  }[content];
  return html`<section id="running" aria-label="What is running"><dl>
<dt>Listening</dt><dd>Any OpenAI client: base URL <code>${url}/v1</code>, ${keyless ? 'no key needed on this machine' : 'an API key is needed'}.</dd>
<dt>Serving</dt><dd>Mode ${mode}, routing ${spoken(routing)}: <code>auto</code> goes to ${auto.length > 0 ? chain : html`<span class="none">nobody</span>`}.</dd>
<dt>Recording</dt><dd>A receipt for every call in ${store}, ${kept}.</dd>
</dl></section>`;
}
