import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventsMarkdown } from './events-markdown.ts';

it('is what docs/events.md says', () => {
  expect(readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8')).toBe(eventsMarkdown());
});
