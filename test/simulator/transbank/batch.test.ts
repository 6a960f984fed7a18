import { describe, expect, it } from 'vitest';
import { transbankDialects } from '../../../src/simulator/transbank/dialects.ts';
import { part, sale, setUp } from './kit.ts';

/** Sales of cards that are credit and debit. */
const credit = 2_400;
const debit = 2_500;

describe('last sale, detail and totals', () => {
  it('tell what is in the batch, and a close begins a new one', async () => {
    const kit = setUp();
    const till = kit.connect();
    expect(part((await till.ask('0250|')).at(-1), 1)).toBe('11');
    expect((await till.ask('0700||')).at(-1)).toBe('0710|00|0|0');
    await till.ask(sale(credit, 'A1'));
    await till.ask(sale(debit, 'A2'));
    await till.ask(sale(2_401, 'A3'));
    // A declined attempt is no sale.
    const last = (await till.ask('0250')).at(-1);
    expect([part(last, 0), part(last, 4), part(last, 6)]).toEqual(['0260', 'A2', '2500']);
    expect((await till.ask('0700||')).at(-1)).toBe('0710|00|2|4900');
    const [, first, second, end, ...rest] = await till.ask('0260|1|');
    expect(rest).toEqual([]);
    expect([part(first, 4), part(first, 7), part(first, 8), part(first, 9)]).toEqual([
      'A1',
      '6590',
      '000001',
      'CR',
    ]);
    expect([part(second, 4), part(second, 5)]).toEqual(['A2', part(last, 5)]);
    expect([part(end, 1), part(end, 5)]).toEqual(['00', '']);
    expect(part((await till.ask('0500||')).at(-1), 1)).toBe('00');
    expect(part((await till.ask('0250|')).at(-1), 1)).toBe('11');
    expect(part((await till.ask(sale(credit))).at(-1), 10)).toBe('000001');
    expect(kit.ledger()).toEqual([
      'charged 2400.00 000001',
      'charged 2500.00 000002',
      'settled 2 4900.00',
      'charged 2400.00 000001',
    ]);
  });

  it('printed on the terminal, the detail is an ACK only', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.send('0260|0|');
    await kit.clock.advance(1_000);
    expect(till.heard).toEqual(['ACK']);
  });

  it('a series that is not acknowledged ends after three sends of a line', async () => {
    const kit = setUp();
    const till = kit.connect();
    await till.ask(sale(credit, 'A1'));
    await till.ask(sale(credit, 'A2'));
    till.reply = () => 'nothing';
    till.heard.length = 0;
    till.send('0260|1|');
    await kit.clock.advance(120_000);
    expect(till.heard.map((thing) => part(thing, 4) ?? thing)).toEqual(['ACK', 'A1', 'A1', 'A1']);
    expect(kit.simulator.state().busy).toBe(false);
  });

  it('of several merchants, the last sale has a command of its own', async () => {
    const kit = setUp();
    const till = kit.connect();
    await till.ask(sale(credit, 'A1'));
    await till.ask('0270|2400|A2|||0|597000000002');
    expect(part((await till.ask('0250|')).at(-1), 4)).toBe('A1');
    const last = (await till.ask('0280|1')).at(-1);
    expect([part(last, 0), part(last, 4), part(last, 21)]).toEqual(['0281', 'A2', '597000000002']);
  });
});

describe('a void', () => {
  it('undoes a credit sale of the open batch, once', async () => {
    const kit = setUp();
    const till = kit.connect();
    await till.ask(sale(credit));
    await till.ask(sale(debit));
    const codeOf = async (operation: string) => part((await till.ask(`1200|${operation}|`)).at(-1), 1);
    expect(await codeOf('9')).toBe('05');
    expect(await codeOf('2')).toBe('08');
    expect(await codeOf('000001')).toBe('00');
    expect(await codeOf('1')).toBe('04');
    expect(kit.ledger().slice(2)).toEqual(['reversed 2400.00 000001']);
    expect((await till.ask('0700||')).at(-1)).toBe('0710|00|1|2500');
    await till.ask('0500||');
    expect(await codeOf('2')).toBe('05');
  });

  it('tells an authorisation code and the operation number', async () => {
    const kit = setUp();
    const till = kit.connect();
    await till.ask(sale(credit));
    expect((await till.ask('1200|1|')).at(-1)).toMatch(/^1210\|00\|597000000001\|TB000001\|\d{6}\|000001$/);
  });

  it.each(['cut_before_acknowledgement', 'cut_after_acknowledgement'] as const)(
    'stands when the line is cut (%s)',
    async (scenario) => {
      const kit = setUp();
      const till = kit.connect();
      await till.ask(sale(credit));
      kit.simulator.queueScenario(scenario);
      till.send('1200|1|');
      await kit.clock.until(() => till.closed, 'the end of the line');
      expect(kit.ledger()).toEqual(['charged 2400.00 000001', 'reversed 2400.00 000001']);
    },
  );
});

describe('people at the terminal', () => {
  it('sell, void and close without the till, and not while it is at work', async () => {
    const kit = setUp({ timeScale: 1 });
    const { simulator } = kit;
    expect(simulator.payManually(credit)).toBe('000001');
    expect(simulator.payManually(debit)).toBe('000002');
    simulator.reverseManually('000001');
    expect(() => simulator.reverseManually('000001')).toThrow('cannot be voided');
    expect(() => simulator.reverseManually('000002')).toThrow('cannot be voided');
    kit.connect().send(sale(credit));
    await kit.clock.advance(100);
    expect(() => simulator.payManually(credit)).toThrow('busy');
    expect(() => simulator.closeDayManually()).toThrow('busy');
    await kit.clock.advance(60_000);
    simulator.closeDayManually();
    expect(kit.ledger().at(-1)).toBe('settled 2 4900.00');
  });
});

describe('a dialect', () => {
  const withDialect = (name: keyof typeof transbankDialects) => setUp({ dialect: transbankDialects[name] });

  it('ends its messages in its own way', async () => {
    const answers = async (name: keyof typeof transbankDialects) => {
      const till = withDialect(name).connect();
      const heard = await till.ask(sale(credit, 'A1', 1));
      return { answer: heard.at(-1), progress: heard[1] };
    };
    const strict = await answers('strict');
    expect(strict.progress).toBe('0900|78');
    expect(await answers('ends-with-separator')).toEqual({
      answer: `${strict.answer}|`,
      progress: '0900|78|',
    });
    expect((await answers('short-answers')).answer).toMatch(/\|0$/);
    expect((await withDialect('short-answers').connect().ask('0260|1|')).at(-1)).toBe(
      '0261|00|597000000001|TB000001',
    );
  });

  it('blanks: around values, in a tip of none and in the end of a series', async () => {
    const till = withDialect('blanks').connect();
    const answer = (await till.ask(sale(credit, 'A1'))).at(-1);
    expect([part(answer, 4), part(answer, 6), part(answer, 18)]).toEqual(['A1 ', '2400 ', '0 ']);
    const end = (await till.ask('0260|1|')).findLast((thing) => part(thing, 5)?.trim() === '');
    expect(part(end, 5)).toBe(' ');
  });

  it('padded-tickets: a short ticket comes back with zeros before it', async () => {
    const till = withDialect('padded-tickets').connect();
    expect(part((await till.ask(sale(credit, 'A1'))).at(-1), 4)).toBe('0000A1');
    expect(part((await till.ask('0250|')).at(-1), 4)).toBe('0000A1');
    expect(part((await till.ask(sale(2_401, 'A1'))).at(-1), 4)).toBe('0000A1');
  });

  it.each([
    ['tips', '2400'],
    ['tips-in-amount', '2640'],
  ] as const)('%s: the customer adds something; the amount says %s', async (name, amount) => {
    const kit = withDialect(name);
    const till = kit.connect();
    const answer = (await till.ask(sale(credit))).at(-1);
    expect([part(answer, 6), part(answer, 18)]).toEqual([amount, '240']);
    expect((await till.ask('0700||')).at(-1)).toBe('0710|00|1|2640');
    expect(kit.ledger()).toEqual(['charged 2640.00 000001']);
  });

  it('pays-change: the customer takes cash, which the amount does not have in it', async () => {
    const kit = withDialect('pays-change');
    const answer = (await kit.connect().ask(sale(credit))).at(-1);
    expect([part(answer, 6), part(answer, 20)]).toEqual(['2400', '5000']);
    expect(kit.ledger()).toEqual(['charged 7400.00 000001']);
  });

  it('blank-approvals: the lines of the detail have no authorisation code', async () => {
    const till = withDialect('blank-approvals').connect();
    await till.ask(sale(credit));
    const [line, end] = (await till.ask('0260|1|')).slice(-2);
    expect([part(line, 4), part(line, 5), part(end, 4)]).toEqual(['ABC123', '', '']);
  });

  it('empty-is-11: the detail of an empty memory', async () => {
    expect(part((await withDialect('empty-is-11').connect().ask('0260|1|')).at(-1), 1)).toBe('11');
    expect(part((await withDialect('strict').connect().ask('0260|1|')).at(-1), 1)).toBe('00');
  });

  it('shows-declined: a declined attempt is the last sale, also after a restart, until there is another', async () => {
    const kit = withDialect('shows-declined');
    await kit.connect().ask(sale(credit, 'A1'));
    await kit.connect().ask(sale(2_401, 'A2'));
    await kit.restart();
    const till = kit.connect();
    const last = (await till.ask('0250|')).at(-1);
    expect([part(last, 1), part(last, 4)]).toEqual(['01', 'A2']);
    expect((await till.ask('0260|1|')).length).toBe(3);
    await till.ask(sale(credit, 'A3'));
    expect(part((await till.ask('0250|')).at(-1), 4)).toBe('A3');
    expect(kit.ledger()).toEqual(['charged 2400.00 000001', 'refused 2401.00', 'charged 2400.00 000002']);
  });

  it('lists-voided: a voided sale is still told', async () => {
    const lines = async (name: keyof typeof transbankDialects) => {
      const till = withDialect(name).connect();
      await till.ask(sale(credit));
      await till.ask('1200|1|');
      return { detail: (await till.ask('0260|1|')).length, last: part((await till.ask('0250|')).at(-1), 1) };
    };
    expect(await lines('lists-voided')).toEqual({ detail: 3, last: '00' });
    expect(await lines('strict')).toEqual({ detail: 2, last: '11' });
  });

  it('wants-closing: after five sales only a close helps', async () => {
    const kit = withDialect('wants-closing');
    const till = kit.connect();
    for (let sold = 0; sold < 5; sold += 1) await till.ask(sale(credit));
    expect(part((await till.ask(sale(credit))).at(-1), 1)).toBe('76');
    await till.ask('0500||');
    expect(part((await till.ask(sale(credit))).at(-1), 1)).toBe('00');
  });

  it('wants-keys: nothing is sold before 0800 or a close', async () => {
    for (const [request, answer] of [
      ['0800', '0810'],
      ['0500||', '0510'],
    ] as const) {
      const kit = withDialect('wants-keys');
      const till = kit.connect();
      expect(part((await till.ask(sale(credit))).at(-1), 1)).toBe('26');
      expect((await till.ask(request)).at(-1)).toBe(`${answer}|00|597000000001|TB000001`);
      expect(part((await till.ask(sale(credit))).at(-1), 1)).toBe('00');
      kit.simulator.forgetKeys();
      expect(part((await till.ask('1200|1|')).at(-1), 1)).toBe('26');
    }
  });

  it('no batch holds more than its totals can tell', async () => {
    const kit = setUp();
    const till = kit.connect();
    await till.ask(sale(999_999_900));
    expect(part((await till.ask(sale(credit))).at(-1), 1)).toBe('67');
    expect(() => kit.simulator.payManually(credit)).toThrow('full');
  });
});
