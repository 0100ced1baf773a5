/** Writes the reference pages whose source is code. Run through tsx. */
import { writeFileSync } from 'node:fs';
import { toErrorsDocument } from './support/error-table.mjs';

writeFileSync(new URL('../docs/errors.md', import.meta.url), toErrorsDocument());
