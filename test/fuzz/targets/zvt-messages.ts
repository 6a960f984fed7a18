/** What APDUs of a terminal mean, and everything that is made of them. */
import assert from 'node:assert/strict';
import {
  buildApdu,
  maxDataLength,
  maxBitmaps,
  hex,
  describeMessage,
  decodeMessage,
  newSilenceLimitMs,
  progressStep,
  progressText,
  createReceiptLines,
  terminalStatusOf,
  type TextEncoding,
} from '../../../src/bridge/terminals/zvt/wire/index.ts';
import { contradictionIn, toTerminalRecord } from '../../../src/bridge/terminals/zvt/record.ts';
import { refusalCode } from '../../../src/bridge/terminals/zvt/wire/index.ts';
import {
  validateSaleResult,
  validateVoidResult,
} from '../../../src/bridge/terminals/zvt/result-validation.ts';
import { createWireTrace } from '../../../src/bridge/terminals/zvt/wire-trace.ts';
import type { FrameField } from '../../../src/contract/frame.ts';
import { terminalRecordSchema } from '../../../src/contract/terminal.ts';
import { createNotingLog } from '../../support/noting-log.ts';
import type { Random } from '../../support/random.ts';
import { worstFrames } from '../../support/worst-zvt-frames.ts';
import { apduOf, vectors } from '../../wire/vectors.ts';
import { damaged } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

const encodings: readonly TextEncoding[] = ['cp437', 'latin1', 'utf8', 'ascii'];
/** Most inputs are as short as messages are; only now and then one is as long as it can be. */
const usualBytes = 300;
const longShare = 0.000_5;
const sale = { amountMinor: 1_212, maxAmountMinor: 1_212, currency: 'EUR' } as const;
const reversal = {
  amountMinor: 1_212,
  currency: 'EUR',
  receiptNumber: '0471',
  traceNumber: '000471',
  terminalId: null,
} as const;

export const zvtMessages: FuzzTarget = {
  name: 'zvt-messages',
  rule: 'any APDU is read, masked, described, traced and judged within bounds, and its record can be journaled',
  seeds: () => [...vectors.map(apduOf), ...worstFrames.map(({ make }) => make(700))],
  triesInTests: 1_000,
  triesInChunk: 100_000,
  make: message,
  open: () => {
    let traced: Record<string, unknown> = {};
    const log = createNotingLog((_level, _message, fields) => void (traced = fields));
    const traces = encodings.map((encoding) => createWireTrace(log, encoding, 'EUR'));
    return {
      play(input) {
        const before = hex(input);
        const choice = (input.at(-1) ?? 0) % encodings.length;
        const encoding = encodings[choice] ?? 'cp437';
        const read = decodeMessage(input, { encoding, answerTo: choice === 0 ? '0501' : undefined });
        assert.equal(read.maskedApdu.length, input.length);
        assert.ok(read.bitmaps.length <= maxBitmaps && read.problems.length <= 20);

        traced = {};
        traces[choice]?.('from_terminal', input);
        const fields = Array.isArray(traced['fields']) ? (traced['fields'] as FrameField[]) : [];
        assert.ok(fields.length <= 100);
        for (const [, value, place] of fields) {
          assert.ok(value.length <= 400);
          if (place !== undefined)
            assert.ok(place.from >= 1 && place.from <= place.to && place.to <= input.length);
        }
        assert.equal(hex(input), before);
        JSON.stringify(describeMessage(read, encoding));

        const record = toTerminalRecord(read, encoding);
        const journaled = terminalRecordSchema.safeParse(record);
        assert.ok(journaled.success, journaled.error?.message);
        const validationErrors = [
          contradictionIn(read),
          validateSaleResult(sale)(record, read),
          validateVoidResult(reversal)(record, read),
        ];
        // What is taken for our payment is exactly that.
        if (record.approved && validationErrors[0] === null && validationErrors[1] === null)
          assert.ok(record.amountMinor === null || record.amountMinor === sale.amountMinor);
        for (const validationError of validationErrors)
          assert.ok(validationError === null || validationError.length < 300);

        assert.ok(progressText(read, encoding).length <= 200);
        progressStep(read);
        const silenceMs = newSilenceLimitMs(read);
        assert.ok(silenceMs === null || (silenceMs > 0 && silenceMs <= 99 * 60_000));
        terminalStatusOf(read);
        refusalCode(input);
        const receipt = createReceiptLines(encoding);
        receipt.take(read);
        assert.ok(receipt.printed.receiptLines.length <= 1_000);
        return wordsOf(read.name, read.problems, read.bitmaps.length, read.tlv.length);
      },
      close() {},
    };
  },
};

/** A damaged message, most of the time with the length that it then has, so that what is in it is read. */
function message(random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  const input = damaged(random, corpus);
  const bytes = random.chance(longShare) ? input : input.subarray(0, usualBytes);
  if (bytes.length < 3 || random.chance(0.1)) return bytes;
  const head = bytes[2] === 0xff ? 5 : 3;
  return buildApdu(hex(bytes.subarray(0, 2)), bytes.subarray(head, head + maxDataLength));
}

function wordsOf(name: string, problems: readonly string[], bitmaps: number, objects: number): string {
  // Figures and bytes in it are of the input.
  const problem = problems[0]?.split(/[:\d]/)[0] ?? 'whole';
  return `${name}, ${problem}, ${Math.min(bitmaps, 3)} BMPs, ${Math.min(objects, 3)} objects`;
}
