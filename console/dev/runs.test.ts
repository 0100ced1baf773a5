import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleBrowser, openConsole, withoutBrowser } from './browser.ts';
import { addAnyRun } from './fixtures/world.ts';

describe.skipIf(withoutBrowser)('the list of runs', () => {
  let console: ConsoleBrowser;
  let page: Page;

  beforeAll(async () => {
    console = await openConsole();
  });
  afterEach(() => page?.close());
  afterAll(() => console?.close());

  const grid = () => page.getByRole('grid', { name: 'Runs' });
  const firstRow = () => grid().getByRole('row').nth(1).textContent();

  it('shows a new run at once at the top', async () => {
    const fixture = await console.serve();
    ({ page } = await console.visit(`${fixture.url}/runs`));
    await page.getByText('following', { exact: true }).waitFor();
    await grid().waitFor();
    const made = addAnyRun(fixture.world);
    fixture.tell(made.events);
    await expect.poll(firstRow, { timeout: 3_000 }).toContain(made.run.id.slice(-4));
  });

  it('keeps new runs behind a button while the list is read', async () => {
    const fixture = await console.serve();
    ({ page } = await console.visit(`${fixture.url}/runs`));
    await page.getByText('following', { exact: true }).waitFor();
    await grid().hover();
    await page.mouse.wheel(0, 640);
    await page.waitForURL(/row=\d+/);
    const row = grid().getByRole('row', { selected: false }).nth(8);
    const before = [await row.textContent(), (await row.boundingBox())?.y];
    for (let made = 0; made < 3; made++) fixture.tell(addAnyRun(fixture.world).events);
    const button = page.getByRole('button', { name: '3 new' });
    await button.waitFor();
    expect([await row.textContent(), (await row.boundingBox())?.y]).toEqual(before);
    await button.click();
    await expect.poll(() => button.isVisible()).toBe(false);
  });

  it('keeps filter, place and selection in the URL', async () => {
    const { url, world } = await console.serve();
    ({ page } = await console.visit(`${url}/runs`));
    await page.getByRole('combobox', { name: 'Tier' }).selectOption('local');
    await page.waitForURL(/tier=local/);
    await grid().focus();
    for (const key of ['PageDown', 'PageDown', 'PageDown', 'ArrowDown']) await page.keyboard.press(key);
    await page.waitForURL(/row=\d+/);
    const chosen = new URL(page.url()).searchParams.get('selected');
    expect(world.runs.find(({ run }) => run.id === chosen)?.run.served?.tier).toBe('local');
    await page.reload();
    const selected = grid().getByRole('row', { selected: true });
    await selected.waitFor();
    expect(await selected.textContent()).toContain(chosen?.slice(-4));
    await grid().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/runs/${chosen}`));
    await page.goBack();
    await selected.waitFor();
  });

  it('fetches page after page as it is scrolled', async () => {
    const { url } = await console.serve();
    ({ page } = await console.visit(`${url}/runs`));
    await grid().focus();
    await page.keyboard.press('End');
    await expect
      .poll(
        async () => {
          await page.keyboard.press('End');
          return Number(await grid().getAttribute('aria-rowcount'));
        },
        { timeout: 8_000 },
      )
      .toBeGreaterThan(400);
  });

  it('searches, and says when nothing matches', async () => {
    ({ page } = await console.visit(`${(await console.serve()).url}/runs`));
    await grid().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('no such thing');
    await page.getByRole('heading', { name: 'No run matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await grid().waitFor();
  });
});
