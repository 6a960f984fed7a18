import { describe, expect, it } from 'vitest';
import { findTlv, decodeText } from '../../src/bridge/terminals/zvt/wire/index.ts';
import { toTerminalRecord } from '../../src/bridge/terminals/zvt/record.ts';
import { dialects } from '../../src/simulator/dialects.ts';
import { settle } from '../support/virtual-clock.ts';
import { positive } from '../support/zvt-ecr.ts';
import {
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
  totals,
} from './simulator-kit.ts';

const printBlocks = '0626040a0206d3';

describe('registration and log-off', () => {
  it('tells terminal id and status, and the currency only if the till named it', async () => {
    const ecr = setUp({ terminalId: '12345678' }).connect();
    const [, named] = await ecr.run(register('18'));
    expect([field(named as never, '19'), field(named as never, '29'), field(named as never, '49')]).toEqual([
      '00',
      '12345678',
      '0978',
    ]);
    const [, unnamed] = await ecr.run('06000400000018');
    expect(field(unnamed as never, '49')).toBeNull();
    expect(field(statusOf(await ecr.run('06010704000000001200')), '49')).toBeNull();
  });

  it('refuses another currency and a wrong password', async () => {
    const ecr = setUp().connect();
    ecr.send('060006000000180756');
    expect((await ecr.nextApdu()).hex).toBe('841e036f0978');
    ecr.send('060006123456180978');
    expect((await ecr.nextApdu()).hex).toBe('843700');
  });

  it('log-off takes the configuration back to 86 and the permission for TLV away', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('18', '00'));
    expect(kit.simulator.state().registration).toMatchObject({ configurationByte: 0x18, tlvAllowed: true });
    expect(controlFields(await ecr.run('060200'))).toEqual(['8000']);
    expect(kit.simulator.state().registration).toMatchObject({ configurationByte: 0x86, tlvAllowed: false });
  });
});

describe('status enquiry', () => {
  it.each([
    ['with the version', statusEnquiry, { swVersion: 'Tillbridge simulator 1', terminalStatus: '00' }],
    ['without it', '0501050000000302', { terminalStatus: '00' }],
    ['without a password', '050100', { swVersion: 'Tillbridge simulator 1', terminalStatus: '00' }],
  ])('%s', async (_what, command, positional) => {
    const messages = await setUp().connect().run(command);
    expect(messages.at(-1)?.positional).toEqual(positional);
  });

  it('tells more in TLV when it is asked and allowed to', async () => {
    const ecr = setUp().connect();
    await ecr.run(register('18', '00'));
    const messages = await ecr.run('0501050000000306');
    expect(findTlv(messages.at(-1)?.tlv ?? [], 'e4', '1f44')).toHaveLength(1);
  });

  it('refuses a wrong password', async () => {
    const ecr = setUp().connect();
    ecr.send('050103111111');
    expect((await ecr.nextApdu()).hex).toBe('843700');
  });
});

describe('repeat receipt', () => {
  it('a terminal begins with the record of a closed day', async () => {
    const kit = setUp();
    const shown = statusOf(await kit.connect().run(lastRecord));
    expect([field(shown, '0b'), field(shown, '04')]).toEqual(['000000', '000000000000']);
    expect(field(shown, '60')).not.toBeNull();
    expect(kit.ledger()).toEqual([]);
    await kit.restart();
    expect(statusOf(await kit.connect().run(lastRecord)).maskedApdu).toEqual(shown.maskedApdu);
  });

  it('without a record: completion only', async () => {
    const ecr = setUp({ dialect: dialects['never-used'] }).connect();
    expect(controlFields(await ecr.run(lastRecord))).toEqual(['8000', '060f']);
    await ecr.run(pay(1200));
    expect(await readLastRecord(ecr)).toMatchObject({ trace: '000001' });
  });

  it('sends status or prints as the service byte says', async () => {
    const ecr = setUp().connect();
    await ecr.run(register('be', printBlocks));
    await ecr.run(pay(1200));
    const sent = async (service: string) => controlFields(await ecr.run(`06200500000003${service}`)).slice(1);
    expect(await sent('00')).toEqual(['06d3', '06d3', '060f']);
    expect(await sent('01')).toEqual(['040f', '06d3', '06d3', '060f']);
    expect(await sent('02')).toEqual(['060f']);
    expect(await sent('03')).toEqual(['040f', '060f']);
    expect(controlFields(await ecr.run('062003000000')).slice(1)).toEqual(['06d3', '06d3', '060f']);
  });

  it('shows a payment exactly as its own 04 0F did, later too, and decides nothing', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('08'));
    const fresh = statusOf(await ecr.run(pay(1200)));
    await kit.clock.advance(100_000);
    const shown = statusOf(
      await ecr.run(lastRecord, (message) => (message.ctrl === '040f' ? '846c00' : positive)),
    );
    expect(Buffer.from(shown.maskedApdu)).toEqual(Buffer.from(fresh.maskedApdu));
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
  });
});

describe('receipts as print data', () => {
  it('come in blocks when 06 D3 is listed, merchant and customer, in the character set of the terminal', async () => {
    const kit = setUp({ textEncoding: 'latin1' });
    const ecr = kit.connect();
    await ecr.run(register('be', printBlocks));
    const messages = await ecr.run(pay(1200));
    expect(controlFields(messages).slice(-4)).toEqual(['040f', '06d3', '06d3', '060f']);
    const [merchant, customer] = messages.filter(({ ctrl }) => ctrl === '06d3');
    const types = [merchant, customer].map((message) => findTlv(message?.tlv ?? [], '1f07')[0]?.value[0]);
    expect(types).toEqual([1, 2]);
    const lines = findTlv(customer?.tlv ?? [], '25', '07').map(({ value }) => decodeText(value, 'latin1'));
    expect(lines[0]).toBe('Café Tillbridge');
    expect(lines).toContain('Payment        EUR 12.00');
    expect(
      findTlv(customer?.tlv ?? [], '25')
        .at(-1)
        ?.children?.at(-1),
    ).toMatchObject({ tag: '09', value: Uint8Array.of(0x81) });
  });

  it('come line by line when it is not, with a last line each', async () => {
    const ecr = setUp().connect();
    await ecr.run(register('be'));
    const lines = (await ecr.run(pay(1200))).filter(({ ctrl }) => ctrl === '06d1');
    const attributes = lines.map(({ positional }) => positional['attribute']);
    expect(attributes.filter((attribute) => attribute === '81')).toHaveLength(2);
    expect(attributes.at(-1)).toBe('81');
  });

  it('stay in the terminal when it prints itself, or when the till builds them', async () => {
    const ecr = setUp().connect();
    for (const configuration of ['18', '3e', '9c']) {
      await ecr.run(register(configuration, printBlocks));
      expect(controlFields(await ecr.run(pay(1200)))).not.toContain('06d3');
    }
  });

  it.each([0, 1])(
    'a payment is final only after each of them: negative answer to number %i',
    async (which) => {
      const kit = setUp();
      const ecr = kit.connect();
      await ecr.run(register('b6', printBlocks));
      let prints = 0;
      await ecr.run(pay(1200), ({ ctrl }) => {
        if (ctrl !== '06d3') return positive;
        expect(kit.ledger()).toEqual([]);
        prints += 1;
        return prints === which + 1 ? '84cc00' : positive;
      });
      expect(kit.ledger()).toEqual(['charged 12.00 0001', 'auto_reversed 12.00 0001']);
    },
  );

  it('a payment is undone when the last receipt gets no answer', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('b6', printBlocks));
    let prints = 0;
    await ecr.run(pay(1200), ({ ctrl }) => {
      if (ctrl === '06d3') prints += 1;
      return prints === 2 ? null : positive;
    });
    await kit.clock.advance(4_900);
    expect(kit.ledger()).toEqual([]);
    await kit.clock.advance(200);
    expect(kit.ledger()).toEqual(['charged 12.00 0001', 'auto_reversed 12.00 0001']);
  });
});

describe('reversal', () => {
  it('undoes a payment by its receipt number, with numbers of its own', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(pay(1200));
    await ecr.run(pay(3400));
    const messages = await ecr.run(reverse('0001', 1200));
    expect(controlFields(messages).slice(-2)).not.toContain('061e');
    expect(toTerminalRecord(statusOf(messages))).toMatchObject({
      kind: 'reversal',
      approved: true,
      amountMinor: 1200,
      traceNumber: '000003',
      receiptNumber: '0003',
      originalTraceNumber: '000001',
    });
    expect(await readLastRecord(ecr)).toMatchObject({
      trace: '000003',
      originalTrace: '000001',
      result: '00',
    });
    expect(kit.ledger().at(-1)).toBe('reversed 12.00 0001');
    expect(kit.simulator.state().openBatch).toMatchObject({ count: 1, totalMinor: 3400 });
  });

  it.each([
    ['B4: already reversed', '0001', 1200, 'b4'],
    ['B5: not in the store', '0009', 1200, 'b5'],
    ['B5: another amount', '0002', 3401, 'b5'],
  ])('%s', async (_what, receipt, amountMinor, code) => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(pay(1200));
    await ecr.run(pay(3400));
    await ecr.run(reverse('0001'));
    const before = kit.ledger();
    const messages = await ecr.run(reverse(receipt, amountMinor));
    expect(field(statusOf(messages), '27')).toBe(code);
    expect(messages.at(-1)?.positional).toEqual({ resultCode: Number.parseInt(code, 16) });
    expect(kit.ledger()).toEqual(before);
  });

  it('of an auto-reversed or settled payment is not possible', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('00'));
    await ecr.run(pay(1200), ({ ctrl }) => (ctrl === '040f' ? '846c00' : positive));
    expect((await ecr.run(reverse('0001'))).at(-1)?.positional).toEqual({ resultCode: 0xb5 });
    await ecr.run(pay(1200));
    await ecr.run(endOfDay);
    expect((await ecr.run(reverse('0002'))).at(-1)?.positional).toEqual({ resultCode: 0xb5 });
  });

  it.each([
    ['a wrong password', '063009123456870001490978', '843700'],
    ['no receipt number', '063006000000490978', '848300'],
    ['another currency', '063009000000870001490756', '846f00'],
  ])('with %s is refused at once', async (_what, command, answer) => {
    const ecr = setUp().connect();
    ecr.send(command);
    expect((await ecr.nextApdu()).hex).toBe(answer);
  });

  it('that nobody acknowledges has never been: the payment stands, and no number is used', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('00'));
    await ecr.run(pay(1200));
    await ecr.run(reverse('0001'), () => null);
    await ecr.close();
    await settle();
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
    expect(await readLastRecord(kit.connect())).toMatchObject({ trace: '000001', result: '00' });
  });

  it('whose last message is lost is done', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(pay(1200));
    kit.simulator.queueScenario('cut_after_acknowledgement');
    await ecr.run(reverse('0001'));
    expect(ecr.closed).toBe(true);
    expect(kit.ledger()).toEqual(['charged 12.00 0001', 'reversed 12.00 0001']);
  });
});

describe('end of day', () => {
  it('tells the totals by card, empties the store, uses a trace number and keeps the receipt numbers', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(pay(600));
    await ecr.run(pay(700));
    await ecr.run(pay(1200));
    await ecr.run(reverse('0003'));
    const messages = await ecr.run(endOfDay);
    expect(toTerminalRecord(statusOf(messages))).toMatchObject({
      kind: 'batch_close',
      approved: true,
      amountMinor: 1300,
      traceNumber: '000005',
      receiptFrom: '0001',
      receiptTo: '0004',
      totals: expect.arrayContaining([
        { scheme: 'girocard', count: 1, totalMinor: 600 },
        { scheme: 'mastercard', count: 1, totalMinor: 700 },
        { scheme: 'visa', count: 0, totalMinor: 0 },
      ]) as unknown,
    });
    expect(kit.ledger().at(-1)).toBe('settled 2 13.00');
    expect(statusOf(await ecr.run(lastRecord)).maskedApdu).toEqual(statusOf(messages).maskedApdu);
    expect(kit.simulator.state().openBatch.count).toBe(0);
    await ecr.run(pay(1200));
    expect(await readLastRecord(ecr)).toMatchObject({ trace: '000006', receipt: '0005' });
  });

  it('is closed even if the till never hears of it', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(pay(1200));
    kit.simulator.queueScenario('cut_before_acknowledgement');
    await ecr.run(endOfDay);
    expect(ecr.closed).toBe(true);
    await kit.clock.advance(3_100);
    expect(field(statusOf(await kit.connect().run(lastRecord)), '60')).toMatch(/^00010001/);
    expect(kit.ledger()).toEqual(['charged 12.00 0001', 'settled 1 12.00']);
  });

  it('stays open when the power is lost before the host has it', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(pay(1200));
    kit.simulator.queueScenario('power_loss');
    await ecr.run(endOfDay);
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
    expect(kit.simulator.state().openBatch.count).toBe(1);
  });

  it('of an empty store is a close of nothing', async () => {
    const kit = setUp();
    const messages = await kit.connect().run(endOfDay);
    expect(controlFields(messages).at(-1)).toBe('060f');
    expect(kit.ledger()).toEqual(['settled 0 0.00']);
  });

  it('06 10 tells the same totals and closes nothing', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(pay(1200));
    const record = toTerminalRecord(statusOf(await ecr.run(totals)));
    expect(record).toMatchObject({ kind: 'batch_close', amountMinor: 1200, traceNumber: null });
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
    expect(await readLastRecord(ecr)).toMatchObject({ trace: '000001' });
  });
});

describe('other commands', () => {
  it('a diagnosis finds everything well', async () => {
    expect(controlFields(await setUp().connect().run('067000'))).toEqual(['8000', '060f']);
  });

  it.each(['069303000000', '062100', '0fa100', '040f022700'])(
    '%s is answered with 84 83',
    async (command) => {
      const ecr = setUp().connect();
      ecr.send(command);
      expect((await ecr.nextApdu()).hex).toBe('848300');
    },
  );
});
