/** Fields that terminals fill in their own way, and figures that nobody sent. */
import { describe, expect, it } from 'vitest';
import {
  fromHex,
  hex,
  describeMessage,
  decodeMessage,
  encodeMessage,
} from '../../../../src/bridge/terminals/zvt/wire/index.ts';
import { toTerminalRecord } from '../../../../src/bridge/terminals/zvt/record.ts';

function messageWith(...bitmaps: [string, string][]) {
  return decodeMessage(encodeMessage({ ctrl: '040f', bitmaps: [['27', '00'], ...bitmaps] }));
}

describe('the approval code (BMP 3B, ASCII and padding)', () => {
  it.each([
    ['3631313830340000', '611804'],
    ['3631313830342020', '611804'],
    ['4142313233342f39', 'AB1234/9'],
    ['3132333435360000', '123456'],
    ['20203132332000ff', '123'],
    ['61180400000000ff', '61180400000000FF'],
    ['1234567890abcdef', '1234567890ABCDEF'],
    ['313233e900000000', '313233E900000000'],
    ['4142001a5a5a0000', '4142001A5A5A0000'],
    ['0000000000000001', '0000000000000001'],
  ])('%s is %s: text where it is text, else the bytes in hex', (value, expected) => {
    const message = messageWith(['3b', value]);
    expect(toTerminalRecord(message).approvalCode).toBe(expected);
    expect(describeMessage(message)).toMatchObject({ fields: { aid: expected } });
  });

  it.each(['0000000000000000', '2020202020202020', 'ffffffffffffffff'])('%s is none', (value) => {
    expect(toTerminalRecord(messageWith(['3b', value])).approvalCode).toBeNull();
  });
});

describe('an approval code that could be a card number', () => {
  it.each(['4111111111111111', '4000000000000002'])('%s in BCD is masked before it is shown', (pan) => {
    const message = messageWith(['3b', pan]);
    expect(toTerminalRecord(message).approvalCode).toBe(`${pan.slice(0, 6)}EEEEEE${pan.slice(-4)}`);
    expect(hex(message.maskedApdu)).not.toContain(pan);
  });
});

describe('an end of day', () => {
  const total: [string, string] = ['04', '000000001200'];

  it('without BMP 60 has no receipts, no classes and no counts, only the sum that was sent', () => {
    const record = toTerminalRecord(messageWith(total, ['0b', '000472']));
    expect(record).toMatchObject({ amountMinor: 1200, receiptFrom: null, receiptTo: null, totals: null });
  });

  it.each([
    ['too short', '0470047101000000001200'],
    ['with an amount that is no BCD', `04700471${'010000000012ab'.repeat(7)}`],
  ])('with a BMP 60 that is %s has none either', (_, value) => {
    const record = toTerminalRecord(messageWith(total, ['60', value]));
    expect(record).toMatchObject({
      kind: 'batch_close',
      amountMinor: 1200,
      receiptFrom: null,
      receiptTo: null,
      totals: null,
    });
  });

  it('shows the totals that it has, and no receipt numbers where those are no numbers', () => {
    const value = fromHex(`ffffffff01000000001200${'00000000000000'.repeat(6)}`);
    const record = toTerminalRecord(messageWith(total, ['60', hex(value)]));
    expect(record).toMatchObject({ receiptFrom: null, receiptTo: null });
    expect(record.totals?.[0]).toEqual({ scheme: 'girocard', count: 1, totalMinor: 1200 });
  });
});
