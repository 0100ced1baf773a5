import { TiercelError } from '../errors.ts';

// Written plainly or with its underscores escaped, as the key could be smuggled in.
const SUSPECT = /__proto__|\\u005f/i;

/**
 * The value of a JSON body; undefined when there is none. Members named `__proto__` are left out: a later copy of the object
 * by assignment would otherwise change its prototype.
 *
 * @throws TiercelError `invalid_json`
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString('utf8');
  try {
    return SUSPECT.test(text)
      ? JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))
      : JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which may hold a prompt.
    throw new TiercelError('invalid_json', 'The body is not valid JSON.');
  }
}
