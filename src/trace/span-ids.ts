/**
 * The span of a call, 16 hex digits: the second half of its receipt's id, which is random but for two bits, and so as good as any;
 * and it leads back to the receipt.
 */
export function callSpanId(receiptId: string): string {
  return receiptId.slice(19).replace('-', '');
}

/**
 * The span of a part of a call: 0 is its plan, n its nth attempt. Counted on from the call's own, so that the ledger, the receipt and
 * what is exported name the same span without telling each other.
 */
export function partSpanId(receiptId: string, part: number): string {
  const id = BigInt.asUintN(64, BigInt(`0x${callSpanId(receiptId)}`) + BigInt(part + 1));
  return id.toString(16).padStart(16, '0');
}
