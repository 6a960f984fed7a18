/** Trace and receipt numbers: digits that count up by one and start again after ...9999 (ZVT PA00P015, BMP 0B, 87). */

/**
 * `current` is exactly the next number after `previous`. After the highest number of its length (999999, 9999) both
 * ...0000 and ...0001 count as next, because terminals differ in whether they use zero.
 */
export function isNextNumber(previous: string, current: string): boolean {
  if (!/^\d+$/.test(previous) || !/^\d+$/.test(current)) return false;
  const now = BigInt(current);
  if (now === BigInt(previous) + 1n) return true;
  return /^9+$/.test(previous) && current.length === previous.length && (now === 0n || now === 1n);
}
