import type { Page } from 'playwright-core';
import type { World } from './fixtures/world.ts';

export type Screen = {
  name: string;
  path: (world: World) => string;
  /** A fresh install instead of a busy one. */
  empty?: boolean;
  /** What leads from the page to the screen. */
  act?: (page: Page) => Promise<void>;
};

/** The runs that `createWorld` puts last, by what they tell. */
const PLACES = { running: 0, fellBack: 1, withTools: 3, truncated: 4, failed: 5, long: 6 };

export function runPath(world: World, story: keyof typeof PLACES): string {
  return `/runs/${world.runs[PLACES[story]]?.run.id}`;
}

/** Every screen worth a look; pages.test.ts visits them all. */
export const SCREENS: readonly Screen[] = [
  { name: 'first-run', path: () => '/', empty: true },
  {
    name: 'first-receipt',
    path: () => '/',
    empty: true,
    async act(page) {
      await page.getByRole('button', { name: 'Send a request' }).click();
      await page.getByText('Its receipt').waitFor();
    },
  },
  { name: 'overview', path: () => '/' },
  { name: 'runs', path: () => '/runs' },
  { name: 'runs-none', path: () => '/runs?q=nothing-like-this' },
  { name: 'inspector-fell-back', path: (world) => `${runPath(world, 'fellBack')}?receipt=open` },
  { name: 'inspector-tools', path: (world) => runPath(world, 'withTools') },
  {
    name: 'inspector-chosen',
    path: (world) => runPath(world, 'withTools'),
    async act(page) {
      await page.getByText('PLAN_RESOLVED').or(page.getByText('strategist started')).first().waitFor();
      for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowDown');
    },
  },
  { name: 'inspector-truncated', path: (world) => runPath(world, 'truncated') },
  { name: 'inspector-failed', path: (world) => `${runPath(world, 'failed')}?receipt=open` },
  { name: 'inspector-long', path: (world) => `${runPath(world, 'long')}?errors=first` },
  { name: 'inspector-running', path: (world) => runPath(world, 'running') },
  { name: 'run-missing', path: () => '/runs/nope' },
  { name: 'keys', path: () => '/runs', act: (page) => page.keyboard.press('?') },
  { name: 'settings', path: () => '/settings' },
  { name: 'retrieval', path: () => '/retrieval' },
  { name: 'no-such-page', path: () => '/nowhere' },
];
