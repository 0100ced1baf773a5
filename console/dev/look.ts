/** Writes a picture of every screen to a folder, to be looked at: `npx tsx console/dev/look.ts FOLDER [NAME]`. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { startFixtures } from './fixture-server.ts';

const [target = 'test-results/console', only] = process.argv.slice(2);
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };
const folder = resolve(target, 'build');

type Screen = {
  path: (runs: Record<string, string>) => string;
  empty?: boolean;
  act?: (page: Page) => Promise<void>;
};

const SCREENS: Record<string, Screen> = {
  'first-run': { path: () => '/', empty: true },
  'first-receipt': {
    path: () => '/',
    empty: true,
    act: async (page) => {
      await page.getByRole('button', { name: 'Send a request' }).click();
      await page.getByText('Its receipt').waitFor();
    },
  },
  overview: { path: () => '/' },
  runs: { path: () => '/runs' },
  'runs-none': { path: () => '/runs?q=nothing-like-this' },
  'inspector-fell-back': { path: (runs) => `/runs/${runs['fellBack']}?receipt=open` },
  'inspector-tools': { path: (runs) => `/runs/${runs['withTools']}` },
  'inspector-chosen': {
    path: (runs) => `/runs/${runs['withTools']}`,
    act: async (page) => {
      for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowDown');
    },
  },
  'inspector-truncated': { path: (runs) => `/runs/${runs['truncated']}` },
  'inspector-failed': { path: (runs) => `/runs/${runs['failed']}?receipt=open` },
  'inspector-long': { path: (runs) => `/runs/${runs['long']}?errors=first` },
  'inspector-running': { path: (runs) => `/runs/${runs['running']}` },
  missing: { path: () => '/runs/nope' },
  keys: { path: () => '/runs', act: (page) => page.keyboard.press('?') },
  later: { path: () => '/retrieval' },
};

await build({ root: 'console', logLevel: 'warn', build: { outDir: folder } });
mkdirSync(target, { recursive: true });
const busy = await startFixtures({ folder });
const [running, fellBack, , withTools, truncated, failed, long] = busy.world.runs.map(({ run }) => run.id);
const runs = { running, fellBack, withTools, truncated, failed, long } as Record<string, string>;
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
    for (const [name, screen] of Object.entries(SCREENS)) {
      if (only !== undefined && !name.startsWith(only)) continue;
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') process.stderr.write(`${name}: ${message.text()}\n`);
      });
      page.on('pageerror', (error) => process.stderr.write(`${name}: ${error.message}\n`));
      const empty = await startFixtures({ folder, size: 0 });
      await page.goto((screen.empty ? empty.url : busy.url) + screen.path(runs));
      await page.waitForTimeout(500);
      await screen.act?.(page);
      await page.waitForTimeout(150);
      await page.screenshot({ path: join(target, `${name}-${size}-${colorScheme}.png`) });
      await page.close();
      await empty.close();
    }
    await context.close();
  }
}
await browser.close();
await busy.close();
