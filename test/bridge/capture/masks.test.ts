/** Nothing that identifies a card or opens a terminal gets into the file of a capture, however a terminal sends it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryPair } from '../../../src/bridge/lines/memory.ts';
import * as ecr17 from '../../../src/bridge/terminals/ecr17/wire/index.ts';
import * as ecrEdc from '../../../src/bridge/terminals/ecr-edc/wire/index.ts';
import * as kpay from '../../../src/bridge/terminals/kpay/wire/index.ts';
import * as transbank from '../../../src/bridge/terminals/transbank/wire/index.ts';
import * as zvt from '../../../src/bridge/terminals/zvt/wire/index.ts';
import { headerOf } from '../../../src/bridge/capture/index.ts';
import type { ProtocolName } from '../../../src/contract/protocols.ts';
import { publishedCards } from '../../support/disguised-cards.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { watchDriver } from '../terminals/driver-watch.ts';
import { lineProtocol, record, settingsWith, startRecording, usualDay } from './recording.ts';

/** The cards that the simulated customers have, as far as their numbers are whole, and those of the schemes. */
const cards = [...publishedCards, '6200000000000005'];
const anyCard = fc.constantFrom(...cards);
/** Month and year of no card here, so that digits that happen to be there are none of it. */
const expiry = '8712';

/** What stands in the file, and what its bytes say as text and as BCD. */
function readings(capture: string): string[] {
  const frames = Array.from(capture.matchAll(/"hex":"([^"]*)"/g), ([, hex = '']) =>
    hex.replaceAll(/[:*]/g, ''),
  );
  return [
    capture.replaceAll(/"hex":"[^"]*"/g, ''),
    ...frames.map((hex) => Buffer.from(hex, 'hex').toString('latin1')),
    ...frames,
  ];
}

/** Readings in which more of `number` is left than may be seen: its first six digits and its last four. */
function leaks(capture: string, number: string): string[] {
  const shown = [number.slice(0, -4), number.slice(6)];
  return readings(capture).filter((text) => shown.some((part) => text.includes(part)));
}

/** A capture of these frames from the terminal, in the driver's hands or not. */
async function captureOf(name: ProtocolName, ...frames: Uint8Array[]): Promise<string> {
  const clock = createVirtualClock();
  const { protocol, text } = await record(name, 'EUR', clock);
  const [near, far] = createMemoryPair();
  protocol.attach(near, watchDriver().owner);
  for (const frame of frames) far.write(frame);
  await clock.advance(5_000);
  expect(text()).toContain('"from":"terminal"');
  return text();
}

const edcFrame = (fields: [string, string][]) =>
  ecrEdc.encodeFrame(ecrEdc.encodeMessage({ requestResponse: '1', txCode: '20', fields }), false);

function transbankFrame(values: Record<string, string>) {
  const encoded = transbank.encodeMessage({ command: '0210', direction: 'from_terminal', values });
  if (!encoded.ok) throw new Error(encoded.error);
  return transbank.encodeFrame(encoded.data);
}

const bcd = (digits: string, filler = 'f') => (digits.length % 2 === 0 ? digits : `${digits}${filler}`);

describe('a card number', () => {
  test('in ZVT: in its field, in the track, in texts, in fields and commands that nobody knows', async () => {
    await fc.assert(
      fc.asyncProperty(anyCard, async (number) => {
        const text = Buffer.from(`KARTE ${number}`).toString('hex');
        const apdus = [
          zvt.encodeMessage({
            ctrl: '040f',
            bitmaps: [
              ['27', '00'],
              ['22', bcd(number)],
              ['0e', expiry],
            ],
          }),
          zvt.encodeMessage({ ctrl: '040f', bitmaps: [['23', bcd(`${number}d${expiry}201000000`)]] }),
          zvt.encodeMessage({ ctrl: '040f', bitmaps: [['3c', text]] }),
          zvt.encodeMessage({ ctrl: '06d3', tlv: [{ tag: '07', hex: text }] }),
          zvt.buildApdu('0fee', Buffer.from(bcd(number), 'hex')),
          zvt.buildApdu('040f', Buffer.from(`ff${bcd(number)}`, 'hex')),
        ];
        const capture = await captureOf('zvt', ...apdus.map(zvt.encodeSerialFrame));
        expect(leaks(capture, number)).toEqual([]);
        expect(readings(capture).some((one) => one.includes(expiry))).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test('in Transbank: where the account is, where four digits should be, in any other field', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyCard,
        fc.constantFrom('accountNumber', 'last4', 'authorizationCode', 'filler', 'cardBrand', 'ticket'),
        async (number, field) => {
          const capture = await captureOf(
            'transbank',
            transbankFrame({ responseCode: '00', [field]: number }),
          );
          expect(leaks(capture, number)).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('in ECR17: in its field, in the text of a refusal, in a message that is not as it should be', async () => {
    await fc.assert(
      fc.asyncProperty(anyCard, async (number) => {
        const padded = number.padStart(19, '0');
        const frames = [
          `371050510E00${padded}ICCABC1232111520`,
          `371050510E01${number.padEnd(24)}0000010000010000`,
          `371050510S${number}`,
          number,
        ].map((text) => ecr17.encodeFrame(Buffer.from(text)));
        expect(leaks(await captureOf('ecr17', ...frames), number)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test('in ECR-EDC: in its field with expiry and name, in texts, in fields that nobody knows', async () => {
    await fc.assert(
      fc.asyncProperty(anyCard, async (number) => {
        const fields: [string, string][] = [
          ['30', number],
          ['31', expiry],
          ['D5', 'SOMCHAI JAIDEE'],
          ['02', `CARD ${number}`.padEnd(40)],
          ['ZZ', number],
        ];
        const capture = await captureOf('ecr-edc', edcFrame(fields));
        expect(leaks(capture, number)).toEqual([]);
        expect(readings(capture).some((one) => one.includes(expiry) || one.includes('SOMCHAI'))).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test('in KPay: in its field, in texts, as a number, in fields and queries that nobody knows', () => {
    fc.assert(
      fc.property(anyCard, (number) => {
        const answer = {
          code: 10_000,
          [`card ${number}`]: 1,
          data: [{ cardNo: number, reason: `CARD ${number}`, unknown: Number(number), deep: [{ number }] }],
        };
        const kept = [
          JSON.stringify(kpay.requestForm.maskBody(Buffer.from(JSON.stringify(answer)))),
          kpay.requestForm.maskUri(`/v2/pos/query?card=${number}&${number}=1`),
          kpay.requestForm.maskUri(`/v2/pos/${number}`),
        ].join('\n');
        expect(kept).toContain(number.slice(-4));
        expect(leaks(kept, number)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('of a simulated terminal that sends it whole', async () => {
    const { ecrEdcDialects } = await import('../../../src/simulator/ecr-edc/dialects.ts');
    const clock = createVirtualClock();
    const more = { dialect: ecrEdcDialects.talkative };
    const recording = await startRecording('ecr-edc', clock, more);
    await clock.run(usualDay(recording), 'a day');
    const capture = await clock.run(recording.end(), 'the end');
    expect(capture).toContain('"kind":"done"');
    for (const number of cards) expect(leaks(capture, number)).toEqual([]);
  });
});

test('what stands where a card is goes, whatever its digits add up to', async () => {
  const number = '123456789012';
  const sale = transbankFrame({ responseCode: '00', accountNumber: number });
  expect(leaks(await captureOf('transbank', sale), number)).toEqual([]);
  const result = `371050510E00${number.padStart(19, '0')}ICCABC1232111520`;
  expect(leaks(await captureOf('ecr17', ecr17.encodeFrame(Buffer.from(result))), number)).toEqual([]);
});

test('the terminal’s password is neither in the header nor in a frame', async () => {
  const settings = settingsWith({ zvt: { password: '135797' } });
  const facts = { program: '0.0.0', protocol: 'zvt', connection: 'serial', started: '' } as const;
  expect(JSON.stringify(headerOf({ ...facts, settings }))).not.toMatch(/135797|password/);
  const form = (await lineProtocol('zvt', settings, createVirtualClock())).captureForm;
  for (const hex of ['060006135797ba0978', '0630041357978712', '062003135797', '065003135797']) {
    const shown = form.mask({ kind: 'frame', data: Buffer.from(hex, 'hex') }, 'to_terminal');
    expect(Buffer.from(shown.bytes).toString('hex')).not.toContain('135797');
  }
});
