// The start page's script. The server renders every part; this asks for the page again and puts the new parts in place of
// the old ones, so that there is one renderer.

const SHAPES = { live: '●', local: '■', simulation: '◆', none: '▲' };
const REFRESH_MS = 2000;
const KEY = 'tiercel-key';

const byId = (id) => document.getElementById(id);

/** The key lives in this tab only, and goes to this server only. */
function authorization() {
  const key = sessionStorage.getItem(KEY);
  return key ? { authorization: `Bearer ${key}` } : {};
}

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

// Refresh

async function fetchPage() {
  const answer = await fetch('/', { headers: authorization() });
  if (!answer.ok) return { problem: (await answer.json()).error.message };
  return { page: new DOMParser().parseFromString(await answer.text(), 'text/html') };
}

function replacePart(page, id) {
  const [current, next] = [byId(id), page.getElementById(id)];
  if (current && next && current.innerHTML !== next.innerHTML) current.innerHTML = next.innerHTML;
}

let held = null;

/** Rows that somebody points at or stands in stay where they are; what is new waits behind a button. */
function isRead(rows) {
  return rows.matches(':hover') || rows.contains(document.activeElement);
}

function showRows(page) {
  const rows = byId('rows');
  const next = page.getElementById('rows');
  if (!rows || !next) return;
  const button = byId('new');
  if (!isRead(rows)) {
    rows.innerHTML = next.innerHTML;
    button.hidden = true;
    held = null;
    return;
  }
  const known = new Set([...rows.children].map((row) => row.dataset.id));
  const fresh = [...next.children].filter((row) => row.dataset.id && !known.has(row.dataset.id)).length;
  held = page;
  button.hidden = fresh === 0;
  button.textContent = `Show ${fresh} new`;
}

async function refresh() {
  const { page } = await fetchPage();
  if (!page?.getElementById('rows')) return;
  for (const id of ['strip', 'running']) replacePart(page, id);
  if (!byId('plan').contains(document.activeElement) && !byId('plan').querySelector('details[open]')) {
    replacePart(page, 'plan');
  }
  showRows(page);
}

async function keepFresh() {
  if (document.visibilityState === 'visible' && byId('rows') && !byId('dialog').open) {
    await refresh().catch(() => {});
  }
  setTimeout(keepFresh, REFRESH_MS);
}

// Send a request

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, useGrouping: false });

function durationWords(ms) {
  return ms < 1000 ? `${number.format(ms)} ms` : `${number.format(ms / 1000)} s`;
}

function receiptLink(id) {
  const link = element('a', '', `receipt ${id.slice(0, 4)}…${id.slice(-4)}`);
  link.href = `/api/receipts/${id}?contents=true`;
  link.dataset.receipt = id;
  return link;
}

function mark(tier) {
  const shape = element('span', `mark ${tier}`, SHAPES[tier]);
  shape.setAttribute('aria-hidden', 'true');
  return shape;
}

function summary(receipt) {
  const { served, usage, fallbackReason, durationMs } = receipt;
  const counted = usage.source === 'reported' ? '' : `, ${usage.source}`;
  const fallback = fallbackReason
    ? element('span', 'amber', `fell back: ${fallbackReason.replaceAll('_', ' ')}`)
    : element('span', '', 'no fallback');
  return element(
    'p',
    'summary',
    element('span', '', mark(served.tier), element('span', served.tier, served.tier)),
    element('code', '', served.model),
    element('span', '', durationWords(durationMs)),
    element('span', '', `${usage.inputTokens} in, ${usage.outputTokens} out tokens${counted}`),
    fallback,
    receiptLink(receipt.id),
  );
}

function failure({ message, code, receipt_id }) {
  const parts = [element('p', '', mark('none'), element('strong', 'none', code), ` ${message}`)];
  if (receipt_id) parts.push(element('p', 'summary', receiptLink(receipt_id)));
  return parts;
}

function answerText({ content, refusal, tool_calls }) {
  const text = element('div', 'answer', content ?? refusal ?? JSON.stringify(tool_calls, null, 2));
  text.tabIndex = 0;
  text.setAttribute('role', 'region');
  text.setAttribute('aria-label', 'Answer');
  return text;
}

async function send(form) {
  const result = byId('result');
  const button = form.querySelector('button');
  button.disabled = true;
  result.replaceChildren(element('p', 'muted', 'Sent. The answer is on its way.'));
  try {
    const answer = await fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tiercel-include': 'receipt', ...authorization() },
      body: JSON.stringify({
        model: form.model.value,
        messages: [{ role: 'user', content: form.prompt.value }],
      }),
    });
    const body = await answer.json();
    if (body.error) result.replaceChildren(...failure(body.error));
    else result.replaceChildren(answerText(body.choices[0].message), summary(body.tiercel));
  } catch {
    const message = 'The server did not answer. Check that it is still running.';
    result.replaceChildren(...failure({ code: 'No answer', message }));
  }
  button.disabled = false;
  await refresh().catch(() => {});
}

// Receipts and copying

async function showReceipt(id) {
  const answer = await fetch(`/api/receipts/${id}?contents=true`, { headers: authorization() });
  const receipt = await answer.json();
  const { contents } = receipt;
  // Kept as JSON text; shown as what it is.
  for (const part of ['request', 'answer']) {
    if (contents?.[part]?.startsWith('{') || contents?.[part]?.startsWith('[')) {
      contents[part] = JSON.parse(contents[part]);
    }
  }
  byId('dialog-title').textContent = `Receipt ${id}`;
  byId('dialog-text').textContent = JSON.stringify(receipt, null, 2);
  byId('dialog').showModal();
}

async function copy(button) {
  await navigator.clipboard.writeText(byId(button.dataset.copy).textContent);
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}

async function unlock() {
  const { page, problem } = await fetchPage();
  if (page?.getElementById('rows')) {
    document.querySelector('main').replaceChildren(...page.querySelector('main').childNodes);
    byId('strip').replaceChildren(...page.getElementById('strip').childNodes);
    return;
  }
  sessionStorage.removeItem(KEY);
  byId('unlock-problem').textContent = problem ?? 'This is not a Tiercel key; those begin with tcl_.';
}

document.addEventListener('submit', (event) => {
  event.preventDefault();
  if (event.target.id === 'ask') send(event.target);
  if (event.target.id === 'unlock') {
    sessionStorage.setItem(KEY, event.target.key.value.trim());
    unlock();
  }
});

document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target.id === 'prompt') {
    event.target.form.requestSubmit();
  }
});

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-receipt]');
  // A click with a modifier opens the receipt's JSON in a tab, as links do.
  if (link && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    showReceipt(link.dataset.receipt);
  }
  const button = event.target.closest('button');
  if (button?.dataset.copy) copy(button);
  if (button?.id === 'dialog-close') byId('dialog').close();
  if (button?.id === 'new' && held) {
    byId('rows').innerHTML = held.getElementById('rows').innerHTML;
    button.hidden = true;
    held = null;
  }
});

if (byId('unlock') && sessionStorage.getItem(KEY)) unlock();
keepFresh();
