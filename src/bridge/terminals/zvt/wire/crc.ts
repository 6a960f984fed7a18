/** CRC of the serial frames (ZVT PA00P016; named "XModem" there, in fact CRC-16/KERMIT). */

// Polynomial 1021 in reflected notation.
const polynomial = 0x8408;

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  return crc;
});

/**
 * CRC-16/KERMIT: width 16, polynomial 1021, reflected in and out, start value 0000, no final XOR; "123456789" gives
 * 2189. `seed` is the CRC of the bytes that came before, so a CRC can be taken in pieces.
 */
export function crc16Kermit(bytes: Uint8Array, seed = 0): number {
  let crc = seed & 0xffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return crc;
}
