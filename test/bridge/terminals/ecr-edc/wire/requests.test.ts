import { describe, expect, it } from 'vitest';
import {
  decodeMessage,
  edcProfile,
  edcProfileNames,
  edcProfileSchema,
  encodeFrame,
  encodeMessage,
  encodeRequest,
  isResponseTo,
  noticeIn,
  resultOf,
  type EdcProfile,
} from '../../../../../src/bridge/terminals/ecr-edc/wire/index.ts';
import { hex } from '../../../../../src/bridge/terminals/framing/index.ts';

function profileOf(name: string): EdcProfile {
  const profile = edcProfile(name);
  if (profile === null) throw new Error(`there is no profile ${name}`);
  return profile;
}
const generic = profileOf('generic');
const kbtg = profileOf('kbtg');
const ktb = profileOf('ktb');
const reference1 = 'TB000000000000000042';

describe('requests', () => {
  const frameOf = (
    profile: EdcProfile,
    ...rest: Parameters<typeof encodeRequest> extends [unknown, ...infer Rest] ? Rest : never
  ) => hex(encodeFrame(encodeRequest(profile, ...rest) ?? new Uint8Array(), profile.lrcIncludesStx));

  it.each([
    [
      'generic sale',
      generic,
      'sale',
      { amountMinor: 100 },
      '02003536303030303030303030313032303030301c343000123030303030303030303130301c0314',
    ],
    [
      'kbtg sale with its reference',
      kbtg,
      'sale',
      { amountMinor: 1_250, reference1 },
      '02006036303030303030303030313032303030311c343000123030303030303030313235301c52310020544230303030303030303030303030303030' +
        '34321c0308',
    ],
    [
      'kbtg inquiry',
      kbtg,
      'inquiry',
      { reference1 },
      '02004336303030303030303030313037343030311c5231002054423030303030303030303030303030303034321c0326',
    ],
    [
      'generic void',
      generic,
      'void',
      { invoice: '92' },
      '02002936303030303030303030313032363030301c363500063030303039321c0317',
    ],
    [
      'ktb void',
      ktb,
      'void',
      { invoice: '100098' },
      '02002930303030303030303030313032363030301c363500063130303039381c0318',
    ],
  ] as const)('%s', (_what, profile, name, values, expected) => {
    expect(frameOf(profile, name, values)).toBe(expected);
  });

  it('carry optional fields where there is a value, and the device where there is a place for it', () => {
    const read = (profile: EdcProfile, device?: number) =>
      decodeMessage(
        encodeRequest(profile, 'settlement', { host: '999', ...(device === undefined ? {} : { device }) }) ??
          new Uint8Array(),
      );
    expect(read(kbtg).fields.map(({ type }) => type)).toStrictEqual(['HN']);
    expect(read(kbtg, 7).transport).toBe('6000000007');
    expect(read(generic, 7).transport).toBe('6000000000');
    expect(encodeRequest(generic, 'settlement')).toHaveLength(18);
  });

  it('are none where the profile has no such command, and fail without a value that they need', () => {
    expect(encodeRequest(generic, 'inquiry', { reference1 })).toBeNull();
    expect(encodeRequest(generic, 'cancel')).toBeNull();
    expect(() => encodeRequest(kbtg, 'sale', { amountMinor: 100 })).toThrow('R1');
    expect(() => encodeRequest(generic, 'sale')).toThrow('40');
    for (const amountMinor of [1.5, -1, 1e12, NaN])
      expect(() => encodeRequest(generic, 'sale', { amountMinor })).toThrow('digits');
    expect(() => encodeRequest(generic, 'void', { invoice: '1234567' })).toThrow('digits');
    expect(() => encodeRequest(generic, 'void', { invoice: '' })).toThrow('digits');
    expect(() => encodeRequest(kbtg, 'inquiry', { reference1: `${reference1}X` })).toThrow('characters');
  });
});

describe('profiles', () => {
  it('are data with a schema', () => {
    expect(edcProfileNames).toStrictEqual(['generic', 'kbtg', 'ktb']);
    for (const name of edcProfileNames)
      expect(edcProfileSchema.parse(JSON.parse(JSON.stringify(edcProfile(name))))).toStrictEqual(
        edcProfile(name),
      );
    expect(edcProfileSchema.safeParse({ ...generic, stx: '82' }).success).toBe(false);
    expect(edcProfile('other')).toBeNull();
  });

  it('have no two commands with one code', () => {
    for (const name of edcProfileNames) {
      const codes = Object.values(profileOf(name).commands).map(({ txCode }) => txCode);
      expect(new Set(codes).size).toBe(codes.length);
      expect(codes.filter((code) => Object.hasOwn(profileOf(name).notices, code))).toStrictEqual([]);
    }
  });
});

describe('responses', () => {
  const message = (
    txCode: string,
    responseCode: string,
    fields: [string, string][] = [],
    requestResponse: '0' | '1' = '1',
  ) => decodeMessage(encodeMessage({ requestResponse, txCode, responseCode, fields }));
  const approval: [string, string] = ['01', '178570'];

  it.each([
    ['00', [approval], 'approved', 'Approved'],
    ['00', [], 'undecided', 'The terminal approved without an approval code'],
    ['00', [['01', '      ']], 'undecided', 'The terminal approved without an approval code'],
    ['\0\0', [approval], 'cancelled', 'Cancelled at the terminal'],
    ['0\0', [approval], 'undecided', 'The response code of the terminal cannot be read'],
    ['ND', [['02', 'DECLINED']], 'declined', 'Declined'],
    ['TO', [approval], 'undecided', 'The bank did not answer in time'],
    ['EN', [], 'undecided', 'Network or entry error'],
    ['XC', [], 'cancelled', 'Cancelled at the terminal'],
    ['51', [], 'declined', 'Declined by the bank: code 51'],
    ['51', [['01', '000000']], 'declined', 'Declined by the bank: code 51'],
    ['08', [approval], 'undecided', 'The terminal sent the bank’s code 08 and an approval code'],
    ['Y1', [approval], 'undecided', 'The terminal sent the bank’s code Y1 and an approval code'],
    ['to', [], 'declined', 'Declined by the bank: code to'],
  ] as const)('%j of a sale with %j is %s', (code, fields, verdict, text) => {
    const result = resultOf(
      message(
        '20',
        code,
        fields.map(([type, value]) => [type, value]),
      ),
      'sale',
      generic,
    );
    expect(result).toMatchObject({ verdict, text, code });
  });

  it('give the terminal’s own text beside ours', () => {
    const fields: [string, string][] = [['02', 'INSUFFICIENT FUNDS   ']];
    expect(resultOf(message('20', 'ND', fields), 'sale', generic).terminalText).toBe('INSUFFICIENT FUNDS');
    expect(resultOf(message('20', 'ND'), 'sale', generic).terminalText).toBeNull();
  });

  it('of other commands need no approval code, and an empty batch is nothing to do', () => {
    expect(resultOf(message('50', '00'), 'settlement', generic).verdict).toBe('approved');
    expect(resultOf(message('50', 'NB'), 'settlement', generic).verdict).toBe('nothing_to_do');
  });

  it('belong to the command with their code and indicator', () => {
    expect(isResponseTo(message('20', '00'), 'sale', generic)).toBe(true);
    expect(isResponseTo(message('26', '00'), 'sale', generic)).toBe(false);
    expect(isResponseTo(message('20', '00', [], '0'), 'sale', generic)).toBe(false);
    expect(isResponseTo(message('74', '00'), 'inquiry', generic)).toBe(false);
  });

  it('are no notices, and notices are those of the profile', () => {
    expect(noticeIn(message('C0', '00'), kbtg)).toStrictEqual({
      step: 'insert_card',
      text: 'Waiting for the card',
    });
    expect(noticeIn(message('P1', '00'), kbtg)?.step).toBe('enter_pin');
    expect(noticeIn(message('C0', '00'), generic)).toBeNull();
    expect(noticeIn(message('C0', '00', [approval]), kbtg)).toBeNull();
    expect(noticeIn(message('20', '00'), kbtg)).toBeNull();
    expect(noticeIn(message('C0', '00', [], '0'), kbtg)).toBeNull();
  });
});
