import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LedgerError } from '../../src/simulator/index.ts';
import { positive } from '../support/zvt-ecr.ts';
import {
  closedDay,
  endOfDay,
  field,
  lastRecord,
  pay,
  readLastRecord,
  register,
  reverse,
  setUp,
  statusOf,
} from './simulator-kit.ts';

describe('the ledger', () => {
  it('has the documented fields', async () => {
    const kit = setUp();
    await kit.connect().run(pay(1200));
    kit.simulator.closeDayManually();
    const [charged, settled] = readFileSync(kit.ledgerFile, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(charged).toMatchObject({
      at: '2024-06-03T10:20:30.000Z',
      event: 'charged',
      amount: '12.00',
      receipt_number: '0001',
    });
    expect(settled).toMatchObject({ event: 'settled', count: 1, total: '12.00' });
  });

  it('is the whole memory: counters, store and last record are the same after a restart', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(pay(1200));
    await ecr.run(endOfDay);
    await ecr.run(pay(600));
    await ecr.run(reverse('0002'));
    await ecr.run(pay(700));
    await ecr.run(pay(800), ({ ctrl }) => (ctrl === '040f' ? '846c00' : positive));
    const shown = statusOf(await ecr.run(lastRecord));
    expect(field(shown, '27')).toBe('6c');
    const { numbers, openBatch, lastRecord: last } = kit.simulator.state();
    await kit.restart();
    const state = kit.simulator.state();
    expect({ numbers: state.numbers, openBatch: state.openBatch, lastRecord: state.lastRecord }).toEqual({
      numbers,
      openBatch,
      lastRecord: last,
    });
    const again = kit.connect();
    expect(statusOf(await again.run(lastRecord)).maskedApdu).toEqual(shown.maskedApdu);
    expect((await again.run(reverse('0002'))).at(-1)?.positional).toEqual({ resultCode: 0xb4 });
    expect((await again.run(reverse('0004'))).at(-1)?.ctrl).toBe('060f');
    expect(await readLastRecord(again)).toMatchObject({ trace: '000007' });
  });

  it('keeps a reversal and an end of day as the last record', async () => {
    const kit = setUp();
    await kit.connect().run(pay(1200));
    for (const command of [reverse('0001'), endOfDay]) {
      await kit.connect().run(command);
      const shown = statusOf(await kit.connect().run(lastRecord));
      await kit.restart();
      expect(statusOf(await kit.connect().run(lastRecord)).maskedApdu).toEqual(shown.maskedApdu);
    }
  });

  it('has nothing of a payment that was not final when the simulator ended', async () => {
    const kit = setUp({ timeScale: 1 });
    const ecr = kit.connect();
    ecr.send(pay(1200));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    await kit.restart();
    expect(kit.ledger()).toEqual([]);
  });

  it('closing the simulator undoes what waits for its acknowledgement', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('00'));
    await ecr.run(pay(1200), () => null);
    await kit.simulator.close();
    expect(kit.ledger()).toEqual(['charged 12.00 0001', 'auto_reversed 12.00 0001']);
    expect(kit.clock.waiting).toBe(0);
    expect(kit.simulator.accepting).toBe(false);
  });

  it.each(['{"at":"2024', '{"at":"2024\n', 'null\n'])(
    'loses a damaged last line (%j) and goes on',
    async (rest) => {
      const kit = setUp();
      await kit.connect().run(pay(1200));
      appendFileSync(kit.ledgerFile, rest);
      await kit.restart();
      await kit.connect().run(pay(3400));
      expect(kit.ledger()).toEqual(['charged 12.00 0001', 'charged 34.00 0002']);
    },
  );

  it('goes on after a last line without line feed', async () => {
    const kit = setUp();
    await kit.connect().run(pay(1200));
    writeFileSync(kit.ledgerFile, readFileSync(kit.ledgerFile, 'utf8').trimEnd());
    await kit.restart();
    await kit.connect().run(pay(3400));
    expect(kit.ledger()).toEqual(['charged 12.00 0001', 'charged 34.00 0002']);
  });

  it('with damage anywhere else is refused, and the line is named', async () => {
    const kit = setUp();
    await kit.connect().run(pay(1200));
    await kit.connect().run(pay(3400));
    const lines = readFileSync(kit.ledgerFile, 'utf8').split('\n');
    writeFileSync(
      kit.ledgerFile,
      [`${lines[0]}`.replace('charged', 'chanted'), ...lines.slice(1)].join('\n'),
    );
    await expect(kit.restart()).rejects.toThrow(LedgerError);
    await expect(kit.restart()).rejects.toThrow('line 1 of');
  });

  it('of another terminal is refused and left alone, even with one line', async () => {
    const kit = setUp();
    const foreign = '{"at":"2024","event":"charged","of":"another protocol"}\n';
    writeFileSync(kit.ledgerFile, foreign);
    await expect(kit.restart()).rejects.toThrow('line 1 of');
    expect(readFileSync(kit.ledgerFile, 'utf8')).toBe(foreign);
  });

  it('of another currency is refused', async () => {
    const kit = setUp();
    await kit.connect().run(pay(1200));
    await expect(kit.restart({ currency: 'CHF' })).rejects.toThrow('kept in EUR, not in CHF');
  });
});

describe('numbers', () => {
  it('wrap to 1 and the payment after the highest can be reversed', async () => {
    const kit = setUp();
    await kit.connect().run(pay(1200));
    const first = readFileSync(kit.ledgerFile, 'utf8');
    writeFileSync(
      kit.ledgerFile,
      first
        .replace('"receipt_number":"0001"', '"receipt_number":"9999"')
        .replace('"trace_number":"000001"', '"trace_number":"999999"')
        .replace('"turnover_number":"000001"', '"turnover_number":"999999"'),
    );
    await kit.restart();
    const ecr = kit.connect();
    expect(await readLastRecord(ecr)).toMatchObject({ trace: '999999', receipt: '9999' });
    const status = statusOf(await ecr.run(pay(3400)));
    expect([field(status, '0b'), field(status, '87'), field(status, '88')]).toEqual([
      '000001',
      '0001',
      '000001',
    ]);
    expect((await ecr.run(reverse('9999', 1200))).at(-1)?.ctrl).toBe('060f');
    expect(kit.ledger()).toEqual(['charged 12.00 9999', 'charged 34.00 0001', 'reversed 12.00 9999']);
  });
});

describe('manually', () => {
  it('payment, reversal and end of day happen without the till and show as records', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    expect(kit.simulator.payManually(1200)).toBe('0001');
    expect(await readLastRecord(ecr)).toMatchObject({ trace: '000001', result: '00', originalTrace: null });
    kit.simulator.reverseManually('0001');
    expect(await readLastRecord(ecr)).toMatchObject({ trace: '000002', originalTrace: '000001' });
    kit.simulator.closeDayManually();
    expect(field(statusOf(await ecr.run(lastRecord)), '60')).not.toBeNull();
    expect(kit.ledger()).toEqual(['charged 12.00 0001', 'reversed 12.00 0001', 'settled 0 0.00']);
  });

  it('nothing is possible while the terminal works for the till', async () => {
    const kit = setUp({ timeScale: 1 });
    const ecr = kit.connect();
    ecr.send(pay(1200));
    await ecr.nextApdu();
    expect(() => kit.simulator.payManually(100)).toThrow('busy');
    expect(() => kit.simulator.replaceTerminal('11112222')).toThrow('busy');
  });

  it('another terminal has another id and no memory; the old one remembers when it is put back', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(pay(1200));
    kit.simulator.replaceTerminal('11112222');
    expect(await ecr.next()).toBe('closed');
    const other = kit.connect();
    const [, registration] = await other.run(register('18'));
    expect(field(registration as never, '29')).toBe('11112222');
    expect(await readLastRecord(other)).toMatchObject(closedDay);
    await other.run(pay(3400));
    expect(await readLastRecord(other)).toMatchObject({ trace: '000001', amount: '000000003400' });
    await kit.restart();
    expect(await readLastRecord(kit.connect())).toMatchObject({ trace: '000001', amount: '000000001200' });
  });
});
