import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleBrowser, LOOKS, openConsole, withoutBrowser } from './browser.ts';
import type { Fixture } from './fixture-server.ts';
import { SCREENS } from './screens.ts';

const PICTURES = 'test-results/console';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Violation = { id: string; impact: string; nodes: { html: string }[] };

describe.skipIf(withoutBrowser)('the pages of the console', () => {
  let console: ConsoleBrowser;
  let busy: Fixture;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    console = await openConsole();
    busy = await console.serve();
  });
  afterAll(() => console?.close());

  it.each(SCREENS)(
    'shows $name in every look: whole, accessible, from its own origin',
    async (screen) => {
      for (const look of LOOKS) {
        const { url, world } = screen.empty ? await console.serve({ size: 0 }) : busy;
        const { page, complaints, origins } = await console.visit(url + screen.path(world), look);
        await page.waitForTimeout(300);
        await screen.act?.(page);
        await page.waitForTimeout(100);
        const size = look.width > 500 ? 'wide' : 'narrow';
        await page.screenshot({ path: join(PICTURES, `${screen.name}-${size}-${look.colorScheme}.png`) });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.width);
        // Through the driver: the page's own policy lets no foreign script in.
        await page.evaluate(AXE);
        const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as {
          violations: Violation[];
        };
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)).toEqual(
          [],
        );
        expect(complaints).toEqual([]);
        expect([...origins]).toEqual([url]);
        await page.close();
      }
    },
    60_000,
  );

  it('is at most 350 kB, compressed, with every page counted', () => {
    const assets = join(console.folder, 'assets');
    const bytes = readdirSync(assets).map((name) => gzipSync(readFileSync(join(assets, name))).length);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(350_000);
  });

  it('has nothing in its page that a strict content policy would stop', () => {
    const html = readFileSync(join(console.folder, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)|\son\w+=/);
  });
});
