/**
 * The check byte of the old serial protocols (LRC, ISO 1155 without its parity): XOR of all bytes. `seed` is what is
 * there before the first, the LRC of the bytes before or a protocol's start value.
 */
export function xorLrc(bytes: Uint8Array, seed = 0): number {
  let lrc = seed & 0xff;
  for (const byte of bytes) lrc ^= byte;
  return lrc;
}
