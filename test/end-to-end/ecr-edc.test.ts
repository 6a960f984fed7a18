/** Payments on an ECR-EDC terminal from the till's command to the terminal's ledger, on both profiles. */
import { describe, expect, it } from 'vitest';
import { ecrEdcDialects } from '../../src/simulator/ecr-edc/dialects.ts';
import type { CoreRigOptions } from '../support/core-rig.ts';
import { closeRigsAfterEach, payment, terminalUp } from '../support/rigs.ts';
import { ecrEdcTerminal } from '../support/terminals-on-cable.ts';

closeRigsAfterEach();

type Rig = Awaited<ReturnType<typeof rigUp>>;
const rigUp = (...terminal: Parameters<typeof ecrEdcTerminal>) => terminalUp(ecrEdcTerminal(...terminal));

/** Event, amount and invoice number of each line of the terminal's ledger, such as `charged 12.50 000001`. */
const ledgerOf = (rig: Rig) =>
  rig
    .ledger()
    .map(({ event, amount, receipt_number, count, total }) =>
      event === 'settled' ? `settled ${count} ${total}` : `${event} ${amount} ${receipt_number}`,
    );
const closeBatch = (rig: Rig) => rig.payments.submitBatch(120_000);

describe.each(['generic', 'kbtg'] as const)('on %s', (profile) => {
  const withoutTips = Object.entries(ecrEdcDialects).filter(([, { tipPercent }]) => tipPercent === 0);
  it.each(withoutTips)(
    'a day with a terminal as in “%s”: the terminal and the journal agree',
    async (_name, dialect) => {
      const rig = await rigUp(profile, { dialect });
      expect(await rig.sell(1_250, 'A')).toBe('approved');
      expect(await rig.sell(2_600, 'B')).toBe('approved');
      expect(await rig.sell(2_501, 'C')).toBe('declined');
      expect(await rig.sell(2_502, 'D')).toBe('cancelled');
      expect((await rig.payments.voidPayment('A', 60_000)).ok).toBe(true);
      expect(await closeBatch(rig)).toMatchObject({
        ok: true,
        value: {
          batch: dialect.tellsTotals ? { totalMinor: 2_600, reconciled: true } : { totalMinor: null },
        },
      });
      expect([rig.status('A'), rig.status('B')]).toEqual(['voided', 'settled']);
      expect(ledgerOf(rig)).toEqual([
        'charged 12.50 000001',
        'charged 26.00 000002',
        'reversed 12.50 000001',
        'settled 1 26.00',
      ]);
      expect(rig.payments.discrepancies()).toEqual([]);
    },
  );

  describe.each(['tips', 'tips-in-amount'] as const)('a tip (%s)', (name) => {
    const tipped = (options?: CoreRigOptions) =>
      terminalUp(ecrEdcTerminal(profile, { dialect: ecrEdcDialects[name] }), options);

    it('that nobody asked for needs a decision, and is named', async () => {
      const rig = await tipped();
      expect(await rig.sell(1_250, 'A')).toBe('unknown');
      await rig.until(() => rig.asked().length > 0, 'a question to a person');
      expect(rig.asked()[0]).toContain('13.75 THB');
      const [doubt] = rig.payments.operationsInDoubt();
      const word = { resolution: 'charged', by: 'Kim', reason: 'its receipt' } as const;
      const operationId = doubt?.operationId ?? '';
      expect(rig.payments.resolve({ operationId, ...word })).toMatchObject({ ok: true });
      expect(payment(rig, 'A')).toMatchObject({ status: 'approved', result: { amountMinor: 1_375 } });
      expect(rig.payments.discrepancies()).toMatchObject([{ kind: 'amount_differs', amountMinor: 1_375 }]);
      expect(ledgerOf(rig)).toEqual(['charged 13.75 000001']);
    });

    it('that is allowed is approved, and in the totals of the day', async () => {
      const rig = await tipped({ maxTipPercent: 15 });
      expect(await rig.sell(1_250, 'A')).toBe('approved');
      expect(payment(rig, 'A')).toMatchObject({ result: { amountMinor: 1_375 } });
      expect(await closeBatch(rig)).toMatchObject({
        value: { batch: { totalMinor: 1_375, reconciled: true } },
      });
      expect(rig.payments.discrepancies()).toEqual([]);
    });

    it('is found also where the answer was lost', async () => {
      const rig = await tipped();
      rig.simulator.misbehave({ lostAnswers: 1 });
      await rig.begin(1_250, 'A');
      await rig.until(() => rig.asked().length > 0, 'a question to a person');
      expect(rig.asked()[0]).toContain(profile === 'kbtg' ? '13.75 THB' : 'cannot be asked');
    });
  });

  it.each([
    ['a card that is read at the second try', 1_203],
    ['a slow host', 1_207],
    ['a noisy line', 1_208],
    ['a line that is cut behind the ACK', 1_206],
  ])('%s does no harm', async (_what, amountMinor) => {
    const rig = await rigUp(profile);
    expect(await rig.sell(amountMinor, 'A')).toBe('approved');
    expect(rig.ledger()).toHaveLength(1);
  });

  it('what the terminal took by hand shows at the close', async () => {
    const rig = await rigUp(profile);
    expect(await rig.sell(1_250, 'A')).toBe('approved');
    rig.simulator.payManually(700);
    expect(await closeBatch(rig)).toMatchObject({
      value: { batch: { totalMinor: 1_950, reconciled: false } },
    });
  });

  it('the day is closed also right after a restart: by the terminal’s own word, or by a person’s', async () => {
    const rig = await rigUp(profile);
    expect(await rig.sell(1_250, 'A')).toBe('approved');
    await rig.crash();
    rig.restart();
    await rig.ready();
    const closed = await closeBatch(rig);
    expect(ledgerOf(rig)).toEqual(['charged 12.50 000001', 'settled 1 12.50']);
    if (profile === 'kbtg') {
      expect(closed).toMatchObject({ ok: true, value: { batch: { reconciled: true } } });
    } else {
      expect(closed.ok).toBe(false);
      await rig.clock.advance(200_000);
      const [doubt] = rig.payments.operationsInDoubt();
      expect(doubt).toMatchObject({ kind: 'batch_close', needsDecision: true });
      const operationId = doubt?.operationId ?? '';
      const word = { resolution: 'closed', by: 'Kim', reason: 'its report' } as const;
      expect(rig.payments.resolve({ operationId, ...word })).toMatchObject({ ok: true });
    }
    expect(rig.status('A')).toBe('settled');
  });

  it.each(['strict', 'no-id'] as const)(
    'another terminal (%s) does not reverse its own payment with the same invoice number for ours',
    async (name) => {
      const rig = await rigUp(profile, { dialect: ecrEdcDialects[name] });
      expect(await rig.sell(12_400, 'OURS')).toBe('approved');
      await rig.ready();
      rig.simulator.replaceTerminal('70000002');
      expect(rig.simulator.payManually(500)).toBe('000001');
      await rig.clock.advance(30_000);
      await rig.ready();
      expect(await rig.payments.voidPayment('OURS', 120_000)).toMatchObject({
        ok: false,
        refusal: { code: 'void_declined', message: expect.stringContaining('by hand') as string },
      });
      expect([rig.status('OURS'), rig.carriedOut('void')]).toEqual(['approved', 0]);
      expect(ledgerOf(rig)).toEqual(['charged 124.00 000001', 'charged 5.00 000001']);
    },
  );

  it('nor does one without an id that has sold for us since, under the same number', async () => {
    const rig = await rigUp(profile, { dialect: ecrEdcDialects['no-id'] });
    expect(await rig.sell(12_400, 'OURS')).toBe('approved');
    await rig.ready();
    rig.simulator.replaceTerminal('70000002');
    await rig.clock.advance(30_000);
    await rig.ready();
    expect(await rig.sell(500, 'THERE')).toBe('approved');
    expect(await rig.payments.voidPayment('OURS', 120_000)).toMatchObject({ ok: false });
    expect((await rig.payments.voidPayment('THERE', 120_000)).ok).toBe(true);
    expect([rig.status('OURS'), rig.status('THERE')]).toEqual(['approved', 'voided']);
    expect(ledgerOf(rig).at(-1)).toBe('reversed 5.00 000001');
  });

  describe.each([
    ['with its amount', true],
    ['without its amount', false],
  ])('a payment that was begun at the terminal, and is reported %s,', (_how, tellsAmount) => {
    const dialect = { ...ecrEdcDialects.strict, tellsAmount };
    const nobodys = { kind: 'unexplained_payment', references: [], record: { receiptNumber: '000002' } };

    it('is told once, and counted in the totals of the day', async () => {
      const rig = await rigUp(profile, { dialect });
      expect(await rig.sell(1_250, 'A')).toBe('approved');
      await rig.ready();
      // The same amount: only its number shows that it is not the answer to A once more.
      rig.simulator.answerUnasked(rig.simulator.payManually(1_250));
      await rig.clock.advance(60_000);
      expect(rig.payments.discrepancies()).toMatchObject([
        { ...nobodys, amountMinor: tellsAmount ? 1_250 : null },
      ]);
      expect([rig.status('A'), await closeBatch(rig)]).toMatchObject([
        'approved',
        { ok: true, value: { batch: { totalMinor: 2_500 } } },
      ]);
    });

    it('is no answer to a void of the same amount', async () => {
      const rig = await rigUp(profile, { dialect });
      expect(await rig.sell(1_250, 'A')).toBe('approved');
      expect((await rig.payments.voidPayment('A', 60_000)).ok).toBe(true);
      await rig.ready();
      rig.simulator.answerUnasked(rig.simulator.payManually(1_250));
      await rig.clock.advance(60_000);
      expect(rig.payments.discrepancies()).toMatchObject([nobodys]);
    });

    it('is told where the bridge has sold nothing yet', async () => {
      const rig = await rigUp(profile, { dialect });
      rig.simulator.answerUnasked(rig.simulator.payManually(700));
      await rig.clock.advance(60_000);
      expect(rig.payments.discrepancies()).toMatchObject([
        { kind: 'unexplained_payment', record: { receiptNumber: '000001' } },
      ]);
    });
  });

  it('an answer that comes again is nothing to tell, also after a restart', async () => {
    const rig = await rigUp(profile);
    expect(await rig.sell(1_250, 'A')).toBe('approved');
    expect(await rig.sell(1_250, 'B')).toBe('approved');
    await rig.crash();
    rig.restart();
    await rig.ready();
    for (const invoice of ['000001', '000002']) rig.simulator.answerUnasked(invoice);
    await rig.clock.advance(60_000);
    expect(rig.payments.discrepancies()).toEqual([]);
  });

  describe('a batch that was closed at the terminal, whose invoice numbers begin anew,', () => {
    const paidOnTwoDays = async (amountMinor: number, more: { tellsTotals?: false } = {}) => {
      const dialect = { ...ecrEdcDialects['invoices-anew'], ...more };
      const rig = await rigUp(profile, { dialect });
      expect(await rig.sell(1_250, 'YESTERDAY')).toBe('approved');
      await rig.ready();
      rig.simulator.closeDayManually();
      expect(await rig.sell(amountMinor, 'TODAY')).toBe('approved');
      await rig.ready();
      return rig;
    };

    it.each([1_250, 9_900])(
      'is told with the next payment, and no void reverses that one (%i)',
      async (amountMinor) => {
        const rig = await paidOnTwoDays(amountMinor);
        expect(rig.payments.discrepancies()).toMatchObject([
          { kind: 'unexplained_batch_close', references: ['YESTERDAY'] },
        ]);
        expect(await rig.payments.voidPayment('YESTERDAY', 60_000)).toMatchObject({
          ok: false,
          refusal: { code: 'payment_not_voidable' },
        });
        expect(rig.carriedOut('void')).toBe(0);
        expect((await rig.payments.voidPayment('TODAY', 60_000)).ok).toBe(true);
        expect([rig.status('YESTERDAY'), rig.status('TODAY')]).toEqual(['approved', 'voided']);
      },
    );

    it('is not settled once more with the next one', async () => {
      const rig = await paidOnTwoDays(9_900, { tellsTotals: false });
      expect((await closeBatch(rig)).ok).toBe(true);
      expect([rig.status('YESTERDAY'), rig.status('TODAY')]).toEqual(['approved', 'settled']);
    });

    it('is told also where a void came last, and after a restart', async () => {
      const rig = await rigUp(profile, { dialect: ecrEdcDialects['invoices-anew'] });
      for (const reference of ['A', 'B', 'C']) {
        expect(await rig.sell(1_250, reference)).toBe('approved');
        await rig.ready();
      }
      expect((await rig.payments.voidPayment('A', 60_000)).ok).toBe(true);
      rig.simulator.closeDayManually();
      rig.simulator.payManually(500);
      await rig.crash();
      rig.restart();
      await rig.ready();
      expect(await rig.sell(900, 'D')).toBe('approved');
      expect(rig.payments.discrepancies()).toMatchObject([
        { kind: 'unexplained_batch_close', references: ['B', 'C'] },
      ]);
    });

    it('and by the bridge is nothing to tell', async () => {
      const rig = await rigUp(profile, { dialect: ecrEdcDialects['invoices-anew'] });
      for (const reference of ['A', 'B']) {
        expect(await rig.sell(1_250, reference)).toBe('approved');
        expect((await closeBatch(rig)).ok).toBe(true);
        await rig.ready();
      }
      expect(rig.payments.discrepancies()).toEqual([]);
    });
  });

  it('another terminal that tells neither its id nor totals does not settle ours with its own batch', async () => {
    const rig = await rigUp(profile, { dialect: { ...ecrEdcDialects['no-id'], tellsTotals: false } });
    expect(await rig.sell(12_400, 'OURS')).toBe('approved');
    await rig.ready();
    rig.simulator.replaceTerminal('70000002');
    rig.simulator.payManually(500);
    await rig.clock.advance(30_000);
    await rig.ready();
    expect((await closeBatch(rig)).ok).toBe(false);
    await rig.clock.advance(200_000);
    expect(rig.status('OURS')).toBe('approved');
    const asked = rig.payments.operationsInDoubt().map(({ kind, needsDecision }) => [kind, needsDecision]);
    // A terminal of kbtg is asked for our payment before: nothing is sent to one that does not know it.
    expect(asked).toEqual(profile === 'kbtg' ? [] : [['batch_close', true]]);
  });

  it('a sale whose answer comes late is approved, and nobody is asked', async () => {
    const rig = await rigUp(profile, { dialect: { ...ecrEdcDialects.strict, notices: false } });
    // It takes the sale, but its ACK is lost: the bridge gives up waiting and is in doubt.
    rig.simulator.misbehave({ lostAcks: 1, answerDelayMs: 20_000 });
    await rig.begin(1_250, 'A');
    await rig.until(() => rig.payments.operationsInDoubt().length > 0, 'a doubt');
    expect(rig.asked()).toEqual([]);
    await rig.until(() => rig.status('A') === 'approved', 'an end of the sale');
    expect(ledgerOf(rig)).toEqual(['charged 12.50 000001']);
    expect(rig.carriedOut('sale')).toBe(1);
  });
});

describe('a sale that was charged, and whose answer was lost', () => {
  const losing = {
    'behind the ACK': (rig: Rig) => rig.simulator.misbehave({ lostAnswers: 1 }),
    'with the line': (rig: Rig) => rig.simulator.queueScenario('cut_before_acknowledgement'),
  };

  it.each(Object.entries(losing))('%s, is found by its reference on kbtg', async (_where, lose) => {
    const rig = await rigUp('kbtg');
    lose(rig);
    await rig.begin(1_250, 'A');
    await rig.until(() => rig.status('A') === 'approved', 'an end of the sale');
    expect(ledgerOf(rig)).toEqual(['charged 12.50 000001']);
    expect(rig.carriedOut('sale')).toBe(1);
  });

  it.each(Object.entries(losing))('%s, is a person’s to decide on generic', async (_where, lose) => {
    const rig = await rigUp('generic');
    lose(rig);
    await rig.begin(1_250, 'A');
    await rig.until(() => rig.asked().length > 0, 'a question to a person');
    expect(rig.asked()[0]).toContain('cannot be asked');
    // Whatever time goes by: it is neither sent again nor called paid.
    await rig.clock.advance(3_600_000);
    expect(rig.status('A')).toBe('unknown');
    expect(rig.carriedOut('sale')).toBe(1);
    const again = await rig.payments.createPayment({ amountMinor: 900, reference: 'B', conditionCode: '00' });
    expect(again.ok).toBe(false);
  });

  it('while the bridge dies, is found on kbtg after it has begun anew', async () => {
    const rig = await rigUp('kbtg');
    await rig.begin(1_250, 'A');
    await rig.until(() => rig.simulator.state().busy, 'the customer at the terminal');
    await rig.crash();
    rig.restart();
    await rig.until(() => rig.status('A') === 'approved', 'an end of the sale');
    expect(rig.carriedOut('sale')).toBe(1);
  });
});

describe('a sale that was not charged, and whose answer was lost', () => {
  it.each(['power_loss', 'silence'] as const)(
    'is found on kbtg, but not before the terminal has had its time: %s',
    async (scenario) => {
      const rig = await rigUp('kbtg');
      // That it knows this one shows that it is the same terminal.
      await rig.sell(1_000, 'BEFORE');
      await rig.ready();
      rig.simulator.queueScenario(scenario);
      const begunAt = rig.clock.elapsed();
      await rig.begin(1_250, 'A');
      await rig.until(() => rig.payments.operationsInDoubt().length > 0, 'a doubt');
      await rig.until(() => rig.payments.operationsInDoubt().length === 0, 'an end of the doubt');
      expect(rig.clock.elapsed() - begunAt).toBeGreaterThanOrEqual(180_000);
      expect([rig.status('A'), rig.asked()]).toEqual(['failed', []]);
      expect(ledgerOf(rig)).toEqual(['charged 10.00 000001']);
    },
  );

  it('is a person’s on kbtg where another terminal may have been connected meanwhile', async () => {
    const rig = await rigUp('kbtg');
    await rig.sell(1_000, 'BEFORE');
    await rig.ready();
    rig.simulator.misbehave({ lostAnswers: 1 });
    await rig.begin(1_250, 'A');
    await rig.until(() => ledgerOf(rig).length === 2, 'a charge');
    rig.simulator.replaceTerminal('70000002');
    await rig.until(() => rig.asked().length > 0, 'a question to a person');
    expect(rig.asked()[0]).toContain('nothing shows that it is still the same terminal');
  });

  it('is a person’s on a kbtg terminal that returns no reference', async () => {
    const rig = await rigUp('kbtg', { dialect: ecrEdcDialects['no-reference'] });
    rig.simulator.queueScenario('power_loss');
    await rig.begin(1_250, 'A');
    await rig.until(() => rig.asked().length > 0, 'a question to a person');
    expect(ledgerOf(rig)).toEqual([]);
  });

  it('that the terminal never heard is not sent again', async () => {
    const rig = await rigUp('kbtg');
    await rig.sell(1_000, 'BEFORE');
    await rig.ready();
    rig.simulator.misbehave({ ignored: 1 });
    await rig.begin(1_250, 'A');
    await rig.until(() => rig.payments.operationsInDoubt().length > 0, 'a doubt');
    await rig.until(() => rig.payments.operationsInDoubt().length === 0, 'an end of the doubt');
    expect(ledgerOf(rig)).toEqual(['charged 10.00 000001']);
    expect(rig.carriedOut('sale')).toBe(1);
  });
});

describe('a cancel', () => {
  it('stops a sale on kbtg before the host is asked', async () => {
    const rig = await rigUp('kbtg');
    await rig.begin(1_250, 'A');
    await rig.until(() => rig.simulator.state().busy, 'the customer at the terminal');
    expect((await rig.payments.cancelPayment('A')).ok).toBe(true);
    expect(rig.status('A')).toBe('cancelled');
    expect(ledgerOf(rig)).toEqual([]);
  });

  it('that comes too late leaves the sale approved', async () => {
    const rig = await rigUp('kbtg');
    await rig.begin(1_207, 'A');
    await rig.clock.advance(5_000);
    expect((await rig.payments.cancelPayment('A')).ok).toBe(false);
    expect(rig.status('A')).toBe('approved');
  });

  it('is refused on generic, where there is no way', async () => {
    const rig = await rigUp('generic');
    await rig.begin(1_207, 'A');
    await rig.clock.advance(5_000);
    const answer = await rig.payments.cancelPayment('A');
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'cancel_not_possible' } });
    await rig.until(() => rig.status('A') === 'approved', 'the end of the sale');
  });
});
