import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { CHAT, hello, post } from './gateway-request.ts';

const executablePath = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
  .filter((path) => path !== undefined)
  .find((path) => existsSync(path));
const required = process.env['TIERCEL_REQUIRE_CHROMIUM'] !== undefined;

if (executablePath === undefined && !required) {
  process.stderr.write(
    'LEFT OUT: the start page in a browser, because no Chromium was found. Set CHROMIUM to its path.\n',
  );
}

const SIZES = [
  [1280, 800],
  [390, 844],
] as const;
const LOOKS = SIZES.flatMap(([width, height]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, height, colorScheme })),
);

describe.skipIf(executablePath === undefined && !required)('the start page in a browser', () => {
  let browser: Browser;
  let upstream: FaultyUpstream;
  let gateway: OpenGateway;
  let page: Page;
  let requested: string[];
  let complaints: string[];

  beforeAll(async () => {
    upstream = await startFaultyUpstream();
    const base = { baseUrl: upstream.baseUrl, auth: { type: 'none' } } as const;
    gateway = await openGateway({
      mode: 'live',
      routing: 'cloud_first',
      limits: { retriesPerTarget: 0 },
      breaker: { failures: 1000 },
      deployments: [
        { ...base, id: 'cloud', tier: 'live', model: 'status-503' },
        { ...base, id: 'ollama', tier: 'local', model: 'ok' },
        { ...base, id: 'parrot', tier: 'local', model: 'echo' },
        { ...base, id: 'keyless', tier: 'live', auth: { type: 'api_key', env: 'NO_KEY' }, model: 'x' },
      ],
      defaults: { live: ['cloud', 'keyless'], local: ['ollama'] },
      roles: { narrator: { simulator: true } },
    });
    browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway.close();
    await upstream.close();
  });
  beforeEach(() => {
    requested = [];
    complaints = [];
  });
  afterEach(async () => {
    await page.close();
    expect(complaints).toEqual([]);
  });

  async function visit(url: string, { width, height, colorScheme }: (typeof LOOKS)[number]): Promise<void> {
    page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
    page.on('request', (request) => requested.push(new URL(request.url()).origin));
    page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
  }

  const wide = { width: 1280, height: 800, colorScheme: 'light' } as const;

  async function violations(): Promise<string[]> {
    const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    // Evaluated by the debugger, which the page's own policy does not bind.
    await page.evaluate(source);
    const found = await page.evaluate('axe.run({ resultTypes: ["violations"] })');
    const { violations } = found as {
      violations: { id: string; impact: string; nodes: { html: string }[] }[];
    };
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  it.each(LOOKS)('is accessible and fits at $width pixels, $colorScheme', async (look) => {
    await post(gateway.url, CHAT, hello('auto'));
    await post(gateway.url, CHAT, hello('cloud'));
    await visit(gateway.url, look);
    expect(await violations()).toEqual([]);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(look.width);
    expect(new Set(requested)).toEqual(new Set([gateway.url]));
  });

  it('tells each tier by shape and word, and why a rung is closed', async () => {
    await visit(gateway.url, wide);
    const plan = await page.textContent('#plan');
    expect(plan).toMatch(/●\s*live\s+cloud/);
    expect(plan).toMatch(/■\s*local\s+ollama/);
    expect(plan).toMatch(/◆\s*simulation/);
    expect(plan).toContain('closed: its key is not set');
  });

  it('sends a request by keyboard and shows answer, fallback and receipt', async () => {
    await visit(gateway.url, wide);
    await page.selectOption('#model', 'auto');
    await page.fill('#prompt', 'Say hello');
    await page.press('#prompt', 'Control+Enter');
    await page.waitForSelector('#result .summary');
    const result = await page.textContent('#result');
    expect(result).toContain('The upstream is well');
    expect(result).toMatch(/■\s*local/);
    expect(result).toContain('fell back: upstream unavailable');

    await page.focus('#result a[data-receipt]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    expect(await page.textContent('#dialog-text')).toContain('"Say hello"');
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.isVisible('dialog')).toBe(false);
  });

  it('shows an error with its code, its reason and its receipt', async () => {
    await visit(gateway.url, wide);
    await page.selectOption('#model', 'cloud');
    await page.click('#ask button');
    await page.waitForSelector('#result a[data-receipt]');
    expect(await page.textContent('#result')).toMatch(/▲\s*upstream_unavailable .*cloud/);
    expect(complaints.splice(0)).toEqual([expect.stringContaining('502')]);
  });

  it('takes new rows in without moving anything', async () => {
    await visit(gateway.url, wide);
    await page.evaluate(`
      shifts = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) shifts += entry.value; })
        .observe({ type: 'layout-shift', buffered: true });`);
    const before = await page.getAttribute('#rows tr', 'data-id');
    await page.mouse.move(5, 5);
    for (let at = 0; at < 30; at++) await post(gateway.url, CHAT, hello('ollama'));
    await page.waitForSelector(`#rows tr:first-child:not([data-id="${before}"])`);
    expect(await page.evaluate('shifts')).toBeLessThan(0.01);
  });

  it('keeps new rows behind a button while somebody is reading', async () => {
    await visit(gateway.url, wide);
    const before = await page.getAttribute('#rows tr', 'data-id');
    await page.focus('#rows a');
    await post(gateway.url, CHAT, hello('ollama'));
    await page.waitForSelector('#new:not([hidden])');
    expect(await page.textContent('#new')).toBe('Show 1 new');
    expect(await page.getAttribute('#rows tr', 'data-id')).toBe(before);
    await page.click('#new');
    expect(await page.getAttribute('#rows tr', 'data-id')).not.toBe(before);
  });

  it('has an empty state that says what to do', async () => {
    const fresh = await openGateway({});
    await visit(fresh.url, wide);
    expect(await page.textContent('#rows')).toContain('No calls yet');
    expect(await page.textContent('#plan')).toContain('Connect a model');
    expect(await violations()).toEqual([]);
    await fresh.close();
  });

  it('asks for a key where one is needed, and refuses a wrong one', async () => {
    const locked = await openGateway({ server: { auth: 'required' } });
    const { key } = await locked.runtime.keys.create({ name: 'k', principal: 'k', admin: false });
    await visit(locked.url, wide);
    expect(await violations()).toEqual([]);
    await page.fill('#key', 'tcl_wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#unlock-problem:not(:empty)');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
    await page.fill('#key', key);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#ask');
    await page.click('#ask button');
    await page.waitForSelector('#result .summary');
    await page.waitForSelector('#rows tr[data-id]');
    await locked.close();
  });

  it('shows what was asked and answered as text, never as markup', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    await visit(gateway.url, wide);
    await page.fill('#prompt', evil);
    await page.selectOption('#model', 'parrot');
    await page.click('#ask button');
    await page.waitForSelector('#result .summary');
    expect(await page.textContent('#result')).toContain(evil);
    expect(await page.locator('img').count()).toBe(0);
  });
});
