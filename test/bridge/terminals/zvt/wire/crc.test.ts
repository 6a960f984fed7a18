import { describe, expect, it } from 'vitest';
import { crc16Kermit } from '../../../../../src/bridge/terminals/zvt/wire/crc.ts';

describe('crc16Kermit', () => {
  it('gives the published check value', () => {
    expect(crc16Kermit(new TextEncoder().encode('123456789'))).toBe(0x2189);
  });

  it('can be taken in pieces', () => {
    const bytes = new TextEncoder().encode('123456789');
    expect(crc16Kermit(bytes.subarray(4), crc16Kermit(bytes.subarray(0, 4)))).toBe(0x2189);
    expect(crc16Kermit(new Uint8Array(0))).toBe(0);
  });
});
