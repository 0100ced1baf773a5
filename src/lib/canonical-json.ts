/**
 * JSON Canonicalization Scheme (RFC 8785): one text for one value, so that digests of it can be compared.
 * ECMAScript's own number and string serialisation is what the RFC prescribes (§3.2.2); members are sorted by
 * UTF-16 code units (§3.2.3), which is the default order of `sort`.
 *
 * What is no JSON is treated as `JSON.stringify` treats it: undefined members are dropped, undefined items become
 * null, `toJSON` is called. What `JSON.stringify` would silently change is refused with a `TypeError`: a number
 * that is not finite, and text that is not well-formed Unicode (a lone surrogate, §3.2.2.2). So are bigints, and a
 * value that has no JSON at all.
 */
export function canonicalJson(value: unknown): string {
  const text = serialize(value);
  if (text === undefined) throw new TypeError(`A ${typeof value} has no canonical JSON`);
  return text;
}

function serialize(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical JSON: it is not finite`);
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      break;
    case 'bigint':
      throw new TypeError('A bigint has no canonical JSON');
    default:
      return undefined;
  }
  if (value === null) return 'null';
  if ('toJSON' in value && typeof value.toJSON === 'function') return serialize(value.toJSON());
  return Array.isArray(value) ? serializeArray(value) : serializeObject(value);
}

function serializeArray(items: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ',';
    text += serialize(items[i]) ?? 'null';
  }
  return `${text}]`;
}

function serializeObject(value: object): string {
  const members = value as Record<string, unknown>;
  let text = '{';
  for (const key of Object.keys(members).sort()) {
    const member = serialize(members[key]);
    if (member === undefined) continue;
    if (text.length > 1) text += ',';
    text += `${quote(key)}:${member}`;
  }
  return `${text}}`;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function quote(text: string): string {
  const quoted = JSON.stringify(text);
  // JSON.stringify writes a lone surrogate as `\udXXX`, so the costly test is needed only where that occurs.
  if (quoted.includes('\\ud') && LONE_SURROGATE.test(text)) {
    throw new TypeError('A text with a lone surrogate has no canonical JSON');
  }
  return quoted;
}
