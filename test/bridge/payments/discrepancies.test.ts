/**
 * What the terminal did without the bridge, and what contradicts how an operation ended: on the whole way from a command
 * to the simulator. Each is journaled once, and named by operation, payment and record.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromHex, hex } from '../../../src/bridge/terminals/zvt/wire/index.ts';
import { dialects } from '../../../src/simulator/dialects.ts';
import { countsOf } from '../../support/ledger.ts';
import { minorUnits, type Rig } from '../../support/rig.ts';
import { closeRigsAfterEach, is, once, payment, rigUp } from '../../support/rigs.ts';

closeRigsAfterEach();

const open = (rig: Rig) => rig.payments.discrepancies();
const kinds = (rig: Rig) => open(rig).map(({ kind }) => kind);
const doubtOf = (rig: Rig) => rig.payments.operationsInDoubt()[0]?.operationId ?? '';
const nextLook = (rig: Rig) => rig.clock.advance(40_000);

async function afterRestart(rig: Rig, byHand: () => void) {
  await rig.crash();
  byHand();
  rig.restart();
  await rig.ready();
}

/** A sale whose command never arrives, and which therefore ends as not charged; nobody charges anything. */
async function lostSale(rig: Rig, amount: string, reference: string) {
  rig.tap.loseToTerminal = once(is('0601'));
  await rig.payments.createPayment({ amountMinor: minorUnits(amount), reference, conditionCode: '00' });
  await rig.until(() => rig.status(reference) === 'failed', 'the end by evidence');
  rig.tap.loseToTerminal = () => false;
  await rig.ready();
}

/** The second sale: the cable is pulled at this message, and a person says "charged" before it is back. */
async function calledChargedAfterCut(rig: Rig, lost: string) {
  const isLost = once(is(lost));
  rig.tap.loseToBridge = (thing) => {
    if (rig.tap.sent('0601') < 2 || !isLost(thing)) return false;
    rig.tap.plugged = false;
    queueMicrotask(() => rig.tap.cut());
    return true;
  };
  await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
  await rig.until(() => rig.status('A') === 'unknown', 'doubt');
  const said = { resolution: 'charged', by: 'Kim', reason: 'the customer says so' } as const;
  const resolved = rig.payments.resolve({ operationId: doubtOf(rig), ...said, terminalUnreachable: true });
  expect(resolved).toMatchObject({ ok: true });
  rig.tap.plugged = true;
  await rig.ready();
}

describe('what the terminal shows against an operation that has ended', () => {
  it('is a charge after "failed": the next record, of the same amount', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    await lostSale(rig, '12.00', 'A');
    rig.simulator.payManually(1200);
    await nextLook(rig);
    expect(open(rig)).toMatchObject([
      {
        kind: 'contradicted_outcome',
        operationId: payment(rig, 'A').transactionId,
        references: ['A'],
        amountMinor: 1200,
        currency: 'EUR',
        record: { approved: true, amountMinor: 1200, traceNumber: '000002' },
      },
    ]);
    expect(rig.payments.discrepancyOf('A')).toMatchObject({ kind: 'contradicted_outcome' });
    // Found once, not at each look, and not again after a restart.
    await nextLook(rig);
    await afterRestart(rig, () => {});
    expect(open(rig)).toHaveLength(1);
    expect(rig.tap.sent('0601')).toBe(2);
  });

  it('is a refusal with the number of what was called approved', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    // 27 00 becomes 27 6C: aborted.
    rig.tap.rewriteToBridge = (apdu) =>
      hex(apdu).startsWith('040f') ? fromHex(hex(apdu).replace('2700', '276c')) : apdu;
    await nextLook(rig);
    expect(open(rig)).toContainEqual(
      expect.objectContaining({
        kind: 'contradicted_outcome',
        references: ['A'],
        message: expect.stringContaining(
          'Payment A was recorded as approved, but the terminal now shows that',
        ),
      }),
    );
    const found = open(rig).length;
    await nextLook(rig);
    expect(open(rig)).toHaveLength(found);
  });

  it('is no refusal of another amount, although it is shown under the same number', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    rig.tap.rewriteToBridge = (apdu) => {
      const bytes = hex(apdu);
      if (!bytes.startsWith('040f')) return apdu;
      return fromHex(bytes.replace('2700', '276c').replace('000000001200', '000000000700'));
    };
    await nextLook(rig);
    expect(kinds(rig)).not.toContain('contradicted_outcome');
  });

  it('is not the reversal by hand that a void found done', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    rig.simulator.reverseManually(payment(rig, 'A').result?.receiptNumber ?? '');
    await nextLook(rig);
    expect(await rig.payments.voidPayment('A', 60_000)).toMatchObject({ ok: true });
    expect(rig.status('A')).toBe('voided');
    await nextLook(rig);
    await afterRestart(rig, () => {});
    expect(kinds(rig)).toEqual(['unexplained_reversal']);
  });

  it('is the record from before after "charged", said by a person', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    rig.tap.loseToTerminal = is('0601');
    rig.tap.plugged = false;
    const cut = once(is('0601'));
    rig.tap.loseToTerminal = (thing) => {
      if (!cut(thing)) return false;
      queueMicrotask(() => rig.tap.cut());
      return true;
    };
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    await rig.until(() => rig.status('A') === 'unknown', 'doubt');
    const resolved = rig.payments.resolve({
      operationId: doubtOf(rig),
      resolution: 'charged',
      by: 'Kim',
      reason: 'the customer says so',
      terminalUnreachable: true,
    });
    expect(resolved).toMatchObject({ ok: true });
    rig.tap.plugged = true;
    await rig.ready();
    expect(rig.status('A')).toBe('approved');
    expect(open(rig)).toMatchObject([
      { kind: 'contradicted_outcome', operationId: payment(rig, 'A').transactionId, references: ['A'] },
    ]);
    await afterRestart(rig, () => {});
    expect(open(rig)).toHaveLength(1);
    expect(countsOf(rig.ledger(), '12.00').charged).toBe(0);
  });

  it('is a payment that the terminal undid, after "charged", said by a person', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    rig.simulator.queueScenario('cut_before_acknowledgement');
    await calledChargedAfterCut(rig, '040f');
    expect(open(rig)).toMatchObject([
      { kind: 'contradicted_outcome', references: ['A'], record: { approved: false, traceNumber: '000002' } },
    ]);
    await afterRestart(rig, () => {});
    expect(open(rig)).toHaveLength(1);
  });

  it.each([
    ['', 100],
    [', and a tip came on top', 110],
  ])('is that again where the record from before has no number%s', async (_, chargedPercent) => {
    const dialect = { ...dialects['bare-void-records'], chargedPercent };
    const rig = await rigUp({ maxTipPercent: 10, simulator: { dialect } });
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    await rig.payments.voidPayment('BEFORE', 60_000);
    const word = { resolution: 'voided', by: 'Kim', reason: 'the slip says so' } as const;
    expect(rig.payments.resolve({ operationId: doubtOf(rig), ...word })).toMatchObject({ ok: true });
    await rig.ready();
    rig.simulator.queueScenario('cut_before_acknowledgement');
    await calledChargedAfterCut(rig, '040f');
    expect(open(rig)).toMatchObject([
      {
        kind: 'contradicted_outcome',
        references: ['A'],
        record: { approved: false, amountMinor: 12 * chargedPercent },
      },
    ]);
  });

  it('is nothing when a person was right', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    await calledChargedAfterCut(rig, '060f');
    expect(open(rig)).toEqual([]);
    expect(await rig.sale('2.00', 'B')).toBe('approved');
    await rig.ready();
    expect(open(rig)).toEqual([]);
  });

  it('is another payment when a person says that the one that fits is not ours', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    rig.simulator.queueScenario('slow_host');
    await rig.payments.createPayment({ amountMinor: 2_000, reference: 'A', conditionCode: '00' });
    await rig.until(() => rig.simulator.state().busy, 'the sale on the terminal');
    await rig.crash();
    await rig.until(() => !rig.simulator.state().busy, 'the terminal to give the sale up');
    rig.simulator.payManually(700);
    rig.simulator.payManually(2000);
    rig.restart();
    await rig.ready();
    expect(kinds(rig)).toEqual(['unseen_records']);
    const no = { resolution: 'not-charged', by: 'Kim', reason: 'both slips are of others' } as const;
    expect(rig.payments.resolve({ operationId: doubtOf(rig), ...no })).toMatchObject({ ok: true });
    await nextLook(rig);
    expect(open(rig)).toMatchObject([
      { kind: 'unseen_records' },
      { kind: 'unexplained_payment', amountMinor: 2000, references: ['A'] },
    ]);
  });
});

describe('what was done by hand', () => {
  it('is a payment', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'A');
    await rig.ready();
    rig.simulator.payManually(700);
    await nextLook(rig);
    expect(open(rig)).toMatchObject([
      {
        kind: 'unexplained_payment',
        operationId: null,
        references: [],
        amountMinor: 700,
        currency: 'EUR',
        record: { traceNumber: '000002' },
      },
    ]);
    await nextLook(rig);
    expect(open(rig)).toHaveLength(1);
    // It is no boundary: our own payment can still be voided.
    expect(await rig.payments.voidPayment('A', 60_000)).toMatchObject({ ok: true });
  });

  it('is a payment of the amount of one that was declined without a number', async () => {
    const rig = await rigUp();
    expect(await rig.sale('12.01', 'A')).toBe('declined');
    await rig.ready();
    rig.simulator.payManually(1201);
    await nextLook(rig);
    // A refusal without a number cannot be told from it, so the payment is named.
    expect(open(rig)).toMatchObject([{ kind: 'contradicted_outcome', references: ['A'], amountMinor: 1201 }]);
  });

  it('is several things, of which only the last can be seen', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'A');
    await rig.ready();
    rig.simulator.payManually(700);
    rig.simulator.payManually(800);
    await nextLook(rig);
    expect(open(rig)).toMatchObject([
      { kind: 'unseen_records', references: ['A'] },
      { kind: 'unexplained_payment', amountMinor: 800 },
    ]);
  });

  it('is a reversal of one of ours, which is named', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    rig.simulator.reverseManually(payment(rig, 'A').result?.receiptNumber ?? '');
    await nextLook(rig);
    expect(open(rig)).toMatchObject([{ kind: 'unexplained_reversal', references: ['A'], amountMinor: 1200 }]);
    expect(rig.status('A')).toBe('approved');
  });

  it('is a closed day; payments of ours that were in it are named', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    rig.simulator.closeDayManually();
    await nextLook(rig);
    expect(open(rig)).toMatchObject([
      { kind: 'unexplained_batch_close', references: ['A'], amountMinor: 1200 },
    ]);
  });

  it('is a closed day and what was done right before it', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    rig.simulator.payManually(700);
    rig.simulator.closeDayManually();
    await nextLook(rig);
    expect(kinds(rig)).toEqual(['unseen_records', 'unexplained_batch_close']);
  });

  it('is seen first in our own next result', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    rig.simulator.payManually(700);
    expect(await rig.sale('13.00', 'B')).toBe('approved');
    await rig.ready();
    expect(open(rig)).toMatchObject([
      { kind: 'unseen_records', references: ['A'], record: { amountMinor: 1300 } },
    ]);
  });

  it('is nothing before the bridge came: the first record that a journal sees is how it begins', async () => {
    const rig = await rigUp();
    await rig.crash();
    rig.simulator.payManually(700);
    for (const name of readdirSync(rig.folder).filter((entry) => entry.startsWith('journal'))) {
      rmSync(join(rig.folder, name));
    }
    rig.restart();
    await rig.ready();
    expect(open(rig)).toEqual([]);
    await afterRestart(rig, () => void rig.simulator.payManually(800));
    expect(open(rig)).toMatchObject([{ kind: 'unexplained_payment', amountMinor: 800 }]);
  });
});

describe('another terminal', () => {
  it('is told when payments of ours are open on the one before', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    await afterRestart(rig, () => rig.simulator.replaceTerminal('68000002'));
    expect(open(rig)).toMatchObject([{ kind: 'changed_terminal', references: ['A'], amountMinor: 1200 }]);
  });

  it('is told as well when it has worked before, for that may have been for us', async () => {
    const rig = await rigUp();
    await afterRestart(rig, () => {
      rig.simulator.replaceTerminal('68000002');
      rig.simulator.payManually(700);
    });
    expect(open(rig)).toMatchObject([
      { kind: 'changed_terminal', references: [], amountMinor: null, record: { amountMinor: 700 } },
    ]);
    await nextLook(rig);
    await afterRestart(rig, () => {});
    expect(kinds(rig)).toEqual(['changed_terminal']);
  });

  it.each([
    ['another terminal came', 'changed_terminal'],
    ['the day was closed by hand', 'unexplained_batch_close'],
  ])('a payment that is approved only after %s is told', async (_, kind) => {
    const rig = await rigUp();
    await rig.payments.createPayment({ amountMinor: 10_06, reference: 'A', conditionCode: '00' });
    await rig.until(() => countsOf(rig.ledger(), '10.06').charged === 1, 'the charge');
    await afterRestart(rig, () => {
      if (kind === 'changed_terminal') rig.simulator.replaceTerminal('68000077');
      else rig.simulator.closeDayManually();
    });
    expect(rig.status('A')).toBe('unknown');
    const before = open(rig);
    expect(before.flatMap(({ references }) => references)).toEqual([]);
    const said = { resolution: 'charged', by: 'Kim', reason: 'on the slip' } as const;
    rig.payments.resolve({ operationId: doubtOf(rig), ...said, terminalUnreachable: true });
    expect(rig.status('A')).toBe('approved');
    expect(open(rig).slice(before.length)).toMatchObject([
      { kind, references: ['A'], message: expect.stringContaining('no close of the bridge settles it') },
    ]);
    expect(rig.payments.discrepancyOf('A')).toMatchObject({ kind });
  });

  it('a void that was in doubt when the day was closed, and did not take place, is told', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    rig.tap.loseToTerminal = once(is('0630'));
    void rig.payments.voidPayment('A', 1);
    await rig.until(() => rig.tap.sent('0630') === 1, 'the void');
    await afterRestart(rig, () => rig.simulator.closeDayManually());
    expect(rig.status('A')).toBe('voiding');
    const before = open(rig).length;
    const said = { resolution: 'not-voided', by: 'Kim', reason: 'no slip' } as const;
    rig.payments.resolve({ operationId: doubtOf(rig), ...said, terminalUnreachable: true });
    expect(open(rig).slice(before)).toMatchObject([{ kind: 'unexplained_batch_close', references: ['A'] }]);
  });

  describe('is the own one again, after another was here', () => {
    /** Payment B is in doubt when the bridge dies, and a person decides it on a loaner terminal; then the own one is back. */
    async function decidedOnLoaner(
      reaches: boolean,
      resolution: 'charged' | 'not-charged',
      loanerSells: boolean,
    ) {
      const rig = await rigUp();
      const own = rig.simulator.state().terminalId;
      await rig.sale('1.00', 'A');
      await rig.ready();
      if (!reaches) rig.tap.loseToTerminal = once(is('0601'));
      // It is charged for good, and then the line is cut.
      await rig.payments.createPayment({ amountMinor: 10_06, reference: 'B', conditionCode: '00' });
      const isCharged = () => countsOf(rig.ledger(), '10.06').charged === 1;
      await rig.until(reaches ? isCharged : () => rig.tap.sent('0601') === 2, 'the sale at the terminal');
      await afterRestart(rig, () => rig.simulator.replaceTerminal('68000077'));
      const decided = rig.payments.resolve({
        operationId: doubtOf(rig),
        resolution,
        by: 'Kim',
        reason: 'the customer has said so',
        terminalUnreachable: true,
      });
      expect(decided).toMatchObject({ ok: true });
      if (loanerSells) {
        expect(await rig.sale('3.00', 'C')).toBe('approved');
        await rig.ready();
      }
      await nextLook(rig);
      const before = open(rig).length;
      await afterRestart(rig, () => rig.simulator.replaceTerminal(own));
      return { rig, found: open(rig).slice(before) };
    }

    it.each([true, false])(
      'which has charged what was called not charged (sales meanwhile: %s)',
      async (sells) => {
        const { rig, found } = await decidedOnLoaner(true, 'not-charged', sells);
        expect(found).toMatchObject([
          ...(sells ? [{ kind: 'changed_terminal', references: ['C'] }] : []),
          { kind: 'contradicted_outcome', references: ['B'], amountMinor: 10_06 },
        ]);
        // The customer has paid already.
        expect(
          await rig.payments.createPayment({ amountMinor: 10_06, reference: 'B-2', conditionCode: '00' }),
        ).toMatchObject({ ok: false });
      },
    );

    it('which has not charged what was called charged', async () => {
      const { found } = await decidedOnLoaner(false, 'charged', true);
      expect(found).toMatchObject([{ kind: 'contradicted_outcome', references: ['B'] }]);
    });

    it('and has done nothing since', async () => {
      const rig = await rigUp();
      const own = rig.simulator.state().terminalId;
      await rig.sale('1.00', 'A');
      await rig.ready();
      await afterRestart(rig, () => rig.simulator.replaceTerminal('68000077'));
      await afterRestart(rig, () => rig.simulator.replaceTerminal(own));
      expect(open(rig)).toMatchObject([{ kind: 'changed_terminal', references: ['A'] }]);
    });
  });

  it('is no discrepancy when nothing was open, and it has done nothing yet', async () => {
    const rig = await rigUp({ simulator: { dialect: dialects['never-used'] } });
    await rig.sale('1.00', 'BEFORE');
    await rig.payments.voidPayment('BEFORE', 60_000);
    await rig.ready();
    await afterRestart(rig, () => rig.simulator.replaceTerminal('68000002'));
    expect(open(rig)).toEqual([]);
    expect(await rig.sale('12.00', 'A')).toBe('approved');
  });
});

describe('an undisturbed day', () => {
  it('has no discrepancy: sales, refusals, voids, lost lines, a batch, restarts', async () => {
    const rig = await rigUp();
    for (const [amount, reference] of [
      ['10.00', 'A'],
      ['10.01', 'B'],
      ['10.02', 'C'],
      ['10.03', 'D'],
      ['10.04', 'E'],
      ['10.05', 'F'],
      ['10.06', 'G'],
      ['10.08', 'H'],
      ['10.09', 'I'],
    ] as const) {
      await rig.sale(amount, reference);
      await rig.until(() => rig.status(reference) !== 'unknown', `an end of ${reference}`);
      await rig.ready();
    }
    expect(await rig.payments.voidPayment('A', 60_000)).toMatchObject({ ok: true });
    await rig.ready();
    await afterRestart(rig, () => {});
    expect(await rig.payments.submitBatch(60_000)).toMatchObject({ ok: true });
    await rig.ready();
    await afterRestart(rig, () => {});
    expect(open(rig)).toEqual([]);
  });
});
