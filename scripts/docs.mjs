/** Writes the reference pages whose source is code. Run through tsx. */
import { writeFileSync } from 'node:fs';
import { eventsMarkdown } from '../src/trace/events-markdown.ts';
import { toErrorsDocument } from './support/error-table.mjs';

writeFileSync(new URL('../docs/errors.md', import.meta.url), toErrorsDocument());
writeFileSync(new URL('../docs/events.md', import.meta.url), eventsMarkdown());
