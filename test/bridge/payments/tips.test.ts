/** More than was asked: a tip within its bound is accepted and told, and anything beyond it is refused. */
import { describe, expect, it } from 'vitest';
import { fromHex, hex } from '../../../src/bridge/terminals/zvt/wire/index.ts';
import { dialects } from '../../../src/simulator/dialects.ts';
import { countsOf } from '../../support/ledger.ts';
import { closeRigsAfterEach, is, payment, rigUp } from '../../support/rigs.ts';

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
  'refuses more than a tip of %i per cent, names it before the terminal can know, and the terminal undoes it',
  async (maxTipPercent) => {
    const rig = await rigUp({ maxTipPercent, simulator });
    let toldAtRefusal: unknown = null;
    rig.tap.loseToTerminal = (thing) => {
      if (is('846c')(thing)) toldAtRefusal ??= rig.payments.discrepancies().map(({ kind }) => kind);
      return false;
    };
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A-1', conditionCode: '00' });
    await rig.ready();
    expect(['failed', 'declined', 'unknown']).toContain(rig.status('A-1'));
    expect(payment(rig, 'A-1').result?.approved ?? false).toBe(false);
    expect(rig.tap.sent('0601')).toBe(1);
    const { charged, autoReversed } = countsOf(rig.ledger(), '13.20');
    expect(charged - autoReversed).toBe(0);
    expect(toldAtRefusal).toEqual(['amount_differs']);
    expect(rig.payments.discrepancies()).toMatchObject([
      {
        kind: 'amount_differs',
        operationId: payment(rig, 'A-1').transactionId,
        references: ['A-1'],
        amountMinor: 1_320,
        currency: 'EUR',
        record: { amountMinor: 1_320, approved: true },
        message:
          'Payment A-1 was asked for 12.00 EUR, but the terminal charged 13.20 EUR. The bridge did not accept that, ' +
          'which makes the terminal undo the payment. Check at the terminal that it did.',
      },
    ]);
  },
);

it('names a partial approval as well, which is refused in the same way', async () => {
  const rig = await rigUp({ simulator: { dialect: dialects['partial-approvals'] } });
  await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A-1', conditionCode: '00' });
  await rig.until(() => rig.status('A-1') !== 'in_progress', 'an end');
  await rig.ready();
  expect(rig.status('A-1')).toBe('declined');
  expect(rig.payments.discrepancies()).toMatchObject([{ kind: 'amount_differs', amountMinor: 600 }]);
});

it('does not name what a terminal undid twice, where its record of that is a reversal that succeeded', async () => {
  const rig = await rigUp({ simulator });
  rig.tap.rewriteToBridge = (apdu) => {
    const bytes = hex(apdu);
    return bytes.includes('37000001') ? fromHex(bytes.replace('276c', '2700')) : apdu;
  };
  await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A-1', conditionCode: '00' });
  await rig.until(() => rig.status('A-1') !== 'in_progress', 'an end');
  await rig.ready();
  expect(rig.journal.terminalState().lastRecord).toMatchObject({
    record: { kind: 'reversal', approved: true, amountMinor: 1_320 },
  });
  expect(rig.payments.discrepancies().map(({ kind }) => kind)).toEqual(['amount_differs']);
});

it('names the reversal of a payment by hand that stood where the refused one would have been', async () => {
  const rig = await rigUp({ simulator });
  const byHand = rig.simulator.payManually(700);
  await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A-1', conditionCode: '00' });
  await rig.until(() => rig.status('A-1') !== 'in_progress', 'an end');
  await rig.ready();
  rig.simulator.reverseManually(byHand);
  await rig.clock.advance(40_000);
  expect(rig.payments.discrepancies()).toContainEqual(
    expect.objectContaining({ kind: 'unexplained_reversal', amountMinor: 700 }),
  );
});

describe('a terminal that tells the amount of a payment only in its record', () => {
  const withPercent = (chargedPercent: number) => ({
    dialect: { ...dialects['amount-in-record'], chargedPercent },
  });

  it.each([
    [50, 0, 600, '6.00'],
    [110, 0, 1_320, '13.20'],
    // The till has been told the amount that it asked for.
    [110, 10, 1_320, '13.20'],
  ])(
    'that charged %i per cent with tips up to %i: names the amount once it is shown, and once only',
    async (chargedPercent, maxTipPercent, amountMinor, told) => {
      const rig = await rigUp({ maxTipPercent, simulator: withPercent(chargedPercent) });
      expect(await rig.sale('12.00', 'A-1')).toBe('approved');
      await rig.ready();
      await rig.clock.advance(120_000);
      await rig.crash();
      rig.restart();
      await rig.ready();
      expect(rig.payments.discrepancies()).toMatchObject([
        {
          kind: 'amount_differs',
          operationId: payment(rig, 'A-1').transactionId,
          references: ['A-1'],
          amountMinor,
          record: { amountMinor },
          message: `Payment A-1 was asked for 12.00 EUR, but the terminal charged ${told} EUR.`,
        },
      ]);
    },
  );

  it('is told of also where the record cannot be read at first', async () => {
    const rig = await rigUp({ simulator: withPercent(50) });
    rig.tap.loseToTerminal = (thing) => {
      if (!is('0620')(thing) || rig.tap.sent('0601') === 0 || !rig.tap.plugged) return false;
      rig.tap.loseToTerminal = () => false;
      queueMicrotask(() => {
        rig.tap.plugged = false;
        rig.tap.cut();
      });
      return true;
    };
    expect(await rig.sale('12.00', 'A-1')).toBe('approved');
    await rig.until(() => !rig.tap.plugged, 'the line to be cut');
    expect(rig.payments.discrepancies()).toEqual([]);
    rig.tap.plugged = true;
    await rig.ready();
    expect(rig.payments.discrepancies()).toMatchObject([{ kind: 'amount_differs', amountMinor: 600 }]);
  });

  it('sells at the amount that was asked for, voids and closes the day, and nobody is told of anything', async () => {
    const rig = await rigUp({ simulator: withPercent(100) });
    expect(await rig.sale('12.00', 'A-1')).toBe('approved');
    await rig.ready();
    expect(await rig.sale('13.00', 'A-2')).toBe('approved');
    await rig.ready();
    expect(await rig.payments.voidPayment('A-2', 60_000)).toMatchObject({ ok: true });
    await rig.ready();
    expect(await rig.payments.submitBatch(60_000)).toMatchObject({
      ok: true,
      value: { batch: { reconciled: true } },
    });
    expect(rig.payments.discrepancies()).toEqual([]);
  });
});
