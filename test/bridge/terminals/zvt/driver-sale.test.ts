import { describe, expect, it } from 'vitest';
import { fromHex, encodeSerialFrame } from '../../../../src/bridge/terminals/zvt/wire/index.ts';
import { settle } from '../../../support/virtual-clock.ts';
import { ack, nak, positive } from '../../../support/zvt-scripted-terminal.ts';
import {
  atWork,
  aborted,
  completion,
  createReadyKit,
  insertCard,
  playProbe,
  saleApdu,
  startSale,
  stateOf,
  status,
} from './driver-kit.ts';

const approval = status();
const refused = '846c00';

describe('a sale', () => {
  it('is done when the last result approved it and the terminal completed', async () => {
    const kit = await createReadyKit();
    const { terminal, disk, progress } = kit;
    const sale = startSale(kit);
    expect(await terminal.expect('0601')).toBe(saleApdu);
    terminal.send(positive);
    await terminal.tell(insertCard);
    await terminal.tell('04ff0c17000608240607044b617274');
    expect(disk.results).toEqual([]);
    await terminal.tell(approval);
    expect(disk.results).toMatchObject([{ approved: true, traceNumber: '000471' }]);
    expect(await stateOf(sale)).toBe('pending');
    await terminal.tell(completion);
    expect(await sale).toEqual({ kind: 'done', record: disk.results[0], receiptLines: [] });
    expect(progress).toEqual([expect.stringMatching(/insert card/i), 'Kart']);
    expect(terminal.moneyCommands).toEqual(['0601']);
    expect(kit.clock.waiting).toBe(0);
  });

  it('is on disk before it is acknowledged', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    let heardWhenWritten: string[] | null = null;
    const { persistResult } = kit.watch;
    const order: string[] = [];
    kit.watch.persistResult = (result) => {
      order.push('disk');
      return persistResult(result);
    };
    const write = kit.terminal.connection.write;
    kit.terminal.connection.write = (bytes) => {
      if (bytes.length > 1) order.push('answer');
      return write(bytes);
    };
    kit.terminal.send(approval);
    heardWhenWritten = await kit.terminal.heard();
    expect(heardWhenWritten).toContain(positive);
    expect(order).toEqual(['disk', 'answer']);
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'done' });
  });

  it('refused by the issuer is declined, with the words of the terminal', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', insertCard, status({ code: '05' }), '061e0105');
    expect(await sale).toMatchObject({
      kind: 'declined',
      reason: expect.stringMatching(/^Declined.*\.$/),
      record: { resultCode: '05' },
    });
    expect(kit.disk.results).toHaveLength(1);
  });

  it('stopped at the terminal is cancelled by the customer', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status({ code: '6c' }), aborted);
    expect(await sale).toMatchObject({ kind: 'cancelled', by: 'customer', record: { resultCode: '6c' } });
  });

  it.each([
    ['061e016c', { kind: 'cancelled', by: 'customer', record: null }],
    ['061e0164', { kind: 'declined', reason: expect.stringMatching(/unreadable/i), record: null }],
    ['061e00', { kind: 'declined', record: null }],
  ])('that ends with %s and no result took no money', async (message, expected) => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', message);
    expect(await sale).toMatchObject(expected);
  });

  it('refused at once, with one copy sent, never started', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.expect('0601');
    kit.terminal.send('846b00');
    expect(await sale).toEqual({
      kind: 'not_started',
      refusedByTerminal: true,
      reason: expect.stringMatching(/^The terminal refused: .*\.$/),
    });
    expect(await stateOf(startSale(kit))).toBe('pending');
    expect(kit.terminal.moneyCommands).toEqual(['0601', '0601']);
  });

  it('never started when its amount has no form', async () => {
    const kit = await createReadyKit();
    for (const amountMinor of [0, -1, 0.5, Number.NaN, 1_000_000_000_000]) {
      const sale = kit.driver.sale({ amountMinor, maxAmountMinor: amountMinor, currency: 'EUR' }, kit.watch);
      expect(await sale).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
    }
    expect(kit.terminal.moneyCommands).toEqual([]);
  });

  it('keeps the last result of several', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve(
      '0601',
      status({ code: '37' }),
      insertCard,
      status({ trace: '000472' }),
      completion,
    );
    expect(await sale).toMatchObject({ kind: 'done', record: { traceNumber: '000472' } });
    expect(kit.disk.results.map((result) => result.resultCode)).toEqual(['37', '00']);
  });

  it('answers what the terminal asks and the bridge does not offer', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', '040108aa2406030c102030', '06d1024041');
    for (const message of ['040d00', '040e00', '06d800', '06e400', '0fa100']) {
      await kit.terminal.tell(message, '848300');
    }
    await kit.terminal.tell(approval);
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'done' });
  });
});

describe('a part of the amount', () => {
  it('is refused, and declined when the terminal then says so', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    await kit.terminal.tell(status({ amountMinor: 500 }), refused);
    expect(kit.disk.results).toEqual([]);
    await kit.terminal.tell('04ff0105');
    await kit.terminal.tell(status({ code: '6c', amountMinor: 500 }));
    await kit.terminal.tell(aborted);
    expect(await sale).toMatchObject({
      kind: 'declined',
      reason: expect.stringMatching(/5\.00 EUR, only a part of the amount of 12\.00 EUR/),
    });
  });

  it.each([completion, aborted])('is unknown when nothing but %s follows', async (end) => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    await kit.terminal.tell(status({ amountMinor: 500 }), refused);
    await kit.terminal.tell(end);
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });
});

describe('a result that does not fit is refused, and the sale is unknown:', () => {
  it.each([
    ['another currency', status({ currency: '0756' })],
    ['a reversal', status({ original: '000470' })],
    ['an end of day', status({ totals: true })],
  ])('%s', async (_, message) => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    await kit.terminal.tell(message, refused);
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.disk.results).toEqual([]);
  });
});

describe('a disk that fails', () => {
  it('leaves the result unacknowledged and the sale unknown, whatever follows', async () => {
    for (const end of [[completion], [aborted], [status({ code: '6c' }), aborted]]) {
      const kit = await createReadyKit();
      kit.disk.writable = false;
      const sale = startSale(kit);
      await kit.terminal.serve('0601');
      await kit.terminal.tell(approval, refused);
      kit.disk.writable = true;
      for (const message of end) await kit.terminal.tell(message);
      expect(await sale).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/disk/) });
      expect(kit.terminal.moneyCommands).toEqual(['0601']);
    }
  });

  it('leaves a repeated result unacknowledged too', async () => {
    const kit = await createReadyKit();
    kit.disk.writable = false;
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    await kit.terminal.tell(approval, refused);
    kit.disk.writable = true;
    await kit.terminal.tell(approval, refused);
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.disk.results).toEqual([]);
  });
});

describe('on the wire, a sale', () => {
  it('whose ACK is lost is followed by what comes next, and goes out once', async () => {
    const kit = await createReadyKit();
    const { terminal, clock } = kit;
    terminal.acknowledges = false;
    const sale = startSale(kit);
    await terminal.expect('0601');
    await clock.advance(4_999);
    terminal.acknowledges = true;
    terminal.send(positive);
    for (const message of [insertCard, approval, completion]) await terminal.tell(message);
    expect(await sale).toMatchObject({ kind: 'done' });
    expect(terminal.moneyCommands).toEqual(['0601']);
  });

  it('that nobody acknowledges goes out once, is aborted once, and is unknown', async () => {
    const kit = await createReadyKit();
    const { terminal, clock } = kit;
    terminal.acknowledges = false;
    const sale = startSale(kit);
    await clock.advance(5_000);
    expect(await stateOf(sale)).toBe('pending');
    await clock.advance(10_000);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(await terminal.heard()).toEqual([saleApdu, '06b000']);
    expect(terminal.moneyCommands).toEqual(['0601']);
    expect(await startSale(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
  });

  it('that is acknowledged and then not answered goes out once, and is unknown', async () => {
    const kit = await createReadyKit();
    const { terminal, clock } = kit;
    const sale = startSale(kit);
    await clock.advance(5_000);
    await terminal.expect('0601');
    await terminal.expect('06b0');
    terminal.send(positive);
    // It was at work after all: its messages are answered, and its result is kept.
    await terminal.tell(status({ code: '6c' }));
    await terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.disk.results).toHaveLength(1);
    expect(terminal.moneyCommands).toEqual(['0601']);
  });

  it('goes out again on a NAK, and a refusal after that is unknown', async () => {
    const kit = await createReadyKit();
    const { terminal } = kit;
    terminal.acknowledges = false;
    const sale = startSale(kit);
    await terminal.expect('0601');
    terminal.sendBytes(nak);
    await terminal.expect('0601');
    terminal.sendBytes(ack);
    terminal.send('848300');
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(terminal.moneyCommands).toEqual(['0601', '0601']);
  });

  it('goes out again on a NAK, and is done when the terminal then takes it', async () => {
    const kit = await createReadyKit();
    const { terminal } = kit;
    terminal.acknowledges = false;
    const sale = startSale(kit);
    await terminal.expect('0601');
    terminal.sendBytes(nak);
    await terminal.expect('0601');
    terminal.acknowledges = true;
    terminal.sendBytes(ack);
    terminal.send(positive);
    await terminal.tell(approval);
    await terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'done' });
  });

  it('that gets nothing but NAKs is unknown', async () => {
    const kit = await createReadyKit();
    const { terminal, clock } = kit;
    terminal.acknowledges = false;
    const sale = startSale(kit);
    for (let copy = 0; copy < 3; copy += 1) {
      await terminal.expect('0601');
      terminal.sendBytes(nak);
    }
    await clock.advance(10_000);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(terminal.moneyCommands).toEqual(['0601', '0601', '0601']);
  });

  it('whose acceptance of the result is lost answers again, and stores once', async () => {
    const kit = await createReadyKit();
    const { terminal, clock } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601');
    terminal.acknowledges = false;
    terminal.send(approval);
    await terminal.expect(positive);
    // T2: our answer goes out again. Then the terminal repeats its result, having heard nothing.
    await clock.advance(5_000);
    await terminal.expect(positive);
    terminal.acknowledges = true;
    await terminal.tell(approval);
    await terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'done' });
    expect(kit.disk.results).toHaveLength(1);
    expect(terminal.moneyCommands).toEqual(['0601']);
  });

  it('whose acceptance of the result never gets through is unknown', async () => {
    const kit = await createReadyKit();
    const { terminal, clock } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601');
    terminal.acknowledges = false;
    terminal.send(approval);
    await clock.advance(15_000);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(await terminal.heard()).toEqual(['ack', 'ack', positive, positive, positive]);
    expect(await startSale(kit)).toMatchObject({ kind: 'not_started' });
  });

  it('stores a result once that comes twice, and answers it twice', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', approval, approval, insertCard, approval, completion);
    expect(await sale).toMatchObject({ kind: 'done' });
    expect(kit.disk.results).toHaveLength(1);
  });

  it('that was accepted and then broken off is unknown', async () => {
    for (const end of [[aborted], [status({ code: '6c' }), aborted], [status({ code: '6c' }), completion]]) {
      const kit = await createReadyKit();
      const sale = startSale(kit);
      await kit.terminal.serve('0601', approval, ...end);
      expect(await sale).toMatchObject({ kind: 'unknown' });
      expect(kit.terminal.moneyCommands).toEqual(['0601']);
    }
  });

  it.each([
    ['no result', [completion]],
    ['a result without a code', [status({ code: null }), completion]],
    ['a result without a code, then an abort', [status({ code: null }), aborted]],
    ['an error', [approval, '060f022705']],
  ])('that completes with %s is unknown', async (_, messages) => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', ...messages);
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });

  it('is done when the line is cut after the completion arrived', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', approval);
    kit.terminal.send(completion);
    await kit.terminal.cut();
    expect(await sale).toMatchObject({ kind: 'done' });
  });

  it('keeps a result that arrived with the cut, and is unknown', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    kit.terminal.send(approval);
    await kit.terminal.cut();
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.disk.results).toHaveLength(1);
  });

  it('takes frames in pieces and damaged ones when they come again', async () => {
    const kit = await createReadyKit();
    const { terminal, clock } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601');
    const frame = encodeSerialFrame(fromHex(approval));
    for (const byte of frame) {
      terminal.sendBytes(Uint8Array.of(byte));
      await clock.advance(10);
    }
    await terminal.expect(positive);
    const end = encodeSerialFrame(fromHex(completion));
    const damaged = end.slice();
    damaged[damaged.length - 1] = 0x55;
    terminal.sendBytes(damaged);
    expect(await terminal.heard()).toEqual(['nak']);
    terminal.sendBytes(end);
    expect(await sale).toMatchObject({ kind: 'done' });
  });

  it('drops a frame that comes again because its ACK was lost', async () => {
    const kit = await createReadyKit({ settings: { receipts: 'pos' } });
    const { terminal } = kit;
    const sale = startSale(kit);
    await terminal.expect('0601');
    terminal.send(positive);
    terminal.send(positive);
    await settle();
    await terminal.tell(approval);
    terminal.acknowledges = false;
    terminal.send('06d1024041');
    await terminal.expect(positive);
    // Our ACK and our answer were both lost: the terminal sends the line again, and it is printed once.
    terminal.send('06d1024041');
    await terminal.expect(positive);
    terminal.sendBytes(ack);
    await settle();
    // Acknowledged: an equal line now is a second one.
    terminal.acknowledges = true;
    await terminal.tell('06d1024041');
    await terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'done', receiptLines: ['A', 'A'] });
  });

  it('is unknown when the terminal was at work as the command came', async () => {
    for (const message of [approval, aborted, completion, insertCard]) {
      const kit = await createReadyKit();
      const sale = startSale(kit);
      await kit.terminal.expect('0601');
      // What it reports need not be of our command: an approval is not acknowledged, and nothing of it is kept.
      await kit.terminal.tell(message, message === approval ? '846c00' : positive);
      expect(await sale).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/at work/) });
      expect(kit.disk.results).toEqual([]);
    }
  });

  it('is done although the answer to the completion never gets through; the next one waits for a status poll', async () => {
    const kit = await createReadyKit();
    const { terminal, clock } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601', approval);
    terminal.acknowledges = false;
    terminal.send(completion);
    await clock.advance(15_000);
    expect(await sale).toMatchObject({ kind: 'done' });
    expect(await startSale(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
    expect(terminal.moneyCommands).toEqual(['0601']);
  });

  it('is followed by others: what is left over of one is answered and changes nothing', async () => {
    const kit = await createReadyKit();
    const { terminal } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601', approval, completion);
    expect(await sale).toMatchObject({ kind: 'done' });
    // The terminal did not get our answer to 06 0F and asks again.
    await terminal.tell(completion);
    const probe = kit.driver.probe();
    await playProbe(terminal, approval);
    expect(await probe).toMatchObject({ kind: 'ready' });
  });
});

describe('silence of a terminal at work', () => {
  it('is unknown after T4, which 04 FF and 04 0F start again', async () => {
    const kit = await createReadyKit();
    const { terminal, clock } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601');
    for (const message of [insertCard, status({ code: '37' })]) {
      await atWork(kit, 179_000);
      await terminal.tell(message);
    }
    await atWork(kit, 179_999);
    expect(await stateOf(sale)).toBe('pending');
    await clock.advance(1);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(terminal.moneyCommands).toEqual(['0601']);
    expect(kit.clock.waiting).toBe(0);
  });

  it('lasts as many minutes as the terminal asks for', async () => {
    const kit = await createReadyKit();
    const { terminal, clock } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601', '04ff020a10');
    await clock.advance(599_999);
    expect(await stateOf(sale)).toBe('pending');
    await clock.advance(1);
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });

  it('has an end even if the terminal never stops talking', async () => {
    const kit = await createReadyKit();
    const { terminal } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601');
    for (let minute = 0; minute < 60; minute += 1) {
      await terminal.tell('04ff010e');
      expect(await stateOf(sale)).toBe('pending');
      await atWork(kit, 60_000);
    }
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });
});

describe('how long the terminal took', () => {
  it('is told from the command to its first answer, and from the card to the result', async () => {
    const kit = await createReadyKit();
    const { clock, terminal } = kit;
    const sale = startSale(kit);
    await terminal.expect('0601');
    await clock.advance(40);
    terminal.send(positive);
    await terminal.tell(insertCard);
    // The customer looks for the card; the first one cannot be read.
    await clock.advance(5_000);
    await terminal.tell('04ff0104');
    await clock.advance(1_000);
    await terminal.tell('04ff010c');
    await clock.advance(5_000);
    await terminal.tell('04ff0102');
    await clock.advance(2_500);
    await terminal.tell('04ff0104');
    await clock.advance(700);
    await terminal.tell(approval);
    await terminal.tell('04ff010b');
    await clock.advance(4_000);
    await terminal.tell(completion);
    await sale;
    expect(kit.times).toEqual({ answerMs: 40, cardMs: 3_200 });
  });

  it('says nothing of the card where the terminal shows nothing of it', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    await kit.clock.advance(3_000);
    await kit.terminal.tell(approval);
    await kit.terminal.tell(completion);
    await sale;
    expect(kit.times).toEqual({ answerMs: 0 });
  });

  it('is told of a refusal, and not where no answer came', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.expect('0601');
    kit.terminal.send(refused);
    await sale;
    expect(kit.times).toEqual({ answerMs: 0 });
    const gone = await createReadyKit();
    const lost = startSale(gone);
    await gone.terminal.expect('0601');
    await gone.terminal.connection.close('drop');
    expect(await lost).toMatchObject({ kind: 'unknown' });
    expect(gone.times).toBe(null);
  });
});
