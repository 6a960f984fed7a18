import { describe, expect, it } from 'vitest';
import {
  answerCode,
  codeMeaning,
  codeText,
  knownCodes,
  startProvedBy,
} from '../../../../../src/bridge/terminals/kpay/wire/index.ts';

const proving = (proof: string, call: 'sale' | 'void') =>
  knownCodes.filter((code) => startProvedBy(code, call) === proof);

describe('the code of an answer', () => {
  it('proves that a sale has started where the terminal took it, has it or is at it', () => {
    expect(proving('started', 'sale')).toStrictEqual([
      10_000, 11_000, 20_001, 20_011, 20_014, 20_016, 700_034,
    ]);
    expect(proving('started', 'void')).toStrictEqual(proving('started', 'sale'));
  });

  it('proves nothing about a sale where it is an unknown error, a printer, a closed QR code, or of another command', () => {
    expect(proving('unknown', 'sale')).toStrictEqual([
      20_005, 20_006, 20_007, 20_010, 20_012, 20_017, 20_018, 20_019, 20_024, 50_001, 50_003, 50_010, 50_011,
      50_012, 700_029,
    ]);
  });

  it('proves that a void was refused, where it says why', () => {
    const more = proving('not_started', 'void').filter((code) => startProvedBy(code, 'sale') === 'unknown');
    expect(more).toStrictEqual([20_005, 20_006, 20_007, 20_012, 20_018, 20_024, 700_029]);
  });

  it('proves nothing when nobody has described it', () => {
    for (const code of [0, 1, 20_021, 30_000, 40_009, 50_013, 99_999, 700_002]) {
      expect(codeMeaning(code)).toBe('unknown');
      expect(startProvedBy(code, 'sale')).toBe('unknown');
      expect(codeText(code)).toContain(String(code));
    }
  });

  it('asks for a new sign-in where the keys are gone, and once where it may help', () => {
    expect(codeMeaning(answerCode.keysGone)).toBe('keys_gone');
    expect(knownCodes.filter((code) => codeMeaning(code) === 'sign_in_once')).toStrictEqual([
      40_001, 40_003, 40_008,
    ]);
  });
});
