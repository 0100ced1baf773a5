import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleBrowser, openConsole, withoutBrowser } from './browser.ts';
import type { Fixture } from './fixture-server.ts';
import { runPath } from './screens.ts';

describe.skipIf(withoutBrowser)('the inspector', () => {
  let console: ConsoleBrowser;
  let fixture: Fixture;
  let page: Page;

  beforeAll(async () => {
    console = await openConsole();
    fixture = await console.serve();
  });
  afterEach(() => page?.close());
  afterAll(() => console?.close());

  async function open(story: Parameters<typeof runPath>[1], search = ''): Promise<void> {
    ({ page } = await console.visit(fixture.url + runPath(fixture.world, story) + search));
    await page.getByRole('region', { name: 'Events' }).getByRole('listitem').first().waitFor();
  }
  const steps = () => page.getByRole('listbox', { name: 'Steps of the run' });
  const chosenStep = () => steps().getByRole('option', { selected: true });

  it('draws retries on one line and says why the next target was asked', async () => {
    await open('fellBack');
    expect(await steps().getByRole('option').count()).toBe(3);
    const retried = steps().getByRole('option', { name: /^attempt ollama/ });
    expect(await retried.textContent()).toContain('503 unavailable → retry → 503 unavailable');
    await page.getByText('fell back: unavailable').first().waitFor();
  });

  it('chooses the same thing in every pane', async () => {
    await open('withTools');
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosenStep().textContent()).toMatch(/^tool recall/);
    await steps()
      .getByRole('option', { name: /send_offer/ })
      .click();
    await page.getByRole('button', { name: /TOOL_CALLED send_offer called/, expanded: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('span')).not.toBeNull();
    await page.keyboard.press('Escape');
    await expect.poll(() => chosenStep().count()).toBe(0);
  });

  it('searches in the run and brings errors first', async () => {
    await open('long');
    await page.keyboard.press('e');
    await expect.poll(() => chosenStep().textContent()).toMatch(/error/);
    const first = page.getByRole('region', { name: 'Events' }).getByRole('listitem').first();
    expect(await first.textContent()).toContain('error');
    await page.keyboard.press('/');
    await page.keyboard.type('PLAN_RESOLVED');
    await page.getByText('1 event', { exact: true }).waitFor();
  });

  it('comes closer by dragging over the bars, and back', async () => {
    await open('fellBack');
    const box = await steps().getByRole('option').nth(2).boundingBox();
    if (!box) throw new Error('no bar');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.7, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, y, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Whole run' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Whole run' }).count()).toBe(0);
  });

  it('never draws a bar thinner than two pixels', async () => {
    await open('long');
    const widths = (await page.evaluate(
      `[...document.querySelectorAll('[role=option] .absolute')].map((bar) => bar.getBoundingClientRect().width)`,
    )) as number[];
    expect(widths.length).toBeGreaterThan(5);
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(2);
  });

  it('shows the receipt with attempts, repairs and who was left out', async () => {
    await open('fellBack');
    await page.keyboard.press('r');
    await page.waitForURL(/receipt=open/);
    const text = await page.getByRole('region', { name: 'Receipt' }).textContent();
    expect(text).toMatch(/503 unavailable.*repaired: temperature dropped.*foundry-spare\s*not configured/);
  });

  it('copies a command that asks again, and replays in simulation', async () => {
    await open('fellBack');
    await page.getByRole('button', { name: 'Copy as cURL' }).click();
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(copied).toContain(`'${fixture.url}/v1/chat/completions'`);
    expect(copied).toContain('"model":"role:strategist"');
    const before = page.url();
    await page.getByRole('button', { name: 'Replay in simulation' }).click();
    await page.waitForURL((url) => url.href !== before);
    await page.getByRole('option', { name: /attempt simulation/ }).waitFor();
    fixture.world.runs.shift();
  });

  it('says that a cut answer is not whole', async () => {
    await open('truncated');
    await page.getByText('Cut off: this is not the whole answer').waitFor();
  });

  it('fills in while the run goes on, and leaves every line in its place', async () => {
    await open('running');
    await page.getByText('following', { exact: true }).waitFor();
    const before = await steps().getByRole('option').allTextContents();
    const detail = fixture.world.runs[0];
    const last = detail?.events.at(-1);
    if (!detail || !last) throw new Error('no run');
    const startMs = detail.run.durationMs + 5;
    detail.spans.push({
      id: 'new-span',
      parentId: detail.spans[0]?.id ?? null,
      kind: 'tool',
      name: 'write_note',
      startMs,
      endMs: startMs + 40,
      outcome: 'ok',
      detail: null,
    });
    const event = { ...last, id: crypto.randomUUID(), seq: last.seq + 1, message: 'write_note called' };
    detail.events.push(event);
    fixture.tell([event]);
    await page.getByText('write_note called').waitFor({ timeout: 2_000 });
    const after = await steps().getByRole('option').allTextContents();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1)).toContain('write_note');
  });

  /** Seconds that the page's own thread has worked: what else the machine has to do does not count. */
  async function stopwatch(): Promise<() => Promise<number>> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const worked = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    };
    const before = await worked();
    return async () => (await worked()) - before;
  }

  it('opens a run of 5,000 steps without laying out all of them', async () => {
    ({ page } = await console.visit(`${fixture.url}/runs`));
    await page.getByRole('grid').waitFor();
    const elapsed = await stopwatch();
    await page.goto(fixture.url + runPath(fixture.world, 'long'));
    await page.getByRole('region', { name: 'Events' }).getByRole('listitem').first().waitFor();
    expect(await elapsed()).toBeLessThan(5);
  });

  it('scrolls a run of 5,000 steps with little work a frame', async () => {
    await open('long');
    const elapsed = await stopwatch();
    const frames = (await page.evaluate(SCROLL)) as number;
    expect((await elapsed()) / frames).toBeLessThan(0.3);
  });
});

/** Scrolls the steps, 15 lines a frame, and counts the frames. */
const SCROLL = `new Promise((resolve) => {
  const list = document.querySelector('[role=listbox]');
  let frames = 0;
  const step = () => {
    list.scrollTop += 400;
    if (++frames < 60) requestAnimationFrame(step);
    else resolve(frames);
  };
  requestAnimationFrame(step);
})`;
