import type { z } from 'zod';
import { TiercelError } from '../errors.ts';

/**
 * A body or a query as its schema has it.
 *
 * @throws TiercelError `invalid_request` whose `param` is the first wrong field
 */
export function parse<Output>(schema: z.ZodType<Output>, given: unknown): Output {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const param = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].map(String).join('.');
  const problem = unknown === undefined ? (issue?.message ?? 'is wrong') : 'there is no such field';
  throw new TiercelError('invalid_request', `${param || 'The body'}: ${problem}.`, param ? { param } : {});
}
