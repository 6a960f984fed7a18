import { describe, expect, it } from 'vitest';
import { findTlv } from '../../src/bridge/terminals/zvt/wire/index.ts';
import { toTerminalRecord } from '../../src/bridge/terminals/zvt/record.ts';
import { settle } from '../support/virtual-clock.ts';
import { positive } from '../support/zvt-ecr.ts';
import {
  closedDay,
  abort,
  controlFields,
  field,
  pay,
  readLastRecord,
  register,
  reverse,
  setUp,
  statusOf,
} from './simulator-kit.ts';

describe('a payment at the simulated terminal', () => {
  it('is charged when the till has acknowledged the result', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('18'));
    const messages = await ecr.run(pay(1200));
    expect(controlFields(messages)).toEqual(['8000', '04ff', '04ff', '04ff', '040f', '060f']);
    expect(toTerminalRecord(statusOf(messages))).toMatchObject({
      kind: 'payment',
      approved: true,
      amountMinor: 1200,
      currency: 'EUR',
      terminalId: '68000001',
      traceNumber: '000001',
      receiptNumber: '0001',
      turnoverNumber: '000001',
      merchantId: 'TILLBRIDGE00001',
      hostResponseCode: '00',
    });
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
  });

  it('is not charged before the answer, and charged at the moment of it', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('00'));
    ecr.send(pay(1200));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    expect((await ecr.nextApdu()).ctrl).toBe('040f');
    await settle();
    expect(kit.ledger()).toEqual([]);
    ecr.send(positive);
    expect((await ecr.nextApdu()).ctrl).toBe('060f');
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
  });

  it('takes 84 00 for an acceptance, too', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(pay(1200), (message) => (message.ctrl === '040f' ? '840000' : positive));
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
  });

  it.each(['846c00', '84cc00', '848300'])(
    'is reversed when the till refuses the result with %s',
    async (refusal) => {
      const kit = setUp();
      const ecr = kit.connect();
      await ecr.run(register('08'));
      let results = 0;
      const messages = await ecr.run(pay(1200), (message) => {
        if (message.ctrl !== '040f') return positive;
        results += 1;
        return results === 1 ? refusal : positive;
      });
      expect(controlFields(messages).slice(-4)).toEqual(['040f', '04ff', '040f', '061e']);
      expect(field(statusOf(messages), '27')).toBe('6c');
      expect(kit.ledger()).toEqual(['charged 12.00 0001', 'auto_reversed 12.00 0001']);
      expect(await readLastRecord(ecr)).toEqual({
        result: '6c',
        trace: '000001',
        originalTrace: '000001',
        receipt: '0001',
        amount: '000000001200',
      });
    },
  );

  it('is reversed when the till takes the result and then says nothing for T3, and not before', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('00'));
    await ecr.run(pay(1200), (message) => (message.ctrl === '040f' ? null : positive));
    await kit.clock.advance(4_900);
    expect(kit.ledger()).toEqual([]);
    await kit.clock.advance(200);
    expect(kit.ledger()).toEqual(['charged 12.00 0001', 'auto_reversed 12.00 0001']);
    expect(field(await ecr.nextApdu(), '27')).toBe('6c');
  });

  it('is reversed when nobody acknowledges the frame of the result three times', async () => {
    const kit = setUp({ timeScale: 1 });
    const ecr = kit.connect();
    await ecr.run(register('00'));
    ecr.send(pay(1200));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    ecr.acknowledges = false;
    await kit.clock.advance(1_000);
    const copies = [(await ecr.nextApdu()).hex];
    for (let repeat = 0; repeat < 2; repeat += 1) {
      await kit.clock.advance(5_000);
      copies.push((await ecr.nextApdu()).hex);
    }
    await kit.clock.advance(4_900);
    expect(kit.ledger()).toEqual([]);
    await kit.clock.advance(200);
    expect(copies[0]).toMatch(/^040f/);
    expect(copies).toEqual([copies[0], copies[0], copies[0]]);
    expect(kit.ledger()).toEqual(['charged 12.00 0001', 'auto_reversed 12.00 0001']);
    expect(kit.simulator.state().busy).toBe(false);
    expect(ecr.quiet).toBe(true);
  });

  it('is reversed when the connection ends before the answer', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(pay(1200), () => null);
    await ecr.close();
    await settle();
    expect(kit.ledger()).toEqual(['charged 12.00 0001', 'auto_reversed 12.00 0001']);
  });

  it('stays charged when the connection ends after the answer', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('00'));
    await ecr.run(pay(1200), (message) => (message.ctrl === '060f' ? null : positive));
    await ecr.close();
    await settle();
    await kit.clock.advance(60_000);
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
    expect(await readLastRecord(kit.connect())).toMatchObject({ result: '00', originalTrace: null });
  });

  it('never happened when the connection ends before the result', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('08'));
    await ecr.run(pay(1200), () => null);
    await ecr.close();
    await settle();
    expect(kit.ledger()).toEqual([]);
    expect(kit.simulator.state()).toMatchObject({ busy: false, lastRecord: { kind: 'batch' } });
    expect(await readLastRecord(kit.connect())).toMatchObject(closedDay);
  });

  it('tells its progress only to a till that asked for it, with texts only for one that takes TLV', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('10', '00'));
    expect(controlFields(await ecr.run(pay(1200)))).toEqual(['8000', '040f', '060f']);
    await ecr.run(register('18', '00'));
    const [, insertCard] = await ecr.run(pay(1200));
    expect(insertCard?.positional).toMatchObject({ status: '0a', timeoutMin: '01' });
    const texts = findTlv(insertCard?.tlv ?? [], '24', '07').map(({ value }) =>
      Buffer.from(value).toString(),
    );
    expect(texts).toEqual(['Insert card']);
    await ecr.run(register('18'));
    const [, plain] = await ecr.run(pay(1200));
    expect(plain?.tlv).toEqual([]);
  });

  it('takes about a second at time scale 1, and no money before that', async () => {
    const kit = setUp({ timeScale: 1 });
    const ecr = kit.connect();
    await ecr.run(register('00'));
    ecr.send(pay(1200));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    await kit.clock.advance(900);
    expect(ecr.quiet).toBe(true);
    await kit.clock.advance(200);
    expect((await ecr.nextApdu()).ctrl).toBe('040f');
  });

  it('chooses the same card for the same amount, and shows at most four digits of it', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    const numbers = [];
    for (const amountMinor of [100, 200, 300, 400, 500, 600, 700]) {
      const status = statusOf(await ecr.run(pay(amountMinor)));
      numbers.push([field(status, '8a'), toTerminalRecord(status).maskedCardNumber]);
    }
    expect(numbers[0]).toEqual(numbers[6]);
    expect(new Set(numbers.map(([type]) => type)).size).toBe(6);
    for (const [, number] of numbers) expect(number).toMatch(/^\*{11,15}\d{4}$/);
  });
});

describe('84 9C, "not yet"', () => {
  it('brings the same result again after 2 s, as often as BMP 02 allows; then the payment is reversed', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('00'));
    ecr.send(pay(1200, '0202'));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    const first = await ecr.nextApdu();
    for (let round = 0; round < 2; round += 1) {
      ecr.send('849c00');
      expect(await ecr.next()).toBe('ack');
      await kit.clock.advance(1_900);
      expect(ecr.quiet).toBe(true);
      await kit.clock.advance(200);
      expect((await ecr.nextApdu()).hex).toBe(first.hex);
    }
    expect(kit.ledger()).toEqual([]);
    ecr.send('849c00');
    expect((await ecr.nextApdu()).hex).toBe('040f02276c');
    expect(kit.ledger()).toEqual(['charged 12.00 0001', 'auto_reversed 12.00 0001']);
  });

  it('ends with the acceptance that follows', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('00'));
    ecr.send(pay(1200));
    await ecr.nextApdu();
    await ecr.nextApdu();
    ecr.send('849c00');
    await kit.clock.advance(2_100);
    await ecr.nextApdu();
    ecr.send(positive);
    expect((await ecr.nextApdu()).ctrl).toBe('060f');
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
  });

  it('waits as long as BMP 01 says instead of T3', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('00'));
    await ecr.run(pay(1200, '011e'), () => null);
    await kit.clock.advance(29_000);
    expect(kit.ledger()).toEqual([]);
    await kit.clock.advance(1_100);
    expect(kit.ledger()).toHaveLength(2);
  });

  it('84 9D charges only the part that was handed out', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(pay(1200), (message) => (message.ctrl === '040f' ? '849d0704000000000700' : positive));
    expect(kit.ledger()).toEqual(['charged 7.00 0001']);
    expect(await readLastRecord(ecr)).toMatchObject({ amount: '000000000700' });
  });
});

describe('06 B0', () => {
  it('ends a payment that waits for the card with 6C, and nothing is stored', async () => {
    const kit = setUp({ timeScale: 1 });
    const ecr = kit.connect();
    await ecr.run(register('00'));
    ecr.send(pay(1200));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    await kit.clock.advance(100);
    const rest = await ecr.run(abort);
    expect(controlFields(rest)).toEqual(['8000', '040f', '061e']);
    expect(field(statusOf(rest), '27')).toBe('6c');
    expect(rest.at(-1)?.positional).toEqual({ resultCode: 0x6c });
    expect(kit.ledger()).toEqual([]);
    expect(await readLastRecord(ecr)).toMatchObject(closedDay);
  });

  it('is taken while the host has not answered, and comes too late afterwards', async () => {
    const kit = setUp({ timeScale: 1 });
    const ecr = kit.connect();
    await ecr.run(register('00'));
    ecr.send(pay(1207));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    await kit.clock.advance(29_000);
    expect(controlFields(await ecr.run(abort))).toEqual(['8000', '040f', '061e']);

    ecr.send(pay(1200));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    await kit.clock.advance(1_100);
    expect((await ecr.nextApdu()).ctrl).toBe('040f');
    ecr.send(abort);
    expect((await ecr.nextApdu()).hex).toBe('848300');
    ecr.send(positive);
    expect((await ecr.nextApdu()).ctrl).toBe('060f');
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
  });

  it('without a payment is answered with 80 00', async () => {
    const ecr = setUp().connect();
    ecr.send(abort);
    expect((await ecr.nextApdu()).hex).toBe('800000');
  });
});

describe('what cannot be served is refused at once', () => {
  it.each([
    ['another currency', '06010a04000000001200490756', '846f00'],
    ['no amount', '060103490978', '848300'],
    ['amount zero', pay(0), '84c800'],
    ['an unknown BMP', pay(1200, 'cc01'), '848300'],
    ['a length that does not fit', '0601080400000000120049', '848300'],
  ])('%s', async (_what, command, answer) => {
    const kit = setUp();
    const ecr = kit.connect();
    ecr.send(command);
    expect((await ecr.nextApdu()).hex).toBe(answer);
    expect(controlFields(await ecr.run(pay(1200))).at(-1)).toBe('060f');
  });

  it('a second command while the terminal is master: 84 83, and the first goes on', async () => {
    const kit = setUp({ timeScale: 1 });
    const ecr = kit.connect();
    await ecr.run(register('00'));
    ecr.send(pay(1200));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    for (const other of [pay(3400), register('00'), reverse('0001')]) {
      ecr.send(other);
      expect((await ecr.nextApdu()).hex).toBe('848300');
    }
    await kit.clock.advance(1_100);
    expect((await ecr.nextApdu()).ctrl).toBe('040f');
    ecr.send(positive);
    expect((await ecr.nextApdu()).ctrl).toBe('060f');
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
  });
});
