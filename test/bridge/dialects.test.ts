/**
 * Every dialect of the simulator, played by the real driver and engine: the terminal becomes ready, payments end as what
 * they were, and each money command went out as often as it may.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { dialectNames, dialects, type DialectName } from '../../src/simulator/dialects.ts';
import type { TransactionStatus } from '../../src/contract/operation.ts';
import { createRig, type Rig } from '../support/rig.ts';

let rig: Rig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

async function readyRig(name: DialectName): Promise<Rig> {
  rig = createRig({ simulator: { dialect: dialects[name] }, maxTipPercent: 20 });
  await rig.ready();
  return rig;
}

function charged(rig: Rig): number {
  const facts = (name: string) => rig.ledger().filter(({ event }) => event === name).length;
  return facts('charged') - facts('reversed') - facts('auto_reversed');
}

/** What ends otherwise than on a terminal that follows the documents, and must. */
const otherwise: Partial<Record<DialectName, TransactionStatus>> = {
  // Half of the amount is refused; the terminal undoes it.
  'partial-approvals': 'declined',
};

const voidedAs: Partial<Record<DialectName, TransactionStatus>> = {
  // Nothing that the terminal says names the payment: a person decides.
  'bare-void-records': 'voiding',
  // It names the other payment that it reversed; that is refused, and it undoes it.
  'reversal-hits-last': 'approved',
};

describe.each(dialectNames)('on the dialect %s', (name) => {
  it('a payment is approved, and charged once', async () => {
    const rig = await readyRig(name);
    expect(await rig.sale('12.00', 'A1')).toBe(otherwise[name] ?? 'approved');
    expect(charged(rig)).toBe(otherwise[name] === undefined ? 1 : 0);
    expect(rig.tap.moneyCommands()).toBe(1);
  });

  it('a refusal is a refusal within seconds, and the next payment works', async () => {
    const rig = await readyRig(name);
    const before = rig.clock.elapsed();
    expect(await rig.sale('12.01', 'A1')).toBe('declined');
    expect(rig.clock.elapsed() - before).toBeLessThan(10_000);
    await rig.ready();
    expect(await rig.sale('12.00', 'A2')).toBe(otherwise[name] ?? 'approved');
    expect(rig.payments.operationsInDoubt()).toEqual([]);
  });

  it('a cancel ends as cancelled, with nothing in doubt', async () => {
    const rig = await readyRig(name);
    const sale = rig.sale('12.07', 'A1');
    await rig.until(() => rig.payments.status().currentOperation !== null, 'a current payment');
    await rig.clock.advance(2_000);
    const answer = await rig.payments.cancelPayment('A1');
    expect(answer).toMatchObject({ ok: true });
    expect(await sale).toBe('cancelled');
    await rig.ready();
    expect(rig.payments.operationsInDoubt()).toEqual([]);
    expect(charged(rig)).toBe(0);
  });
});

describe.each(dialectNames.filter((name) => otherwise[name] === undefined))('on the dialect %s', (name) => {
  it('a void is done, or left to a person, as the terminal names the payment; never done on another', async () => {
    const rig = await readyRig(name);
    await rig.sale('12.00', 'A1');
    await rig.sale('13.00', 'A2');
    await rig.ready();
    const answer = await rig.payments.voidPayment('A1', 60_000);
    await rig.until(() => rig.payments.status().currentOperation === null, 'the end of the void');
    const status = rig.status('A1');
    const undone = rig.ledger().filter(({ event }) => event === 'reversed').length;
    if (status === 'voided') expect(undone).toBe(1);
    expect(status).toBe(voidedAs[name] ?? 'voided');
    expect(answer.ok).toBe(status === 'voided');
    expect(rig.payments.operationsInDoubt()).toHaveLength(status === 'voiding' ? 1 : 0);
    expect(rig.tap.sent('0630')).toBe(1);
  });
});

describe('what a terminal lacks', () => {
  it.each([
    ['no-tlv', 'no_tlv'],
    ['no-currency', 'no_currency'],
    ['chatty', 'results_in_enquiries'],
    ['no-records', 'shows_no_records'],
  ] as const)('is in the journal once, on %s', async (dialect, trait) => {
    const rig = await readyRig(dialect);
    await rig.sale('12.00', 'A1');
    await rig.sale('12.00', 'A2');
    await rig.ready();
    const learned = rig.journal
      .eventsAfter(0, 1_000)
      .flatMap(({ event }) => (event.type === 'terminal_trait_learned' ? [event] : []));
    expect(learned.filter((event) => event.trait === trait)).toHaveLength(1);
    expect(learned.find((event) => event.trait === trait)?.explanation).toMatch(/^[A-Z].+\.$/);
  });
});
