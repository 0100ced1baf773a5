import { type Html, html } from './html.ts';

/** The form that really sends, the place of its answer, and the same call for a terminal. */
export function sendSection(models: readonly string[], url: string, keyless: boolean): Html {
  const options = models.map((name) => html`<option value="${name}">${name}</option>`);
  return html`<section id="send" aria-labelledby="send-title">
<h2 id="send-title">Send a request</h2>
<form id="ask">
<div class="fields"><label for="model">Model</label><select id="model" name="model">${options}</select></div>
<label for="prompt">Message</label>
<textarea id="prompt" name="prompt" rows="2" required>${EXAMPLE}</textarea>
<div class="actions"><button type="submit" class="primary">Send request</button><span class="muted">Ctrl + Enter</span></div>
</form>
<div id="result" role="status">
<p class="muted">The answer and its receipt appear here.</p>
</div>
<div class="head"><h3 id="curl-title">From a terminal</h3><button type="button" data-copy="curl">Copy</button></div>
<pre id="curl" tabindex="0" aria-labelledby="curl-title">${curl(url, keyless)}</pre>
</section>`;
}

const EXAMPLE = 'Plan a launch for a bike repair shop';

function curl(url: string, keyless: boolean): string {
  const key = keyless ? '' : `  -H "authorization: Bearer $TIERCEL_API_KEY" \\\n`;
  const body = JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: EXAMPLE }] });
  return `curl -i ${url}/v1/chat/completions \\\n  -H 'content-type: application/json' \\\n${key}  -d '${body}'`;
}
