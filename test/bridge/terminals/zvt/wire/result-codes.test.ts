import { describe, expect, it } from 'vitest';
import {
  isHostCode,
  isTerminalStatus,
  resultText,
  requiredActionOf,
  statusText,
} from '../../../../../src/bridge/terminals/zvt/wire/result-codes.ts';
import { cardTypeName, schemeGroup } from '../../../../../src/bridge/terminals/zvt/wire/card-types.ts';
import { intermediateStatusText } from '../../../../../src/bridge/terminals/zvt/wire/intermediate-status.ts';

const everyCode = Array.from({ length: 256 }, (_, code) => code);

describe('result codes', () => {
  it('all have a text', () => {
    for (const code of everyCode) {
      expect(resultText(code)).not.toBe('');
      expect(statusText(code)).not.toBe('');
      expect(intermediateStatusText(code)).not.toBe('');
    }
  });

  it.each([
    [0x00, 'OK'],
    [0x05, 'Declined by the bank: code 05'],
    [0x37, 'Declined by the bank: wrong PIN'],
    [0x63, 'Declined by the bank: code 63'],
    [0x6c, 'Aborted by timeout or cancel key'],
    [0xb4, 'Already reversed'],
    [0xff, 'System error'],
    [0x70, 'Unknown result code 70'],
  ])('%i: %s', (code, text) => {
    expect(resultText(code)).toBe(text);
  });

  it('01 to 63 are the host’s', () => {
    expect(everyCode.filter(isHostCode)).toStrictEqual(everyCode.slice(0x01, 0x64));
  });
});

describe('terminal status', () => {
  it.each([
    [0x00, 'none', 'Ready'],
    [0x9c, 'wait', 'Busy, please wait'],
    [0xdc, 'wait', 'A card is inserted'],
    [0xb1, 'batch_close', 'Memory full, end of day needed'],
    [0xf0, 'batch_close', 'End of day needed'],
    [0x51, 'service', 'Initialisation needed'],
    [0xb2, 'service', 'Merchant journal full'],
    [0x33, 'service', 'Unknown terminal status 33'],
    [0x77, 'service', 'End of day not possible'],
  ])('%i is cured by %s', (code, requiredAction, text) => {
    expect(requiredActionOf(code)).toBe(requiredAction);
    expect(statusText(code)).toBe(text);
  });

  it('only 00 is ready', () => {
    expect(everyCode.filter((code) => requiredActionOf(code) === 'none')).toStrictEqual([0]);
    expect(isTerminalStatus(0x9c)).toBe(true);
    expect(isTerminalStatus(0x27)).toBe(false);
  });
});

describe('intermediate status', () => {
  it.each([
    [0x0a, 'Insert card'],
    [0x4a, 'Insert card, remove card'],
    [0x4b, 'Remove card'],
    [0x5d, 'Declined, remove card'],
    [0x5e, 'Please wait'],
    [0x41, 'Please watch the PIN pad, remove card'],
    [0x40, 'Please wait'],
    [0xff, 'Please wait'],
    [0xa1, 'Paid, remove card'],
  ])('%i: %s', (code, text) => {
    expect(intermediateStatusText(code)).toBe(text);
  });
});

describe('card types', () => {
  it.each([
    [2, 'ec', 'girocard'],
    [5, 'girocard', 'girocard'],
    [6, 'Mastercard', 'mastercard'],
    [8, 'American Express', 'amex'],
    [10, 'Visa', 'visa'],
    [12, 'Diners Club', 'diners'],
    [13, 'V PAY', 'visa'],
    [14, 'JCB', 'jcb'],
    [46, 'Debit Mastercard', 'mastercard'],
    [260, 'BlueCode', 'other'],
    [255, null, 'other'],
    [100000, null, 'other'],
  ])('%i is %s, counted as %s', (type, name, group) => {
    expect(cardTypeName(type)).toBe(name);
    expect(schemeGroup(type)).toBe(group);
  });
});
