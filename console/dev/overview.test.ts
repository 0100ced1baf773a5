import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleBrowser, openConsole, withoutBrowser } from './browser.ts';

describe.skipIf(withoutBrowser)('the overview and the frame', () => {
  let console: ConsoleBrowser;
  let page: Page;

  beforeAll(async () => {
    console = await openConsole();
  });
  afterEach(() => page?.close());
  afterAll(() => console?.close());

  it('tells what serves and why the rest does not', async () => {
    ({ page } = await console.visit((await console.serve()).url));
    const plan = page.getByRole('region', { name: 'What serves now, and why?' }).getByRole('listitem');
    await expect.poll(() => plan.allTextContents()).toHaveLength(4);
    const [first, , third, fourth] = await plan.allTextContents();
    expect(first).toMatch(/ollama.*serves now/);
    expect(third).toMatch(/llama-server.*breaker open/);
    expect(fourth).toMatch(/foundry-spare.*not configured/);
  });

  it('reads a minute of a chart by the arrow keys', async () => {
    ({ page } = await console.visit((await console.serve()).url));
    const chart = page.getByRole('slider', { name: 'Who served the last 15 minutes?' });
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/^\d\d:\d\d: \d+ /);
  });

  it('sends a first request and shows its receipt until the reader leaves', async () => {
    ({ page } = await console.visit((await console.serve({ size: 0 })).url));
    await page.getByRole('button', { name: 'Send a request' }).click();
    await page.getByText('Attempts, in order').waitFor();
    await page.getByRole('button', { name: 'Inspect the run' }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await page.getByRole('heading', { name: /^Run/ }).waitFor();
  });

  it('breaks the upstream and lands in the run that fell back', async () => {
    ({ page } = await console.visit((await console.serve({ size: 0 })).url));
    await page.getByRole('button', { name: 'Break the upstream' }).click();
    await page.waitForURL(/\/runs\//);
    await page.getByText('fell back: unavailable').first().waitFor();
  });

  it('leads from the first page to the deployments in Settings', async () => {
    ({ page } = await console.visit((await console.serve({ size: 0 })).url));
    await page.getByRole('link', { name: 'Connect a model' }).click();
    await page.waitForURL(/\/settings#deployments$/);
  });

  it('goes from page to page by two keys and lists them under ?', async () => {
    ({ page } = await console.visit((await console.serve()).url));
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.waitForURL(/\/runs$/);
    await page.getByRole('grid', { name: 'Runs' }).waitFor();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(await sheet.textContent()).toMatch(/Search runs.*Overview/);
    await page.keyboard.press('Escape');
    await expect.poll(() => sheet.isVisible()).toBe(false);
  });

  it('says that the server is gone, and comes back by itself', async () => {
    const fixture = await console.serve();
    ({ page } = await console.visit(fixture.url));
    await page.getByText('following', { exact: true }).waitFor();
    await page.route('**/api/overview*', (route) => route.abort());
    await page.getByText('The server does not answer').waitFor({ timeout: 20_000 });
    await page.unroute('**/api/overview*');
    await page.getByText('hybrid').first().waitFor({ timeout: 20_000 });
  }, 50_000);

  it.each(['/', '/runs'])(
    'moves nothing on %s while 50 events come each second',
    async (path) => {
      ({ page } = await console.visit((await console.serve({ rate: 10 })).url + path));
      await page.getByText('following', { exact: true }).waitFor();
      await page.waitForTimeout(500);
      await page.evaluate(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value;
      }).observe({ type: 'layout-shift' });
    `);
      await page.waitForTimeout(4_000);
      expect(await page.evaluate('window.shift')).toBeLessThan(0.01);
    },
    30_000,
  );
});
