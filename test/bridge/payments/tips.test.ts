/** More than was asked: a tip within its bound is accepted and told, and anything beyond it is refused. */
import { expect, it } from 'vitest';
import { dialects } from '../../../src/simulator/dialects.ts';
import { countsOf } from '../../support/ledger.ts';
import { closeRigsAfterEach, payment, rigUp } from '../../support/rigs.ts';

closeRigsAfterEach();

/** This terminal charges a tenth more than it was asked for. */
const simulator = { dialect: dialects.tips };

it('accepts a tip up to the bound that the settings allow, and keeps both amounts', async () => {
  const rig = await rigUp({ maxTipPercent: 10, simulator });
  expect(await rig.sale('12.00', 'A-1')).toBe('approved');
  expect(payment(rig, 'A-1')).toMatchObject({ amountMinor: 1_200, result: { amountMinor: 1_320 } });
  expect(rig.payments.discrepancies()).toEqual([]);
  const started = rig.journal
    .eventsOf(payment(rig, 'A-1').transactionId)
    .map(({ event }) => event)
    .find((event) => event.type === 'operation_started');
  // What recovery needs after a crash: how much would have been in order.
  expect(started).toMatchObject({ amountMinor: 1_200, maxAmountMinor: 1_320 });
});

it.each([0, 9])(
  'refuses more than a tip of %i per cent, and the terminal undoes it',
  async (maxTipPercent) => {
    const rig = await rigUp({ maxTipPercent, simulator });
    await rig.payments.createPayment({ amount: '12.00', reference: 'A-1', conditionCode: null });
    await rig.ready();
    expect(['failed', 'declined', 'unknown']).toContain(rig.status('A-1'));
    expect(payment(rig, 'A-1').result?.approved ?? false).toBe(false);
    expect(rig.tap.sent('0601')).toBe(1);
    const { charged, autoReversed } = countsOf(rig.ledger(), '13.20');
    expect(charged - autoReversed).toBe(0);
  },
);
