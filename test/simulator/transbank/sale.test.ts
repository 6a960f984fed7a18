import { describe, expect, it } from 'vitest';
import { LedgerError } from '../../../src/simulator/index.ts';
import { settle } from '../../support/virtual-clock.ts';
import { part, sale, setUp } from './kit.ts';
import { frameOf } from './till.ts';

describe('a request', () => {
  it('gets its ACK at once, and a poll nothing else', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.send('0100');
    await settle();
    expect(till.heard).toEqual(['ACK']);
    expect(kit.simulator.state()).toMatchObject({ busy: false, commands: { '0100': 1 } });
  });

  it('with a bad LRC gets NAK and is not carried out; in pieces, and with an LRC that is a control character, it is', async () => {
    const kit = setUp();
    const till = kit.connect();
    const frame = frameOf(sale(2_500));
    till.raw(...frame.slice(0, -1), (frame.at(-1) ?? 0) ^ 0x40);
    await settle();
    expect(till.heard).toEqual(['NAK']);
    expect(kit.ledger()).toEqual([]);
    // The LRC of a close is 06, that of a poll 02, that of normal mode 00.
    for (const byte of frameOf('0500||')) till.raw(byte);
    await kit.clock.until(() => till.heard.includes('0510|00|597000000001|TB000001'), 'a close');
    till.send('0100');
    await settle();
    expect(till.heard.at(-1)).toBe('ACK');
  });

  it('that stops in the middle gets NAK after a second', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.raw(...frameOf('0100').slice(0, 3));
    await kit.clock.advance(999);
    expect(till.heard).toEqual([]);
    await kit.clock.advance(1);
    expect(till.heard).toEqual(['NAK']);
  });

  it('that is unknown, or comes in normal mode, gets no answer', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.send('0999');
    await settle();
    expect(till.heard).toEqual([]);
    till.send('0300');
    till.send('0100');
    await settle();
    expect(till.heard).toEqual(['ACK']);
    kit.simulator.returnToIntegratedMode();
    till.send('0100');
    await settle();
    expect(till.heard).toEqual(['ACK', 'ACK']);
  });
});

describe('a sale', () => {
  it('is answered with the fields of the documentation, in the ledger first', async () => {
    const kit = setUp();
    const till = kit.connect();
    let ledgerThen: string[] = [];
    till.reply = () => {
      ledgerThen = kit.ledger();
      return 'ack';
    };
    const [ack, answer, ...rest] = await till.ask(sale(2_500));
    expect([ack, rest]).toEqual(['ACK', []]);
    expect(answer).toMatch(
      /^0210\|00\|597000000001\|TB000001\|ABC123\|\d{6}\|2500\|0\|\|3331\|000001\|DB\|000000\|\*{15}3331\|DB\|03062024\|\d{6}\|\|0\|\|$/,
    );
    expect(ledgerThen).toEqual(['charged 2500.00 000001']);
  });

  it.each([
    ['padded, no separator', '0200|000002400|A1|||0'],
    ['not padded, with a separator', '0200|2400|A1|||0|'],
    ['of a provider', '0270|2400|A1|| |0|597000000002|'],
  ])('is understood %s', async (_, request) => {
    const kit = setUp();
    const answer = (await kit.connect().ask(request)).at(-1);
    expect([part(answer, 1), part(answer, 4), part(answer, 6)]).toEqual(['00', 'A1', '2400']);
    if (request.startsWith('0270')) expect(part(answer, 21)).toBe('597000000002');
  });

  it('tells its progress only to a till that wants it, and waits for each ACK', async () => {
    const kit = setUp({ timeScale: 1 });
    const till = kit.connect();
    const told = await till.ask(sale(2_500, 'A1', 1));
    expect(told.slice(0, -1)).toEqual(['ACK', '0900|78', '0900|81', '0900|82']);
    expect((await till.ask(sale(2_500, 'A2', 0))).length).toBe(2);
  });

  it.each([
    ['72', '0200|000000000|A1|||0'],
    ['68', '0200|25.00|A1|||0'],
    ['70', '0200|2500|ABCDEFG|||0'],
  ])('is refused with %s: %s', async (code, request) => {
    const kit = setUp();
    expect(part((await kit.connect().ask(request)).at(-1), 1)).toBe(code);
    expect(kit.ledger()).toEqual([]);
  });

  it('is one thing at a time: nothing is heard before its answer is acknowledged', async () => {
    const kit = setUp({ timeScale: 1 });
    const till = kit.connect();
    till.reply = () => 'nothing';
    till.send(sale(2_500));
    await kit.clock.advance(500);
    till.send(sale(2_500));
    till.send('0100');
    await kit.clock.advance(5_000);
    till.send('0100');
    await settle();
    expect(till.heard.map((thing) => thing.slice(0, 4))).toEqual(['ACK', '0210']);
    till.raw(0x06);
    till.send('0100');
    await settle();
    expect(till.heard.at(-1)).toBe('ACK');
    expect(kit.ledger()).toEqual(['charged 2500.00 000001']);
  });

  it('sent again after it was done is another sale', async () => {
    const kit = setUp();
    const till = kit.connect();
    await till.ask(sale(2_500));
    await till.ask(sale(2_500));
    expect(kit.ledger()).toEqual(['charged 2500.00 000001', 'charged 2500.00 000002']);
  });
});

describe('an answer', () => {
  it('that nobody acknowledges comes three times with ten seconds between, and the sale stands', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.reply = () => 'nothing';
    till.send(sale(2_500));
    await settle();
    const answers = () => till.heard.filter((thing) => thing.startsWith('0210'));
    expect(answers().length).toBe(1);
    await kit.clock.advance(9_999);
    expect(answers().length).toBe(1);
    await kit.clock.advance(2);
    expect(answers().length).toBe(2);
    await kit.clock.advance(10_000);
    expect(answers().length).toBe(3);
    expect(kit.simulator.state().busy).toBe(true);
    await kit.clock.advance(60_000);
    expect(new Set(answers()).size).toBe(1);
    expect(answers().length).toBe(3);
    expect(kit.simulator.state().busy).toBe(false);
    expect(kit.ledger()).toEqual(['charged 2500.00 000001']);
  });

  it('that gets NAK comes again at once', async () => {
    const kit = setUp();
    const till = kit.connect();
    let naks = 0;
    till.reply = () => (naks++ === 0 ? 'nak' : 'ack');
    till.send(sale(2_500));
    await settle();
    expect(till.heard.map((thing) => thing.slice(0, 4))).toEqual(['ACK', '0210', '0210']);
    expect(kit.simulator.state().busy).toBe(false);
  });

  it('comes to the next connection, after the one that asked for it has gone', async () => {
    const kit = setUp({ timeScale: 1 });
    const first = kit.connect();
    first.send(sale(2_500));
    await kit.clock.advance(300);
    first.unplug();
    await kit.clock.advance(2_000);
    const second = kit.connect();
    await kit.clock.until(() => second.heard.some((thing) => thing.startsWith('0210|00|')), 'the answer');
    expect(kit.ledger()).toEqual(['charged 2500.00 000001']);
  });
});

describe('the last two digits of the amount choose what happens', () => {
  it.each([
    [2_501, '01', []],
    [2_502, '07', []],
    [2_503, '00', ['charged 2503.00 000001']],
    [2_507, '00', ['charged 2507.00 000001']],
  ])('%i is answered with %s', async (amount, code, ledger) => {
    const kit = setUp();
    const till = kit.connect();
    const heard = await till.ask(sale(amount, 'A1', 1));
    const answer = heard.at(-1);
    expect([part(answer, 1), part(answer, 4), part(answer, 6)]).toEqual([code, 'A1', String(amount)]);
    expect(part(answer, 5) === '').toBe(code !== '00');
    expect(kit.ledger()).toEqual(ledger);
    expect(heard.filter((thing) => thing === '0900|78').length).toBe(amount === 2_503 ? 2 : 1);
  });

  it('04: power is lost before it decides, and nothing was charged', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.send(sale(2_504));
    await kit.clock.until(() => till.closed, 'the end of the line');
    expect(kit.simulator.accepting).toBe(false);
    await kit.clock.advance(3_000);
    const again = kit.connect();
    expect(part((await again.ask('0250|')).at(-1), 1)).toBe('11');
    expect(kit.ledger()).toEqual([]);
  });

  it('05: the line is cut inside the answer, the sale stands, and the answer comes again', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.send(sale(2_505));
    await kit.clock.until(() => till.closed, 'the end of the line');
    expect(till.heard).toEqual(['ACK']);
    expect(kit.ledger()).toEqual(['charged 2505.00 000001']);
    await kit.clock.advance(3_000);
    const again = kit.connect();
    await kit.clock.until(() => again.heard.length > 0, 'the answer');
    expect(part(again.heard[0], 1)).toBe('00');
  });

  it('05 where nothing can be unplugged: half of an answer, silence, then the whole one', async () => {
    const kit = setUp();
    const till = kit.connect('pseudoTerminal');
    till.send(sale(2_505));
    await kit.clock.advance(2_999);
    till.send('0100');
    await kit.clock.advance(8_000);
    expect([till.closed, till.heard.map((thing) => thing.slice(0, 4))]).toEqual([
      false,
      ['ACK', 'bad ', '0210'],
    ]);
  });

  it('06: the line is cut behind the acknowledged answer', async () => {
    const kit = setUp();
    const till = kit.connect();
    expect(part((await till.ask(sale(2_506))).at(-1), 1)).toBe('00');
    await kit.clock.until(() => till.closed, 'the end of the line');
    expect(kit.simulator.state()).toMatchObject({ reach: 'cut', busy: false });
  });

  it('08: one NAK, garbage, a bad LRC and pieces; then approved', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.send(sale(2_508));
    await settle();
    expect(till.heard).toEqual(['NAK']);
    const heard = await till.ask(sale(2_508));
    expect(heard.map((thing) => thing.slice(0, 4))).toEqual(['ACK', 'bad ', '0210']);
    expect(kit.ledger()).toEqual(['charged 2508.00 000001']);
    expect((await till.ask('0250|')).length).toBe(2);
  });

  it('09: acknowledges, then says and hears nothing for a while', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.send(sale(2_509));
    await kit.clock.advance(19_999);
    till.send('0100');
    await settle();
    expect(till.heard).toEqual(['ACK']);
    await kit.clock.advance(2);
    till.send('0100');
    await settle();
    expect(till.heard).toEqual(['ACK', 'ACK']);
    expect(kit.ledger()).toEqual([]);
  });
});

describe('told to misbehave, it', () => {
  it('loses the ACK of a request and carries it out', async () => {
    const kit = setUp();
    kit.simulator.misbehave({ lostAcks: 1 });
    const heard = await kit.connect().ask(sale(2_500));
    expect(heard.map((thing) => thing.slice(0, 4))).toEqual(['0210']);
  });

  it('answers NAK to a good request and does not carry it out', async () => {
    const kit = setUp();
    kit.simulator.misbehave({ naks: 2 });
    const till = kit.connect();
    till.send(sale(2_500));
    till.send(sale(2_500));
    await settle();
    expect([till.heard, kit.ledger()]).toEqual([['NAK', 'NAK'], []]);
    await till.ask(sale(2_500));
    expect(kit.ledger()).toEqual(['charged 2500.00 000001']);
  });

  it('sends bad LRCs, a result again, in pieces', async () => {
    const kit = setUp();
    kit.simulator.misbehave({ badLrcs: 1, repeatedAnswers: 1, pieceBytes: 1 });
    const till = kit.connect();
    till.send(sale(2_500));
    await kit.clock.until(() => till.heard.length >= 4, 'all frames');
    expect(till.heard.map((thing) => thing.slice(0, 4))).toEqual(['ACK', 'bad ', '0210', '0210']);
    expect(till.heard[2]).toBe(till.heard[3]);
    expect(kit.ledger()).toEqual(['charged 2500.00 000001']);
  });

  it('charges and never answers', async () => {
    const kit = setUp();
    kit.simulator.misbehave({ lostAnswers: 1 });
    const till = kit.connect();
    till.send(sale(2_500));
    await kit.clock.advance(60_000);
    expect([till.heard, kit.ledger()]).toEqual([['ACK'], ['charged 2500.00 000001']]);
  });
});

describe('the ledger', () => {
  it('is its whole memory', async () => {
    const kit = setUp();
    await kit.connect().ask(sale(2_400));
    const before = (await kit.connect().ask('0250|')).at(-1);
    await kit.restart();
    const till = kit.connect();
    expect((await till.ask('0250|')).at(-1)).toBe(before);
    expect(part((await till.ask(sale(2_600))).at(-1), 10)).toBe('000002');
  });

  it('of another currency is refused, and so is a currency with a minor unit', async () => {
    const kit = setUp();
    await kit.connect().ask(sale(2_400));
    await expect(kit.restart({ currency: 'JPY' })).rejects.toThrow(LedgerError);
    await expect(kit.restart({ currency: 'EUR' })).rejects.toThrow('minor unit');
  });

  it('of another device is not its memory', async () => {
    const kit = setUp();
    await kit.connect().ask(sale(2_400));
    kit.simulator.replaceTerminal('TB000002');
    expect(part((await kit.connect().ask('0250|')).at(-1), 1)).toBe('11');
    kit.simulator.replaceTerminal('TB000001');
    expect(part((await kit.connect().ask('0250|')).at(-1), 1)).toBe('00');
  });
});
