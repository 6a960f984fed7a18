import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialectNames, dialects, dialectSchema, type Dialect } from '../../src/simulator/dialects.ts';
import { positive } from '../support/zvt-ecr.ts';
import {
  abort,
  closedDay,
  controlFields,
  endOfDay,
  field,
  lastRecord,
  pay,
  readLastRecord,
  register,
  reverse,
  setUp,
  statusEnquiry,
  statusOf,
} from './simulator-kit.ts';

const withContainer = '00';
/** Amounts whose last two digits refuse: by the issuer, by the customer. */
const declined = 1201;
const cancelled = 1202;

function kitOf(name: keyof typeof dialects, more: Partial<Dialect> = {}) {
  return setUp({ dialect: { ...dialects[name], ...more } });
}

describe('dialects', () => {
  it('are whole, and each but the strict one differs from it', () => {
    for (const name of dialectNames) {
      expect(dialectSchema.parse(dialects[name])).toEqual(dialects[name]);
      if (name !== 'strict') expect(dialects[name], name).not.toEqual(dialects.strict);
    }
  });

  it('are listed in the documentation, each once and no other', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/simulator.md'), 'utf8');
    const [, table = ''] = page.split('## Dialects');
    const listed = [...table.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, name]) => name);
    expect(listed).toEqual(dialectNames);
  });

  it('no-records: 06 20 completes without a 04 0F, whatever was charged', async () => {
    const kit = kitOf('no-records');
    const ecr = kit.connect();
    await ecr.run(pay(1200));
    expect(controlFields(await ecr.run(lastRecord))).toEqual(['8000', '060f']);
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
  });

  it('print-lines-only: 06 20 brings receipts and no 04 0F', async () => {
    const ecr = kitOf('print-lines-only').connect();
    await ecr.run(pay(1200));
    const shown = new Set(controlFields(await ecr.run(lastRecord)));
    expect(shown).toEqual(new Set(['8000', '06d1', '060f']));
  });

  it('never-used: shows nothing until it has done something', async () => {
    const ecr = kitOf('never-used').connect();
    expect(await readLastRecord(ecr)).toBeNull();
    await ecr.run(pay(1200));
    expect(await readLastRecord(ecr)).toMatchObject({ trace: '000001' });
  });

  it('late-id: the registration does not tell the id, records do', async () => {
    const ecr = kitOf('late-id').connect();
    const [, completion] = await ecr.run(register('18'));
    expect(field(completion as never, '29')).toBeNull();
    expect(field(statusOf(await ecr.run(lastRecord)), '29')).toBe('68000001');
  });

  it('reversal-hits-last: undoes the last payment whatever receipt and amount are named', async () => {
    const kit = kitOf('reversal-hits-last');
    const ecr = kit.connect();
    await ecr.run(pay(1200));
    await ecr.run(pay(3400));
    const status = statusOf(await ecr.run(reverse('0001', 1200)));
    expect([field(status, '37'), field(status, '04')]).toEqual(['000002', '000000003400']);
    await ecr.run(reverse('0001', 1200));
    expect((await ecr.run(reverse('0001', 1200))).at(-1)?.positional).toEqual({ resultCode: 0xb5 });
    expect(kit.ledger().slice(2)).toEqual(['reversed 34.00 0002', 'reversed 12.00 0001']);
  });

  it.each([
    ['no-tlv', '849a'],
    ['no-tlv-8483', '8483'],
  ] as const)(
    '%s: refuses a registration with a container, takes the plain one, and containers nowhere',
    async (name, answer) => {
      const kit = kitOf(name);
      const ecr = kit.connect();
      expect(controlFields(await ecr.run(register('18', withContainer)))).toEqual([answer]);
      expect(controlFields(await ecr.run(register('18')))).toEqual(['8000', '060f']);
      expect(controlFields(await ecr.run(pay(1200, '0600')))).toEqual(['8483']);
      await ecr.run(pay(1200));
      expect(kit.ledger()).toEqual(['charged 12.00 0001']);
    },
  );

  it('no-currency: 84 9A to BMP 49, and charges without it', async () => {
    const kit = kitOf('no-currency');
    const ecr = kit.connect();
    expect(controlFields(await ecr.run(register('18')))).toEqual(['849a']);
    expect(controlFields(await ecr.run('060004000000' + '18'))).toEqual(['8000', '060f']);
    expect(controlFields(await ecr.run(pay(1200)))).toEqual(['849a']);
    const status = statusOf(await ecr.run('06010704000000001200'));
    expect([field(status, '27'), field(status, '49')]).toEqual(['00', null]);
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
  });

  it('chatty: a 04 0F inside registration and status, and a completion with nothing in it', async () => {
    const ecr = kitOf('chatty').connect();
    for (const command of [register('18', withContainer), statusEnquiry]) {
      const messages = await ecr.run(command);
      expect(controlFields(messages)).toEqual(['8000', '040f', '060f']);
      expect(messages.at(-1)).toMatchObject({ bitmaps: [], positional: {} });
    }
  });

  it('chatty-records: the 04 0F inside an enquiry is the last record', async () => {
    const ecr = kitOf('chatty-records').connect();
    await ecr.run(pay(1200));
    expect(field(statusOf(await ecr.run(statusEnquiry)), '0b')).toBe('000001');
    expect(field(statusOf(await ecr.run(register('18'))), '0b')).toBe('000001');
  });

  it('no-status: 05 01 is not known', async () => {
    expect(controlFields(await kitOf('no-status').connect().run(statusEnquiry))).toEqual(['8483']);
  });

  it('silent-after-refusal: nothing comes after the refusing 04 0F, and the terminal is free', async () => {
    const kit = kitOf('silent-after-refusal');
    const ecr = kit.connect();
    ecr.send(pay(declined));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    expect(field(await ecr.nextApdu(), '27')).toBe('05');
    ecr.send(positive);
    await kit.clock.advance(60_000);
    expect(kit.simulator.state().busy).toBe(false);
    expect(controlFields(await ecr.run(lastRecord))).toEqual(['8000', '040f', '060f']);
  });

  it('cancel-completes: 27 = 6C is closed by 06 0F, another refusal by 06 1E', async () => {
    const kit = kitOf('cancel-completes');
    const ecr = kit.connect();
    expect(controlFields(await ecr.run(pay(cancelled)))).toEqual(['8000', '040f', '060f']);
    expect(controlFields(await ecr.run(pay(declined)))).toEqual(['8000', '040f', '061e']);
    expect(kit.ledger()).toEqual([]);
  });

  it('double-abort-answer: 06 B0 brings 80 00, 06 0F and 06 1E 6C with nothing between', async () => {
    const kit = setUp({ dialect: dialects['double-abort-answer'], timeScale: 1 });
    const ecr = kit.connect();
    ecr.send(pay(1200));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    ecr.send(abort);
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    // Not one answer of the till in between.
    expect((await ecr.nextApdu()).hex).toBe('060f00');
    expect((await ecr.nextApdu()).hex).toBe('061e016c');
    ecr.send(positive);
    ecr.send(positive);
    expect(controlFields(await ecr.run(lastRecord))).toEqual(['8000', '040f', '060f']);
    expect(kit.ledger()).toEqual([]);
  });

  it.each([
    ['tips', '13.20'],
    ['partial-approvals', '6.00'],
  ] as const)('%s: another amount is charged than was asked', async (name, amount) => {
    const kit = kitOf(name);
    const ecr = kit.connect();
    const status = statusOf(await ecr.run(pay(1200)));
    expect(field(status, '04')).toBe(amount.replace('.', '').padStart(12, '0'));
    expect(kit.ledger()).toEqual([`charged ${amount} 0001`]);
    expect(await readLastRecord(ecr)).toMatchObject({ amount: field(status, '04') });
  });

  it('amount-in-record: the result of a payment has no amount, and its record has', async () => {
    const ecr = kitOf('amount-in-record', { chargedPercent: 50 }).connect();
    expect(field(statusOf(await ecr.run(pay(1200))), '04')).toBeNull();
    expect(await readLastRecord(ecr)).toMatchObject({ amount: '000000000600' });
  });

  it('refusals-numbered: a refusal uses up a trace number and is not shown', async () => {
    const ecr = kitOf('refusals-numbered').connect();
    expect(field(statusOf(await ecr.run(pay(declined))), '0b')).toBe('000001');
    expect(await readLastRecord(ecr)).toMatchObject(closedDay);
    expect(field(statusOf(await ecr.run(pay(1200))), '0b')).toBe('000002');
  });

  it.each([
    ['refusals-stored', '000001', '000002'],
    ['refusals-without-number', null, '000001'],
  ] as const)('%s: a refusal is the last record, also after a restart', async (name, trace, next) => {
    const kit = kitOf(name);
    await kit.connect().run(pay(declined));
    const refusal = { result: '05', trace, receipt: null, amount: '000000001201' };
    expect(await readLastRecord(kit.connect())).toMatchObject(refusal);
    await kit.restart();
    const ecr = kit.connect();
    expect(await readLastRecord(ecr)).toMatchObject(refusal);
    expect(field(statusOf(await ecr.run(pay(1200))), '0b')).toBe(next);
  });

  it.each([
    ['bare-voids', '000001'],
    ['bare-void-records', null],
  ] as const)('%s: the answer to a void names nothing', async (name, inRecord) => {
    const kit = kitOf(name);
    const ecr = kit.connect();
    await ecr.run(pay(1200));
    const status = statusOf(await ecr.run(reverse('0001')));
    expect(['27', '37', '0b', '87'].map((tag) => field(status, tag))).toEqual(['00', null, null, null]);
    expect(await readLastRecord(ecr)).toMatchObject({ result: '00', originalTrace: inRecord });
    expect(kit.ledger().at(-1)).toBe('reversed 12.00 0001');
  });

  it('no-day-totals: the 04 0F of an end of day has no BMP 60', async () => {
    const kit = kitOf('no-day-totals');
    const ecr = kit.connect();
    await ecr.run(pay(1200));
    const status = statusOf(await ecr.run(endOfDay));
    expect([field(status, '60'), field(status, '04')]).toEqual([null, '000000001200']);
    expect(kit.ledger().at(-1)).toBe('settled 1 12.00');
  });

  it('forgets-the-last: after a loss of power the record before the last is shown, until there is another', async () => {
    const kit = kitOf('forgets-the-last');
    await kit.connect().run(pay(1200));
    await kit.connect().run(pay(3400));
    kit.simulator.losePower(100);
    await kit.clock.advance(100);
    expect(await readLastRecord(kit.connect())).toMatchObject({ trace: '000001' });
    await kit.connect().run(pay(5600));
    expect(await readLastRecord(kit.connect())).toMatchObject({ trace: '000003' });
    expect(kit.ledger()).toHaveLength(3);
  });

  it('closes-by-itself: the day is closed after so many payments', async () => {
    const kit = kitOf('closes-by-itself', { closesDayAfter: 2 });
    const ecr = kit.connect();
    for (const amount of [1200, 3400, 5600]) await ecr.run(pay(amount));
    expect(kit.ledger()).toEqual([
      'charged 12.00 0001',
      'charged 34.00 0002',
      'settled 2 46.00',
      'charged 56.00 0003',
    ]);
  });
});

describe('what real terminals do', () => {
  it('counts of one byte begin again after 255', async () => {
    const kit = setUp();
    for (let count = 0; count < 300; count += 1) kit.simulator.payManually(600);
    const totals = field(statusOf(await kit.connect().run(endOfDay)), '60') ?? '';
    // Offset 4 of BMP 60: the first group, 600 is paid with a girocard.
    expect([totals.slice(8, 10), totals.slice(10, 22)]).toEqual(['2c', '000000180000']);
  });

  it('a payment that would not fit into the batch is refused with 6A, manually too', async () => {
    const kit = setUp();
    kit.simulator.payManually(999_999_999_000);
    const ecr = kit.connect();
    const messages = await ecr.run(pay(1200));
    expect(field(statusOf(messages), '27')).toBe('6a');
    expect(messages.at(-1)).toMatchObject({ ctrl: '061e', positional: { resultCode: 0x6a } });
    expect(() => kit.simulator.payManually(1200)).toThrow('full');
    expect(field(statusOf(await ecr.run(pay(999))), '27')).toBe('00');
    expect(field(statusOf(await ecr.run(endOfDay)), '04')).toBe('999999999999');
    expect(kit.simulator.payManually(1200)).toBe('0003');
  });
});

describe('people and accidents', () => {
  it('a manual refund is the last record, looks like a payment, and is no part of the totals', async () => {
    const kit = setUp();
    kit.simulator.refundManually(1200);
    const ecr = kit.connect();
    expect(await readLastRecord(ecr)).toMatchObject({ result: '00', trace: '000001', originalTrace: null });
    await kit.restart();
    expect(await readLastRecord(kit.connect())).toMatchObject({ trace: '000001' });
    expect(field(statusOf(await kit.connect().run(endOfDay)), '04')).toBe('000000000000');
    expect(kit.ledger()).toEqual(['refunded 12.00 0001', 'settled 0 0.00']);
  });

  it('power lost before the result is acknowledged: the payment is undone, and nobody can connect for a while', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('00'));
    await ecr.run(pay(1200), () => null);
    kit.simulator.losePower(2_000);
    expect(await ecr.next()).toBe('closed');
    expect(kit.simulator.state().registration.configurationByte).toBe(0x86);
    expect(kit.simulator.accepting).toBe(false);
    await kit.clock.advance(2_000);
    expect(kit.simulator.accepting).toBe(true);
    expect(kit.ledger()).toEqual(['charged 12.00 0001', 'auto_reversed 12.00 0001']);
  });

  it('a reboot forgets the registration and what was under way, and the line stays', async () => {
    const kit = setUp({ timeScale: 1 });
    const ecr = kit.connect();
    await ecr.run(register('18'));
    ecr.send(pay(1200));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    kit.simulator.reboot();
    await kit.clock.advance(60_000);
    expect(kit.simulator.state()).toMatchObject({ busy: false, reach: 'reachable' });
    expect(kit.simulator.state().registration.configurationByte).toBe(0x86);
    expect(ecr.closed).toBe(false);
    expect(await readLastRecord(ecr)).toMatchObject(closedDay);
  });

  it('a cut line ends the connection and nothing else', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('18'));
    kit.simulator.cutLine(500);
    expect(await ecr.next()).toBe('closed');
    expect(kit.simulator.state().registration.configurationByte).toBe(0x18);
    await kit.clock.advance(500);
    expect(kit.simulator.accepting).toBe(true);
  });

  it('whoever watches hears of each command', async () => {
    const heard: string[] = [];
    const ecr = setUp({ onCommand: (ctrl) => heard.push(ctrl) }).connect();
    await ecr.run(register('18'));
    await ecr.run(pay(1200));
    expect(heard).toEqual(['0600', '0601']);
  });
});
