/** A terminal that shows no record of what it did: on the whole way from a command to the simulator. */
import { describe, expect, it } from 'vitest';
import { silentLog, type Log } from '../../../src/log/log.ts';
import { dialects } from '../../../src/simulator/dialects.ts';
import { countsOf } from '../../support/ledger.ts';
import type { Rig, RigOptions } from '../../support/rig.ts';
import { closeRigsAfterEach, is, once, rigUp } from '../../support/rigs.ts';

closeRigsAfterEach();

const needsDecision = (rig: Rig) => rig.payments.operationsInDoubt().some((doubt) => doubt.needsDecision);
const open = (rig: Rig) => rig.payments.discrepancies();
const traits = (rig: Rig) =>
  rig.journal.eventsAfter(0, 1_000).filter(({ event }) => event.type === 'terminal_trait_learned');

describe.each(['no-records', 'print-lines-only'] as const)('a terminal with the dialect %s', (name) => {
  const up = (more: RigOptions = {}) => rigUp({ ...more, simulator: { dialect: dialects[name] } });

  it('never makes a charged sale a failed one', async () => {
    const rig = await up();
    const completion = once((thing) => is('060f')(thing) && rig.tap.sent('0601') > 0);
    rig.tap.loseToBridge = (thing) => {
      if (!completion(thing)) return false;
      queueMicrotask(() => rig.tap.cut());
      return true;
    };
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    await rig.until(() => needsDecision(rig) || rig.status('A') === 'failed', 'a call for a person');
    expect(rig.status('A')).toBe('unknown');
    expect(countsOf(rig.ledger(), '12.00')).toEqual({ charged: 1, autoReversed: 0, reversed: 0 });
    expect(rig.tap.moneyCommands()).toBe(1);
  });

  it('is taken for no proof when it has shown nothing, also where no result came', async () => {
    const rig = await up();
    rig.tap.loseToTerminal = once(is('0601'));
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    await rig.until(() => needsDecision(rig) || rig.status('A') === 'failed', 'a call for a person');
    expect(rig.status('A')).toBe('unknown');
    expect(rig.tap.moneyCommands()).toBe(1);
  });

  it('is known for it after the first payment; said once, and journaled once', async () => {
    const said: string[] = [];
    const log: Log = { ...silentLog, warn: (message) => void said.push(message), with: () => log };
    const rig = await up({ log });
    expect(await rig.sale('1.00', 'A')).toBe('approved');
    await rig.ready();
    expect(await rig.sale('2.00', 'B')).toBe('approved');
    await rig.ready();
    await rig.crash();
    rig.restart();
    await rig.ready();
    expect(traits(rig)).toMatchObject([
      { event: { trait: 'shows_no_records', terminal: { terminalId: '68000001' } } },
    ]);
    expect(said.filter((message) => message.includes('does not show its last payment'))).toHaveLength(1);
    expect(open(rig)).toEqual([]);
  });

  it('voids by the numbers of our own results', async () => {
    const rig = await up();
    await rig.sale('12.00', 'A');
    await rig.ready();
    await rig.sale('13.00', 'B');
    await rig.ready();
    expect(await rig.payments.voidPayment('A', 60_000)).toMatchObject({
      ok: true,
      value: { payment: { status: 'voided' } },
    });
    expect(rig.tap.sent('0630')).toBe(1);
    expect(countsOf(rig.ledger(), '12.00').reversed).toBe(1);
    expect(countsOf(rig.ledger(), '13.00').reversed).toBe(0);
    expect(open(rig)).toEqual([]);
  });

  it('voids nothing once our own results show that something lay between', async () => {
    const rig = await up();
    await rig.sale('12.00', 'A');
    await rig.ready();
    rig.simulator.closeDayManually();
    expect(await rig.sale('13.00', 'B')).toBe('approved');
    await rig.ready();
    expect(await rig.payments.voidPayment('A', 60_000)).toMatchObject({
      refusal: { code: 'payment_not_voidable' },
    });
    expect(rig.tap.sent('0630')).toBe(0);
    expect(open(rig)).toMatchObject([{ kind: 'unseen_records' }]);
  });
});

describe('a terminal that has done nothing yet', () => {
  it('is for a person while it has shown no record of its own', async () => {
    const rig = await rigUp({ simulator: { dialect: dialects['never-used'] } });
    rig.tap.loseToTerminal = once(is('0601'));
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    await rig.until(() => needsDecision(rig) || rig.status('A') === 'failed', 'a call for a person');
    expect(rig.status('A')).toBe('unknown');
  });

  it('learns nothing wrong of one that shows what it did', async () => {
    const rig = await rigUp({ simulator: { dialect: dialects['never-used'] } });
    await rig.sale('12.00', 'A');
    await rig.ready();
    expect(traits(rig)).toEqual([]);
    rig.tap.loseToTerminal = once(is('0601'));
    await rig.payments.createPayment({ amountMinor: 1_300, reference: 'B', conditionCode: '00' });
    await rig.until(() => rig.status('B') === 'failed', 'the end by evidence');
    expect(open(rig)).toEqual([]);
  });
});

describe('an approving result on disk', () => {
  it('is never undone by the record from before: a person decides', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    // It approved, and then shows the payment from before: on the wire the records of the new one are held back.
    let lastShown: Uint8Array | null = null;
    let inSale = false;
    rig.tap.loseToTerminal = (thing) => {
      if (thing.kind === 'apdu' && thing.ctrl !== '8000') inSale = thing.ctrl === '0601';
      return false;
    };
    rig.tap.rewriteToBridge = (apdu) => {
      if (apdu[0] !== 0x04 || apdu[1] !== 0x0f || inSale) return apdu;
      lastShown ??= apdu;
      return lastShown;
    };
    await rig.clock.advance(40_000);
    await rig.payments.createPayment({ amountMinor: 1_006, reference: 'A', conditionCode: '00' });
    await rig.until(() => needsDecision(rig) || rig.status('A') === 'failed', 'a call for a person');
    expect(rig.status('A')).toBe('unknown');
    const acknowledged = rig.payments
      .operationsInDoubt()[0]
      ?.facts.filter(({ event }) => event.type === 'result_acknowledged');
    expect(acknowledged).toHaveLength(1);
    expect(rig.payments.operationsInDoubt()[0]?.reason).toContain('has our acknowledgement');
    expect(countsOf(rig.ledger(), '10.06').charged).toBe(1);
  });
});
