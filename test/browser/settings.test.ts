import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { CHAT, hello, post, send } from '../e2e/gateway-request.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

const executablePath = process.env['CHROMIUM_PATH'];
if (executablePath === undefined) {
  process.stderr.write('LEFT OUT: Settings in a browser. Set CHROMIUM_PATH to the path of a Chromium.\n');
}

const SHOTS = 'test-results/console';
const LOOKS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
].flatMap((viewport) => (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })));
const WIDE = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } as const;

describe.skipIf(executablePath === undefined)('Settings in a browser', () => {
  let upstream: FaultyUpstream;
  let gateway: OpenGateway;
  let browser: Browser;
  let page: Page;
  let requested: Set<string>;
  let complaints: string[];

  beforeAll(async () => {
    if (!existsSync('dist/console/index.html')) throw new Error('The console is not built: npm run build');
    upstream = await startFaultyUpstream();
    const base = { baseUrl: upstream.baseUrl, auth: { type: 'none' } } as const;
    gateway = await openGateway({
      mode: 'live',
      routing: 'cloud_first',
      limits: { retriesPerTarget: 0 },
      deployments: [
        { ...base, id: 'cloud', tier: 'live', model: 'ok' },
        { ...base, id: 'ollama', tier: 'local', model: 'ok' },
        { ...base, id: 'broken', tier: 'local', model: 'status-503' },
      ],
      defaults: { live: ['cloud'], local: ['ollama'] },
      roles: { narrator: { local: ['ollama'] }, strategist: {} },
    });
    browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    await mkdir(SHOTS, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
    await upstream?.close();
  });
  beforeEach(() => {
    requested = new Set();
    complaints = [];
  });
  afterEach(async () => {
    await page.close();
    const stored = await gateway.runtime.history.current();
    const back = new Map([...stored.keys()].map((path) => [path, null]));
    if (back.size > 0) await gateway.runtime.changes.apply(back, 'cleaner');
    expect(complaints).toEqual([]);
  });

  async function visit(hash = '', look: (typeof LOOKS)[number] = WIDE, url = gateway.url): Promise<void> {
    page = await browser.newPage({
      ...look,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    page.on('request', (request) => requested.add(new URL(request.url()).origin));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (line) => {
      // A broken content policy is told of here; a refused request is looked at on the page instead.
      if (line.type() === 'error' && !line.text().startsWith('Failed to load')) complaints.push(line.text());
    });
    await page.goto(`${url}/settings${hash}`);
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const changes = () => page.getByRole('region', { name: 'Changes' });
  async function servedBy(model = 'auto'): Promise<string | undefined> {
    const { headers } = await post(gateway.url, CHAT, hello(model));
    const { json } = await send(gateway.url, { path: `/api/receipts/${headers['x-tiercel-receipt']}` });
    return (json as { served: { deployment: string } | null }).served?.deployment;
  }
  async function violations(): Promise<string[]> {
    // Evaluated by the debugger, which the page's own policy does not bind.
    await page.evaluate(
      await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    );
    const found = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as {
      violations: { id: string; impact: string; nodes: { html: string }[] }[];
    };
    return found.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  it.each(LOOKS)('is accessible, fits, and asks no other origin: %j', async (look) => {
    await visit('', look);
    await button('Test ollama').click();
    await page.getByText(/Answered in .*it serves ok/).waitFor();
    await field('Routing').selectOption('local_only');
    await changes().getByText('The next call of').first().waitFor();
    expect(await violations()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      look.viewport.width,
    );
    expect(await page.evaluate('document.documentElement.scrollTop')).toBe(0);
    await page.screenshot({
      path: `${SHOTS}/settings-${look.viewport.width}-${look.colorScheme}.png`,
    });
    expect([...requested]).toEqual([gateway.url]);
  });

  it('shows what a change of routing does, changes the next request by it, and takes it back', async () => {
    expect(await servedBy()).toBe('cloud');
    await visit();
    await field('Routing').selectOption('local_first');
    const plan = changes().getByRole('region', { name: /^Plan of auto/ });
    expect(await plan.getByRole('list', { name: 'before' }).textContent()).toMatch(/cloud[\s\S]*ollama/);
    expect(await plan.getByRole('list', { name: 'after' }).textContent()).toMatch(/ollama[\s\S]*cloud/);
    expect(await servedBy()).toBe('cloud');

    await button('Apply').click();
    await changes().getByText('In force from the next call on.').waitFor();
    await page.getByText(/^console, now by local/).waitFor();
    expect(await servedBy()).toBe('ollama');

    await button('Undo').click();
    await changes().waitFor({ state: 'detached' });
    expect(await field('Routing').inputValue()).toBe('cloud_first');
    expect(await servedBy()).toBe('cloud');
  });

  it('is changed by keyboard alone', async () => {
    await visit();
    await field('Routing').focus();
    await page.keyboard.press('ArrowUp');
    await changes().getByText('The next call of').first().waitFor();
    await button('Apply').focus();
    await page.keyboard.press('Enter');
    await changes().getByText('In force from the next call on.').waitFor();
    expect(gateway.runtime.settings.current().routing).toBe('local_first');
  });

  it('tells of a value that is not allowed at its field, and lets nothing be applied', async () => {
    await visit('#limits');
    await field('Total').fill('0');
    await page.getByText('0 is not allowed. Use a whole number from 1').waitFor();
    expect(await field('Total').getAttribute('aria-invalid')).toBe('true');
    expect(await button('Apply').isDisabled()).toBe(true);
    await field('Total').fill('9000');
    await changes().getByText('served as before').waitFor();
    await button('Apply').click();
    await changes().getByText('In force from the next call on.').waitFor();
    expect(gateway.runtime.settings.current().limits.totalMs).toBe(9000);
  });

  it('adds a deployment that was tested, lets it serve, edits it and removes it', async () => {
    await visit('#connect-ollama');
    await field('Id').fill('mine');
    await field('Base URL').fill(upstream.baseUrl);
    await field('Model').fill('nowhere');
    await button('Test').click();
    await page.getByText('but it does not list nowhere').waitFor();
    await field('Model').fill('ok');
    await button('Add deployment').click();
    await button('Remove mine').waitFor();
    expect(gateway.runtime.settings.current().defaults.local).toEqual(['ollama', 'mine']);
    expect(await servedBy('mine')).toBe('mine');

    await button('Edit mine').click();
    await field('Model').fill('status-503');
    await button('Save').click();
    await button('Edit mine').waitFor();
    expect(await servedBy('mine')).toBeUndefined();

    await button('Remove mine').click();
    await button('Remove mine').waitFor({ state: 'detached' });
    expect(gateway.runtime.settings.current().defaults.local).toEqual(['ollama']);
    expect(gateway.runtime.settings.current().deployments).toHaveLength(3);
  });

  it('shows the error of a target as it came', async () => {
    await visit('#connect-ollama');
    await field('Base URL').fill('http://127.0.0.1:1/v1');
    await field('Id').fill('closed');
    await button('Test').click();
    await page.getByText(/ECONNREFUSED.*upstream_unreachable/).waitFor();
  });

  it('never sends what looks like a key', async () => {
    await visit('#connect-foundry');
    const bodies: string[] = [];
    page.on('request', (request) => bodies.push(request.postData() ?? ''));
    await field('Base URL').fill('https://example.services.ai.azure.com/openai/v1');
    await field('Name of the variable').fill('sk-canary-4711');
    await button('Test').click();
    await button('Add deployment').click();
    await page.getByText('never the key itself').waitFor();
    await page.waitForTimeout(400);
    expect(bodies.join()).not.toContain('canary');
  });

  it('overrides the chain of a role', async () => {
    await visit('#roles');
    await button('Edit the local chain of strategist').click();
    await field('Add to the local chain of strategist').selectOption('broken');
    await button('Move broken up').click();
    await changes().getByText('role:strategist').waitFor();
    await button('Apply').click();
    await changes().getByText('In force from the next call on.').waitFor();
    const role = gateway.runtime.settings.current().roles.find(({ name }) => name === 'strategist');
    expect(role?.local).toEqual(['broken', 'ollama']);
  });

  it('shows an open breaker and closes it', async () => {
    for (let at = 0; at < 3; at++) await post(gateway.url, CHAT, hello('broken'));
    await visit('#deployments');
    await page.getByText('breaker open until').first().waitFor();
    await button('Reset breaker').click();
    await button('Reset breaker').waitFor({ state: 'detached' });
    expect(gateway.runtime.breakers.view('broken').state).toBe('closed');
  });

  it('lists who changed what, and undoes a change from there', async () => {
    await gateway.runtime.changes.apply(new Map([['floor', 'never']]), 'ada');
    const version = await gateway.runtime.history.latestVersion();
    await visit('#history');
    const row = page.getByRole('listitem').filter({ has: button(`Undo change ${version} of floor`) });
    expect(await row.textContent()).toMatch(/floor[\s\S]*never[\s\S]*by ada/);
    await button(`Undo change ${version} of floor`).click();
    await expect.poll(() => gateway.runtime.settings.current().floor).toBe('roles');
  });

  it('copies the environment and a test of what is on screen', async () => {
    await visit();
    await page.getByText('export TIERCEL_MODE=live').waitFor();
    await button('Copy env').click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toContain('TIERCEL_ROUTING=cloud_first');
    await button('Copy test').first().click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toContain(`curl -si ${gateway.url}/v1/`);
  });

  it('says why nothing is shown to who may not see it', async () => {
    const locked = await openGateway({ server: { auth: 'required' } });
    await visit('', WIDE, locked.url);
    await page.getByText('The settings could not be read').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('invalid_api_key');
    await locked.close();
  });
});
