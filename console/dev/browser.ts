import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { type Fixture, type FixtureOptions, startFixtures } from './fixture-server.ts';

const executablePath = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
  .filter((path) => path !== undefined)
  .find((path) => existsSync(path));

/** Whether tests in a browser are to be left out: none was found, and nobody insists. */
export const withoutBrowser =
  executablePath === undefined && process.env['TIERCEL_REQUIRE_CHROMIUM'] === undefined;

if (withoutBrowser) {
  process.stderr.write(
    'LEFT OUT: the console in a browser, because no Chromium was found. Set CHROMIUM to its path.\n',
  );
}

export type Look = { width: number; height: number; colorScheme: 'light' | 'dark' };

const SIZES = [
  [1280, 800],
  [390, 844],
] as const;

export const LOOKS: readonly Look[] = SIZES.flatMap(([width, height]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, height, colorScheme })),
);

export type ConsoleBrowser = {
  /** The built console. */
  folder: string;
  browser: Browser;
  serve(options?: FixtureOptions): Promise<Fixture>;
  visit(url: string, look?: Look): Promise<Visit>;
  close(): Promise<void>;
};

export type Visit = {
  page: Page;
  /** Errors that the page or the browser told of; a broken content policy is one. */
  complaints: string[];
  /** Where requests went. */
  origins: Set<string>;
};

/** Builds the console into a temporary folder and starts a browser; the fixtures served end with it. */
export async function openConsole(): Promise<ConsoleBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'tiercel-console-'));
  await build({ root: 'console', logLevel: 'warn', build: { outDir: folder } });
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const fixtures: Fixture[] = [];
  return {
    folder,
    browser,
    async serve(options = {}) {
      const fixture = await startFixtures({ folder, ...options });
      fixtures.push(fixture);
      return fixture;
    },
    visit: (url, look = { width: 1280, height: 800, colorScheme: 'light' }) => visit(browser, url, look),
    async close() {
      await browser.close();
      await Promise.all(fixtures.map((fixture) => fixture.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function visit(browser: Browser, url: string, { width, height, colorScheme }: Look): Promise<Visit> {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const complaints: string[] = [];
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The browser's own line about a refused request; what the page makes of it is looked at instead.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  await page.goto(url);
  await page.getByRole('main').waitFor();
  return { page, complaints, origins };
}
