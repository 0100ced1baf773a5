import type { Settings } from '../../config/settings.ts';
import type { Breakers } from '../../inference/breaker.ts';
import type { Plan } from '../../inference/plan.ts';
import type { Exclusion } from '../../inference/receipt.ts';
import { type Html, html } from './html.ts';
import { reasonWords, tierMark } from './words.ts';

export type NamedPlan = { model: string; plan: Plan };

/** The plans as ladders: who is asked first, who next, and on each closed rung why. */
export function planSection(plans: readonly NamedPlan[], settings: Settings, breakers: Breakers): Html {
  const ladders = [...groupAlike(plans)].map(([, alike]) => ladder(alike, breakers));
  return html`<section id="plan" aria-labelledby="plan-title">
<h2 id="plan-title">Who would serve a call now</h2>
<div class="ladders">${ladders}</div>
${settings.deployments.length === 0 ? CONNECT : ''}
</section>`;
}

/** Names with the same plan share a ladder; ten roles on one chain are one thing to read. */
function groupAlike(plans: readonly NamedPlan[]): Map<string, NamedPlan[]> {
  const groups = new Map<string, NamedPlan[]>();
  for (const named of plans) {
    const { candidates, excluded, label } = named.plan;
    const key = JSON.stringify([label, candidates.map((one) => one.deployment), excluded]);
    groups.set(key, [...(groups.get(key) ?? []), named]);
  }
  return groups;
}

function ladder(alike: readonly NamedPlan[], breakers: Breakers): Html {
  const [first] = alike;
  if (first === undefined) return html``;
  const { label, candidates, excluded } = first.plan;
  const rungs = candidates.map(
    ({ tier, deployment, model }, at) => html`<li>${tierMark(tier)}<span class="tier ${tier}">${tier}</span>
<span class="who"><code>${tier === 'simulation' ? model : deployment}</code>${tier === 'simulation' || model === deployment ? '' : html` <span class="muted">as <code>${model}</code></span>`}</span>
<span class="step">${stepWords(at, tier, candidates.length)}</span></li>`,
  );
  const closed = excluded.map(
    (
      exclusion,
    ) => html`<li class="closed">${tierMark(exclusion.tier)}<span class="tier">${exclusion.tier}</span>
<span class="who"><code>${exclusion.deployment}</code></span>
<span class="step why">closed: ${closedWords(exclusion, breakers)}</span></li>`,
  );
  const nobody = html`<li>${tierMark('none')}<span class="tier none">nobody</span>
<span class="who">the call fails with <code>no_candidate</code></span><span class="step"></span></li>`;
  const names = alike.map(({ model }) => html`<code>${model}</code> `);
  return html`<div class="ladder"><h3><span class="names">${names}</span><span class="label">${label}</span></h3>
<ol>${candidates.length === 0 ? nobody : rungs}${closed}</ol></div>`;
}

function stepWords(at: number, tier: string, count: number): string {
  if (tier === 'simulation' && count > 1) return 'the floor: when all fail';
  if (at > 0) return 'then, when that fails';
  return tier === 'simulation' ? 'deterministic text, no model' : 'asked first';
}

function closedWords(exclusion: Exclusion, breakers: Breakers): string {
  const view = breakers.view(exclusion.deployment);
  if (exclusion.reason !== 'breaker_open' || view.state !== 'open') return reasonWords(exclusion);
  return `${reasonWords(exclusion)} until ${new Date(view.until).toISOString().slice(11, 19)} UTC`;
}

const CONNECT = html`<details class="connect"><summary>Connect a model</summary>
<p>Put this into <code>tiercel.yaml</code> and start again. It names an Ollama on this machine; any OpenAI-compatible address does.</p>
<pre tabindex="0">mode: local
deployments:
  - id: ollama
    tier: local
    baseUrl: http://127.0.0.1:11434/v1
    model: llama3.2:3b
defaults: { local: [ollama] }</pre></details>`;
