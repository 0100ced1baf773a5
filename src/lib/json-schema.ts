import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import { BoundExceeded, runBounded } from './bounded.ts';

// Far more than an honest schema needs, also on a busy machine (the bound is wall time), and as long as one caller may hold up the others.
const LIMIT_MS = 1000;

/**
 * Holds a value against a JSON Schema (draft 2020-12). The schema is a caller's: it is interpreted and never becomes code, it is
 * copied because the validator marks the nodes it meets, and time is bounded because its patterns may be hostile.
 *
 * @returns null when the value is valid, else a sentence that names the place and the rule
 */
export function findSchemaProblem(value: unknown, schema: unknown): string | null {
  try {
    return runBounded(() => {
      const root = structuredClone(schema) as Schema;
      const { valid, errors } = validate(value, root, '2020-12', dereference(root), true);
      return valid ? null : describe(errors);
    }, LIMIT_MS);
  } catch (error) {
    if (error instanceof BoundExceeded) return `The schema takes more than ${LIMIT_MS} ms to check.`;
    return `The schema cannot be used: ${error instanceof Error ? error.message.split('\n')[0] : 'unknown'}.`;
  }
}

function describe(errors: OutputUnit[]): string {
  // The last error is the innermost: the rule itself, not that something within is wrong.
  const rule = errors.at(-1);
  return rule
    ? `It does not match the schema at ${rule.instanceLocation}: ${rule.error}`
    : 'It does not match the schema.';
}
