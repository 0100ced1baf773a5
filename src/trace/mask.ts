/** Takes secrets out of what is about to be written down. */
export type Masker = {
  /** Whether a JSON text may hold a secret; cheap, and never wrong in saying no. */
  suspects(json: string): boolean;
  /** A copy with every secret and bearer-looking string in it, also in names of members, as `[masked]`. */
  mask<Value>(value: Value): Value;
};

const MASK = '[masked]';
/** A shorter one would be found in ordinary words, and blanked out there. */
const SHORTEST_SECRET = 6;
/**
 * What looks like a credential whoever made it: an Authorization value, OpenAI's and our own keys, GitHub's, AWS', Slack's,
 * JSON Web Tokens, and the password of a URL.
 */
const LOOKS =
  /\b(?:(?:bearer|basic)\s+[\w~+/.=-]{8,}|(?:sk|tcl|ghp|gho|ghs|github_pat|xox[abprs])[-_][\w-]{16,}|AKIA[A-Z0-9]{16}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)|(?<=:\/\/[^\s/:@"]{0,64}:)[^\s/@"]+(?=@)/gi;
const FIRST_LOOK = /earer|asic |sk-|sk_|tcl[-_]|gh[pos][-_]|github_pat|xox|AKIA|eyJ|:\/\//i;

/** @param secrets the values known to be secret, as they are */
export function createMasker(secrets: readonly string[]): Masker {
  // The longest first: one may be the beginning of another.
  const known = [...new Set(secrets)]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
  const quoted = known.map((secret) => JSON.stringify(secret).slice(1, -1));
  const maskText = (text: string): string => {
    let masked = text;
    for (const secret of known) masked = masked.replaceAll(secret, MASK);
    return masked.replaceAll(LOOKS, MASK);
  };
  return {
    suspects: (json) => quoted.some((secret) => json.includes(secret)) || FIRST_LOOK.test(json),
    mask: (value) => mapTexts(value, maskText),
  };
}

/** A copy of a JSON value with each text in it, also the names of members, mapped. */
export function mapTexts<Value>(value: Value, map: (text: string) => string): Value {
  if (typeof value === 'string') return map(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map)) as Value;
  const json: unknown = 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
  if (typeof json !== 'object' || json === null) return mapTexts(json, map) as Value;
  return Object.fromEntries(
    Object.entries(json).map(([key, item]) => [map(key), mapTexts(item, map)]),
  ) as Value;
}
