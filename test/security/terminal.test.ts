/** What a hostile or broken terminal can do to the bridge. Each attempt is a row. */
import { describe, expect, it } from 'vitest';
import { buildApdu } from '../../src/bridge/terminals/zvt/apdu.ts';
import { maxBitmaps } from '../../src/bridge/terminals/zvt/bitmaps.ts';
import { concatBytes, fromHex, hex } from '../../src/bridge/terminals/zvt/bytes.ts';
import { describeMessage } from '../../src/bridge/terminals/zvt/describe.ts';
import { frameWords } from '../../src/bridge/terminals/zvt/frame-words.ts';
import { decodeMessage, type ZvtMessage } from '../../src/bridge/terminals/zvt/messages.ts';
import { progressText } from '../../src/bridge/terminals/zvt/progress.ts';
import { createReceiptLines } from '../../src/bridge/terminals/zvt/receipt-lines.ts';
import { toTerminalRecord } from '../../src/bridge/terminals/zvt/record.ts';
import { tracedHex } from '../../src/bridge/terminals/zvt/wire-hex.ts';
import { buildLength, maxTlvObjects, type TlvObject } from '../../src/bridge/terminals/zvt/tlv.ts';
import { countReads } from '../support/counted-reads.ts';
import { largestApduBytes, worstFrames } from '../support/worst-zvt-frames.ts';

/** Everything that is ever made of one frame. */
function readInEveryWay(message: ZvtMessage) {
  const receipt = createReceiptLines('cp437');
  receipt.take(message);
  return {
    words: frameWords(message, 'EUR'),
    described: describeMessage(message),
    hex: tracedHex(message.maskedApdu, message),
    lines: receipt.lines,
    progress: progressText(message, 'cp437'),
    record: toTerminalRecord(message),
  };
}

function readsOf(apdu: Uint8Array): number {
  const counted = countReads(decodeMessage(apdu));
  readInEveryWay(counted.value);
  return counted.reads;
}

function countObjects(objects: readonly TlvObject[]): number {
  return objects.reduce((count, { children = [] }) => count + 1 + countObjects(children), 0);
}

describe('a frame that makes as much work as it can', () => {
  /** Small enough that no bound on the number of parts is reached: here only the way of reading counts. */
  const small = 1_000;
  /** Looked for by some twenty names, at nine depths; far below what grows with the square of the size. */
  const mostReadsPerByte = 25;

  it.each(worstFrames)('$what: takes twice the work at twice the size, not four times', ({ make }) => {
    const once = readsOf(make(small));
    const twice = readsOf(make(2 * small));
    expect(twice).toBeLessThanOrEqual(2.2 * once + 100);
    expect(twice).toBeLessThanOrEqual(mostReadsPerByte * 2 * small);
  });

  it.each(worstFrames)('$what: of 64 kB, stays within bounds', ({ make }) => {
    const apdu = make(largestApduBytes);
    const message = decodeMessage(apdu);
    expect(message.bitmaps.length).toBeLessThanOrEqual(maxBitmaps);
    expect(countObjects(message.tlv)).toBeLessThanOrEqual(maxTlvObjects);
    const { words, hex, lines, progress, record } = readInEveryWay(message);
    expect(words.length).toBeLessThanOrEqual(100);
    expect(JSON.stringify(words).length).toBeLessThan(30_000);
    expect(hex.length).toBeLessThan(3 * 2_048);
    expect(lines.length).toBeLessThanOrEqual(1_000);
    expect(progress.length).toBeLessThanOrEqual(200);
    expect(JSON.stringify(record).length).toBeLessThan(4_000);
    expect(message.problems.length).toBeLessThanOrEqual(20);
  });

  const cardNumber = '4111111111111111';
  it.each([
    ['TLV objects', `${'0700'.repeat(5_000)}5a08${cardNumber}`, 'tlv'],
    ['TLV objects, in text', `${'0700'.repeat(5_000)}0710${Buffer.from(cardNumber).toString('hex')}`, 'tlv'],
    ['TLV objects, one container after the other', `${'06020700'.repeat(5_000)}060a5a08${cardNumber}`, 'bmp'],
    ['BMPs', `${'2700'.repeat(300)}22f0f8${cardNumber}`, 'bmp'],
    ['BMPs, in text', `${'2700'.repeat(300)}f1f1f6${Buffer.from(cardNumber).toString('hex')}`, 'bmp'],
  ] as const)('more %s than are read: the card number behind them is masked', (_, parts, where) => {
    const bytes = fromHex(parts);
    const data = where === 'bmp' ? bytes : concatBytes(Uint8Array.of(0x06), buildLength(bytes.length), bytes);
    const apdu = buildApdu('040f', data);
    expect(Buffer.from(apdu).toString('latin1') + hex(apdu)).toContain(cardNumber);
    const message = decodeMessage(apdu);
    expect(message.problems).toEqual([expect.stringContaining('more ')]);
    const seen = JSON.stringify([describeMessage(message), frameWords(message, 'EUR')]);
    const bytesSeen = Buffer.from(message.maskedApdu).toString('latin1') + hex(message.maskedApdu);
    expect(seen + bytesSeen).not.toContain(cardNumber);
  });
});
