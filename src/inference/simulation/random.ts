/** A reproducible source of choices. It is no source of secrets. */
export type Random = {
  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number;
  /** One of the items; the list must not be empty. */
  pick<T>(items: readonly [T, ...T[]]): T;
};

/**
 * The generator sfc32, seeded with the first 128 bits of a hexadecimal digest and a stream number, so that the
 * choices of one request (`n`) differ and each is reproducible.
 */
export function createRandom(digest: string, stream = 0): Random {
  let a = word(digest, 0);
  let b = word(digest, 8);
  let c = word(digest, 16);
  let counter = word(digest, 24) ^ stream;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  const below = (limit: number) => next() % limit;
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
}

function word(digest: string, at: number): number {
  return Number.parseInt(digest.slice(at, at + 8), 16) | 0;
}
