/**
 * An estimate of how many tokens a text has: one for every four UTF-16 code units, rounded up. The
 * rule of thumb is for English prose; for code and for other scripts it is coarser. Numbers made with it are
 * marked `estimated` or `simulated` wherever they are shown.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

export const CHARS_PER_TOKEN = 4;
