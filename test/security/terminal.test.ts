/** What a hostile or broken terminal can do to the bridge. Each attempt is a row. */
import { describe, expect, it } from 'vitest';
import {
  buildApdu,
  maxBitmaps,
  concatBytes,
  fromHex,
  hex,
  describeMessage,
  traceFields,
  encodeSerialFrame,
  decodeMessage,
  encodeMessage,
  type ZvtMessage,
  progressText,
  createReceiptLines,
  tracedHex,
  buildLength,
  maxTlvObjects,
  type TlvObject,
} from '../../src/bridge/terminals/zvt/wire/index.ts';
import { toTerminalRecord } from '../../src/bridge/terminals/zvt/record.ts';
import {
  aborted,
  amountMinor,
  completion,
  createKit,
  createReadyKit,
  insertCard,
  playReady,
  startSale,
  stateOf,
  status,
} from '../bridge/terminals/zvt/driver-kit.ts';
import { countReads } from '../support/counted-reads.ts';
import { createNotingLog } from '../support/noting-log.ts';
import { settle } from '../support/virtual-clock.ts';
import { largestApduBytes, worstFrames } from '../support/worst-zvt-frames.ts';

/** Everything that is ever made of one frame. */
function readInEveryWay(message: ZvtMessage) {
  const receipt = createReceiptLines('cp437');
  receipt.take(message);
  return {
    words: traceFields(message, 'EUR'),
    described: describeMessage(message),
    hex: tracedHex(message.maskedApdu, message),
    lines: receipt.printed.receiptLines,
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
    const seen = JSON.stringify([describeMessage(message), traceFields(message, 'EUR')]);
    const bytesSeen = Buffer.from(message.maskedApdu).toString('latin1') + hex(message.maskedApdu);
    expect(seen + bytesSeen).not.toContain(cardNumber);
  });
});

/** What the driver wrote into its log, as texts; `traced` are the frames of the terminal among them. */
function createLogProbe() {
  const lines: string[] = [];
  return {
    log: createNotingLog(
      (_level, message, fields) => void lines.push(`${message} ${JSON.stringify(fields)}`),
    ),
    lines,
    get traced() {
      return lines.filter((line) => line.startsWith('from terminal')).length;
    },
  };
}

function filled(unit: Uint8Array, bytes: number): Uint8Array {
  return concatBytes(...Array.from({ length: Math.floor(bytes / unit.length) }, () => unit));
}

const framed = (apduHex: string) => encodeSerialFrame(fromHex(apduHex));
const tooMuch = /sends more than can be handled/;

describe('a flood while a payment runs', () => {
  const damaged = framed(insertCard);
  damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;

  it.each([
    { what: 'messages in one piece', framing: 'tcp', unit: fromHex('04ff010a'), mostTraced: 110 },
    { what: 'results in one piece', framing: 'tcp', unit: fromHex('040f02276c'), mostTraced: 110 },
    { what: 'answers in one piece', framing: 'tcp', unit: fromHex('800000'), mostTraced: 110 },
    { what: 'messages in one piece', framing: 'serial', unit: framed('04ff010a'), mostTraced: 110 },
    {
      what: 'two messages by turns',
      framing: 'serial',
      unit: concatBytes(framed('04ff010a'), framed('04ff010b')),
      mostTraced: 110,
    },
    { what: 'damaged messages', framing: 'serial', unit: damaged, mostTraced: 10 },
    { what: 'empty frames', framing: 'serial', unit: fromHex('10021003ffff'), mostTraced: 10 },
    { what: 'noise between acknowledgements', framing: 'serial', unit: fromHex('0006'), mostTraced: 10 },
    { what: 'bytes that are no class', framing: 'tcp', unit: fromHex('000000'), mostTraced: 10 },
  ] as const)('of $what ($framing): reading ends, and the payment is unknown', async (row) => {
    const probe = createLogProbe();
    const kit = await createReadyKit({ framing: row.framing, log: probe.log });
    const sale = startSale(kit);
    await kit.terminal.serve('0601', insertCard);
    probe.lines.length = 0;
    kit.terminal.sendBytes(filled(row.unit, 65_535));
    await settle();
    // Where the line is not closed at once, the terminal floods on.
    for (let more = 0; more < 10 && !kit.terminal.connection.closed; more += 1) {
      kit.terminal.sendBytes(filled(row.unit, 65_535));
      await settle();
    }
    expect(kit.terminal.connection.closed).toBe(true);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
    expect(probe.traced).toBeLessThanOrEqual(row.mostTraced);
    expect(probe.lines.length).toBeLessThanOrEqual(500);
    expect(probe.lines.filter((line) => line.startsWith('the line to the terminal is closed'))).toHaveLength(
      1,
    );
  });

  it('says why the line was closed, to the log and to the cashier', async () => {
    const probe = createLogProbe();
    const kit = await createReadyKit({ framing: 'tcp', log: probe.log });
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    kit.terminal.sendBytes(filled(fromHex('04ff010a'), 65_535));
    expect(await sale).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(tooMuch) as string });
    expect(probe.lines.filter((line) => tooMuch.test(line)).length).toBeGreaterThan(0);
  });

  it('after the approval: the result that was taken over stays on disk', async () => {
    const kit = await createReadyKit({ framing: 'tcp' });
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status());
    kit.terminal.sendBytes(filled(fromHex('04ff010a'), 65_535));
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.disk.results).toMatchObject([{ approved: true, amountMinor }]);
  });
});

describe('a terminal that talks all the time', () => {
  it('in small pieces, each answered: so much a second and no more', async () => {
    const probe = createLogProbe();
    const kit = await createReadyKit({ framing: 'tcp', log: probe.log });
    probe.lines.length = 0;
    const piece = filled(fromHex('04ff010a'), 80);
    let seconds = 0;
    while (!kit.terminal.connection.closed && seconds < 60) {
      // 80 kB a second: not much for a network.
      for (let pieces = 0; pieces < 50; pieces += 1) {
        for (let count = 0; count < 20; count += 1) kit.terminal.sendBytes(piece);
        await kit.clock.advance(20);
      }
      seconds += 1;
    }
    expect(kit.terminal.connection.closed).toBe(true);
    expect(probe.lines.some((line) => tooMuch.test(line))).toBe(true);
    expect(probe.lines.filter((line) => line.includes('outside our commands')).length).toBeLessThanOrEqual(2);
  });

  it('as fast as a serial line can: it is heard for as long as it likes', async () => {
    const kit = await createReadyKit();
    // 115,200 baud; a terminal waits for its answer, so two messages by turns are the most there can be.
    const piece = concatBytes(framed('06d1024041'), framed('06d1024042'));
    for (let sent = 0; sent < 30; sent += 1) {
      for (let bytes = 0; bytes < 11_520 / 10; bytes += piece.length * 4) kit.terminal.sendBytes(piece);
      await kit.clock.advance(100);
      await kit.terminal.heard();
    }
    expect(kit.terminal.connection.closed).toBe(false);
  });

  it('and keeps a payment open: the payment ends as unknown within an hour', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    const beganAt = kit.clock.elapsed();
    let ended: unknown = 'pending';
    // Each message asks for 99 minutes of patience.
    for (let count = 0; count < 500 && ended === 'pending'; count += 1) {
      kit.terminal.send(count % 2 === 0 ? '04ff020a99' : '04ff020e99');
      await kit.clock.advance(10_000);
      await kit.terminal.heard();
      ended = await stateOf(sale);
    }
    expect(ended).toMatchObject({ kind: 'unknown' });
    expect(kit.clock.elapsed() - beganAt).toBeLessThanOrEqual(3_610_000);
  });

  it('with one result after the other: a bounded number is put on disk, and the payment is unknown', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    for (let trace = 500; trace < 700; trace += 1) {
      kit.terminal.send(status({ trace: String(trace).padStart(6, '0') }));
      await kit.terminal.heard();
    }
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/more results/) as string,
    });
    expect(kit.disk.results).toHaveLength(50);
  });

  it('with results of another amount: a bounded number is told', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    for (let more = 1; more <= 200; more += 1) {
      kit.terminal.send(status({ amountMinor: amountMinor + more }));
      await kit.terminal.heard();
    }
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.refused.length).toBeLessThanOrEqual(50);
    expect(kit.disk.results).toEqual([]);
  });

  it('with thousands of results while nothing runs: some are looked into, none is acknowledged', async () => {
    const probe = createLogProbe();
    const kit = await createReadyKit({ framing: 'tcp', log: probe.log });
    probe.lines.length = 0;
    for (let trace = 1; trace <= 1_000; trace += 1) {
      kit.terminal.send(status({ trace: String(trace).padStart(6, '0') }));
      const heard = await kit.terminal.heard();
      expect(heard.filter((each) => each !== 'closed')).toEqual(['846c00']);
    }
    expect(kit.late.results.length).toBeLessThanOrEqual(20);
    const said = probe.lines.filter((line) => !/^(?:from|to) terminal/.test(line));
    expect(said.length).toBeLessThanOrEqual(5);
    // Later it may have something to tell again.
    await kit.clock.advance(60_000);
    kit.terminal.send(status({ trace: '002000' }));
    await settle();
    expect(kit.late.results.at(-1)).toMatchObject({ traceNumber: '002000' });
  });

  it('with the end of a receipt, again and again: the receipt stays bounded', () => {
    const receipt = createReceiptLines('cp437');
    for (const apdu of ['06d1028141', '06d103ffff41', '06d30a0608250607010a090181']) {
      const message = decodeMessage(fromHex(apdu));
      for (let count = 0; count < 2_000; count += 1) receipt.take(message);
    }
    expect(receipt.printed.receiptLines.length).toBeLessThanOrEqual(1_000);
  });

  it('but acknowledges nothing: a payment ends as unknown, with one command sent', async () => {
    const kit = await createReadyKit();
    kit.terminal.acknowledges = false;
    const sale = startSale(kit);
    await kit.clock.advance(30_000);
    for (let count = 0; count < 100; count += 1) {
      kit.terminal.send(count % 2 === 0 ? insertCard : '04ff010b');
      await kit.clock.advance(1_000);
    }
    expect(await stateOf(sale)).toMatchObject({ kind: 'unknown' });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });
});

describe('the result of another payment than the one that was asked for (12.12)', () => {
  const asked = 1_212;
  const of = (...parts: [string, string][]) => hex(encodeMessage({ ctrl: '040f', bitmaps: parts }));
  const good = [
    ['27', '00'],
    ['04', '000000001212'],
    ['49', '0978'],
    ['0b', '000471'],
    ['87', '0471'],
  ] as [string, string][];
  const instead = (tag: string, value: string) =>
    of(...good.map(([each, old]) => [each, each === tag ? value : old] as [string, string]));

  it.each([
    ['999.00', instead('04', '000000099900'), /999\.00 EUR, more than the 12\.12 EUR/],
    [
      'the largest amount there is',
      instead('04', '999999999999'),
      /9999999999\.99 EUR, more than the 12\.12 EUR/,
    ],
    ['a cent more', instead('04', '000000001213'), /12\.13 EUR, more than the 12\.12 EUR/],
    ['a cent less', instead('04', '000000001211'), /only a part of the amount of 12\.12 EUR/],
    ['nothing', instead('04', '000000000000'), /only a part/],
    ['an amount that is no number', instead('04', '00000000121e'), /cannot be read/],
    ['another currency', instead('49', '0756'), /another currency/],
    ['12.12, then 999.00', of(...good, ['04', '000000099900']), /two different amounts/],
    ['approved, then declined', of(...good, ['27', '6c']), /two different result codes/],
    ['two trace numbers', of(...good, ['0b', '000472']), /two different trace numbers/],
    ['two currencies', of(...good, ['49', '0756']), /two different currencies/],
    ['a reversal', of(...good, ['37', '000470']), /something else than a payment/],
    ['an end of day', of(...good, ['60', `04700471${'00'.repeat(49)}`]), /something else than a payment/],
  ])('%s: is refused at once, put on no disk, and said in words', async (_, result, words) => {
    for (const [end, kind] of [
      [completion, 'unknown'],
      [aborted, 'unknown'],
    ] as const) {
      const kit = await createReadyKit();
      const sale = kit.driver.sale({ amountMinor: asked, maxAmountMinor: asked, currency: 'EUR' }, kit.watch);
      await kit.terminal.serve('0601');
      await kit.terminal.tell(result, '846c00');
      expect(kit.refused).toHaveLength(1);
      await kit.terminal.tell(end);
      expect(await sale).toMatchObject({ kind, reason: expect.stringMatching(words) as string });
      expect(kit.disk.results).toEqual([]);
    }
  });

  it('declined, then approved in one message: is unknown, not declined', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    kit.terminal.send(of(['27', '6c'], ['27', '00'], ['04', '000000001200'], ['0b', '000471']));
    await kit.terminal.heard();
    await kit.terminal.tell(aborted);
    expect(await sale).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/two different result codes/) as string,
    });
  });

  it('in a last record that contradicts itself: proves nothing', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await playReady(kit.terminal, of(...good, ['04', '000000099900']));
    expect(await readiness).toMatchObject({ kind: 'ready', lastRecord: { kind: 'unavailable' } });
  });
});
