/** The numbers that terminals give to what they do, one after the other. Pure. */

/**
 * Trace and receipt numbers are digits that count up by one and start again after ...9999 (ZVT PA00P015, BMP 0B, 87; the
 * STAN of ISO 8583).
 * True when `current` is exactly the next number after `previous`, or one of the next where up to `between` numbers may have been
 * used up. After the highest number of its length (999999, 9999) both ...0000 and ...0001 count as next, because
 * terminals differ in whether they use zero.
 */
export function isNextNumber(previous: string, current: string, between = 0): boolean {
  if (!/^\d+$/.test(previous) || !/^\d+$/.test(current)) return false;
  const most = BigInt(between) + 1n;
  const now = BigInt(current);
  const steps = now - BigInt(previous);
  if (steps >= 1n) return steps <= most;
  if (current.length !== previous.length) return false;
  const stepsOverZero = steps + 10n ** BigInt(previous.length);
  return stepsOverZero <= most || (now > 0n && stepsOverZero - 1n <= most);
}
