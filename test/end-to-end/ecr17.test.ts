/** The bridge as a whole against an ECR17 terminal, in whatever goes wrong: its belief is held against the ledger. */
import { describe, expect, it } from 'vitest';
import { ecr17Dialects } from '../../src/simulator/ecr17/dialects.ts';
import { closeRigsAfterEach, terminalUp } from '../support/rigs.ts';
import { ecr17Terminal } from '../support/terminals-on-cable.ts';

closeRigsAfterEach();

type Rig = Awaited<ReturnType<typeof rigUp>>;
type DialectName = keyof typeof ecr17Dialects;
const rigUp = (...terminal: Parameters<typeof ecr17Terminal>) => terminalUp(ecr17Terminal(...terminal));

/** Event and amount of each line of the terminal's ledger that is about money, such as `charged 12.50`. */
const ledgerOf = (rig: Rig) =>
  rig
    .ledger()
    .filter(({ event }) => ['charged', 'reversed', 'settled'].includes(event))
    .map(({ event, amount, total }) => `${event} ${total ?? amount}`);
const charged = (rig: Rig) => rig.ledger().filter(({ event }) => event === 'charged').length;
const closeBatch = (rig: Rig) => rig.payments.submitBatch(300_000);

describe('a sale that meets', () => {
  it.each([
    ['nothing', 1_200, 'approved', 'approved', 1],
    ['an issuer that says no', 1_201, 'declined', 'declined', 0],
    ['the red key', 1_202, 'cancelled', 'cancelled', 0],
    ['a card that cannot be read once', 1_203, 'approved', 'approved', 1],
    ['a loss of power', 1_204, 'unknown', 'failed', 0],
    ['a cut inside the answer', 1_205, 'unknown', 'approved', 1],
    ['a cut behind the answer', 1_206, 'approved', 'approved', 1],
    ['a slow host', 1_207, 'approved', 'approved', 1],
    ['noise', 1_208, 'approved', 'approved', 1],
    ['silence', 1_209, 'unknown', 'failed', 0],
  ] as const)('%s', async (_, amount, first, last, charges) => {
    const rig = await rigUp();
    expect(await rig.sell(amount, 'R1')).toBe(first);
    await rig.ready();
    expect([rig.status('R1'), charged(rig)]).toEqual([last, charges]);
    expect(rig.carriedOut('sale')).toBe(1);
  });

  it.each([
    ['a lost ACK', { lostAcks: 1 }, 'approved'],
    ['a NAK', { naks: 2 }, 'approved'],
    ['damaged answers', { badLrcs: 2 }, 'approved'],
    ['an answer that never comes', { lostAnswers: 1 }, 'unknown'],
    ['a repeated answer', { repeatedAnswers: 1 }, 'approved'],
    ['bytes one by one', { pieceBytes: 1 }, 'approved'],
  ] as const)('%s is charged once and told as approved in the end', async (_, faults, first) => {
    const rig = await rigUp();
    rig.simulator.misbehave(faults);
    expect(await rig.sell(1_200, 'R1')).toBe(first);
    await rig.ready();
    expect([rig.status('R1'), charged(rig)]).toEqual(['approved', 1]);
    expect(rig.carriedOut('sale')).toBe(1);
  });
});

describe('a day', () => {
  it.each(Object.keys(ecr17Dialects) as DialectName[])('with a terminal as in “%s”', async (name) => {
    const dialect = ecr17Dialects[name];
    const its = dialect.checksTerminalId ? { terminalId: '17000001' } : {};
    const rig = await rigUp({ dialect }, { framing: 'tcp', ...its });
    expect(await rig.sell(1_250, 'A')).toBe('approved');
    expect(await rig.sell(2_600, 'B')).toBe('approved');
    expect(await rig.payments.voidPayment('A', 60_000)).toMatchObject({
      ok: false,
      refusal: { code: 'payment_not_voidable' },
    });
    expect(await rig.payments.voidPayment('B', 60_000)).toMatchObject({ ok: true });
    await rig.ready();
    expect(await rig.sell(2_501, 'C')).toBe('declined');
    expect(await rig.sell(2_502, 'D')).toBe('cancelled');
    expect(await closeBatch(rig)).toMatchObject({
      ok: true,
      value: { batch: { totalMinor: 1_250, reconciled: true } },
    });
    await rig.ready();
    expect(['A', 'B'].map((reference) => rig.status(reference))).toEqual(['settled', 'voided']);
    expect(ledgerOf(rig)).toEqual(['charged 12.50', 'charged 26.00', 'reversed 26.00', 'settled 12.50']);
    // Behind the close nothing tells a refusal without a number from one that the bridge has not seen: somebody is told.
    const found = dialect.refusals === 'unnumbered' ? ['unseen_records'] : [];
    expect([rig.payments.discrepancies().map(({ kind }) => kind), rig.asked()]).toEqual([found, []]);
  });
});

describe('a sale whose answer was lost', () => {
  const lose = async (rig: Rig, amountMinor = 1_200) => {
    await rig.ready();
    rig.simulator.misbehave({ lostAnswers: 1 });
    expect(await rig.sell(amountMinor, 'LOST')).toBe('unknown');
  };
  const end = async (rig: Rig) => {
    await rig.ready();
    return rig.status('LOST');
  };

  it('is found by its place behind the one before, also of the same amount', async () => {
    const rig = await rigUp();
    await rig.sell(1_200, 'BEFORE');
    await lose(rig);
    expect([await end(rig), charged(rig)]).toEqual(['approved', 2]);
  });

  it('and was not charged is not found in the one before of the same amount', async () => {
    const rig = await rigUp();
    await rig.sell(1_200, 'BEFORE');
    rig.simulator.queueScenario('power_loss');
    expect(await rig.sell(1_200, 'LOST')).toBe('unknown');
    expect([await end(rig), charged(rig)]).toEqual(['failed', 1]);
  });

  it.each(['sale', 'close'] as const)(
    'and was not charged is known to be so, also where the bridge died right after the %s before it',
    async (before) => {
      const rig = await rigUp();
      await rig.sell(1_200, 'BEFORE');
      if (before === 'close') expect(await closeBatch(rig)).toMatchObject({ ok: true });
      await rig.crash();
      rig.restart();
      await rig.ready();
      rig.simulator.queueScenario('power_loss');
      expect(await rig.sell(1_300, 'LOST')).toBe('unknown');
      expect([await end(rig), rig.asked(), charged(rig)]).toEqual(['failed', [], 1]);
    },
  );

  it('is found though the batch was closed by hand meanwhile', async () => {
    const rig = await rigUp();
    await lose(rig);
    rig.simulator.closeDayManually();
    expect(await end(rig)).toBe('approved');
  });

  it('and was not charged is a person’s where the batch was closed by hand meanwhile', async () => {
    const rig = await rigUp();
    await rig.sell(1_200, 'BEFORE');
    rig.simulator.queueScenario('power_loss');
    expect(await rig.sell(1_300, 'LOST')).toBe('unknown');
    rig.simulator.closeDayManually();
    expect(await end(rig)).toBe('unknown');
    expect(rig.asked()).toEqual([expect.stringContaining('its total has changed')]);
  });

  it.each(['strict', 'keeps-own-sales', 'numbered-close'] as const)(
    'is a person’s where one number too many has been used (%s)',
    async (name) => {
      const rig = await rigUp({ dialect: ecr17Dialects[name] });
      await lose(rig);
      rig.simulator.payManually(1_200);
      expect(await end(rig)).toBe('unknown');
      expect(rig.asked()).toEqual([expect.stringContaining('has done something else since')]);
      expect(charged(rig)).toBe(2);
    },
  );

  it('is found where the terminal does not tell what was paid at it by hand behind it', async () => {
    const rig = await rigUp({ dialect: ecr17Dialects['forgets-own-sales'] });
    await lose(rig);
    rig.simulator.payManually(1_200);
    expect(await end(rig)).toBe('approved');
  });

  it('and was not charged is a person’s where something was paid by hand instead', async () => {
    const rig = await rigUp({ dialect: ecr17Dialects['forgets-own-sales'] });
    rig.simulator.queueScenario('power_loss');
    expect(await rig.sell(1_200, 'LOST')).toBe('unknown');
    rig.simulator.payManually(1_200);
    expect(await end(rig)).toBe('unknown');
    expect(rig.asked()).toEqual([expect.stringContaining('its total has changed')]);
  });

  it('is a person’s where the terminal tells no amount, or the result before it', async () => {
    for (const [name, words] of [
      ['plain-answers', 'does not say which amount'],
      ['forgets-the-last', 'its total has changed'],
    ] as const) {
      const rig = await rigUp({ dialect: ecr17Dialects[name] });
      await lose(rig);
      rig.simulator.losePower(1_000);
      expect(await end(rig)).toBe('unknown');
      expect(rig.asked()).toEqual([expect.stringContaining(words)]);
    }
  });

  it('on a terminal that was never used is a person’s, because nothing is known from before', async () => {
    const rig = await rigUp({ dialect: ecr17Dialects['never-used'] });
    await lose(rig);
    expect(await end(rig)).toBe('unknown');
    expect(rig.asked()).toEqual([expect.stringContaining('before is not known')]);
  });

  it('is a person’s where another terminal stands in its place', async () => {
    const rig = await rigUp();
    await lose(rig);
    rig.simulator.replaceTerminal('17000002');
    await rig.until(() => rig.asked().length > 0, 'a question to a person');
    expect(rig.asked()).toEqual([expect.stringContaining('17000002 instead of 17000001')]);
    expect(rig.status('LOST')).toBe('unknown');
  });

  it.each([
    'hangs-up',
    'no-ack',
    'glued-ack',
    'quiet',
    'lrc-std',
    'short-answers',
    'refusals-forgotten',
  ] as const)('and one that was not charged, are told apart with a terminal as in “%s”', async (name) => {
    const rig = await rigUp({ dialect: ecr17Dialects[name] }, { framing: 'tcp' });
    await lose(rig);
    expect(await end(rig)).toBe('approved');
    rig.simulator.queueScenario('power_loss');
    await rig.sell(1_300, 'R2');
    await rig.ready();
    expect([rig.status('R2'), charged(rig)]).toEqual(['failed', 1]);
  });
});

/** Over TCP a terminal that hangs up may be another one at the next command, and nothing has told the bridge. */
describe('a close whose answer was lost', () => {
  /** The terminal is told to close, and its answer does not arrive. */
  async function closeLost(rig: Rig) {
    rig.simulator.misbehave({ lostAnswers: 1 });
    const closed = await closeBatch(rig);
    await rig.ready();
    return closed;
  }

  it('is found, with the total that the terminal told before it', async () => {
    const rig = await rigUp();
    await rig.sell(1_200, 'A');
    await rig.ready();
    expect(await closeLost(rig)).toMatchObject({
      ok: true,
      value: { batch: { totalMinor: 1_200, reconciled: true } },
    });
    expect([rig.status('A'), rig.payments.discrepancies()]).toEqual(['settled', []]);
  });

  it('does not settle what a close by hand had settled before', async () => {
    const rig = await rigUp();
    await rig.sell(1_200, 'YESTERDAY');
    await rig.ready();
    rig.simulator.closeDayManually();
    await rig.sell(3_400, 'TODAY');
    await rig.ready();
    expect((await closeLost(rig)).ok).toBe(true);
    expect([rig.status('YESTERDAY'), rig.status('TODAY')]).toEqual(['approved', 'settled']);
    expect(rig.payments.discrepancies()).toMatchObject([
      { kind: 'batch_differs', references: ['YESTERDAY'] },
    ]);
  });
});

describe('a close that a person called done while the line was gone', () => {
  it.each([
    ['and that was', 'from', []],
    ['and that never was', 'towards', ['contradicted_outcome']],
  ] as const)('%s', async (_what, lost, kinds) => {
    const rig = await rigUp();
    await rig.sell(1_200, 'A');
    await rig.ready();
    rig.cable.onPiece = () => {
      if (rig.sent('batch_close') === 0) return 'pass';
      rig.cable.onPiece = () => 'pass';
      queueMicrotask(() => rig.cable.pull());
      return lost === 'towards' ? 'lose' : 'pass';
    };
    await closeBatch(rig);
    const [doubt] = rig.payments.operationsInDoubt();
    const word = { resolution: 'closed', by: 'Kim', reason: 'its slip', terminalUnreachable: true } as const;
    expect(rig.payments.resolve({ operationId: doubt?.operationId ?? '', ...word })).toMatchObject({
      ok: true,
    });
    expect(ledgerOf(rig).includes('settled 12.00')).toBe(lost === 'from');
    rig.cable.put();
    await rig.ready();
    expect(rig.status('A')).toBe('settled');
    expect(rig.payments.discrepancies().map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('another terminal, put there between two commands,', () => {
  const swapped = async (byHandMinor: number) => {
    const rig = await rigUp({ dialect: ecr17Dialects['hangs-up'] }, { framing: 'tcp' });
    expect(await rig.sell(12_400, 'OURS')).toBe('approved');
    await rig.ready();
    await rig.clock.advance(3_000);
    rig.simulator.replaceTerminal('17000002');
    rig.simulator.payManually(byHandMinor);
    return rig;
  };

  // Of our amount and of another: both have the number of our payment.
  it.each([12_400, 500])('does not reverse its own payment of %i for ours', async (byHandMinor) => {
    const rig = await swapped(byHandMinor);
    expect(await rig.payments.voidPayment('OURS', 120_000)).toMatchObject({
      ok: false,
      refusal: {
        code: 'void_declined',
        message: expect.stringContaining('17000002 instead of 17000001') as string,
      },
    });
    await rig.ready();
    expect([rig.status('OURS'), rig.carriedOut('void')]).toEqual(['approved', 0]);
    expect(ledgerOf(rig).filter((line) => line.startsWith('reversed'))).toEqual([]);
  });

  it.each([12_400, 500])('does not close its own batch of %i for ours', async (byHandMinor) => {
    const rig = await swapped(byHandMinor);
    expect(await closeBatch(rig)).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining('17000002 instead of 17000001') as string },
    });
    await rig.ready();
    expect([rig.status('OURS'), rig.carriedOut('batch_close')]).toEqual(['approved', 0]);
    expect(ledgerOf(rig).filter((line) => line.startsWith('settled'))).toEqual([]);
  });
});

describe('a cancel', () => {
  it('is refused at once, and the sale goes on', async () => {
    const rig = await rigUp();
    await rig.begin(1_207, 'A');
    await rig.until(() => rig.simulator.state().busy, 'the customer at the terminal');
    expect(await rig.payments.cancelPayment('A')).toMatchObject({
      ok: false,
      refusal: { code: 'cancel_not_possible' },
    });
    await rig.until(() => rig.status('A') === 'approved', 'the end of the sale');
  });
});

describe('receipts for the POS', () => {
  /** Of each operation, oldest first. */
  const printed = (rig: Rig) =>
    rig.journal
      .eventsAfter(0, 1_000)
      .flatMap(({ event }) => (event.type === 'operation_ended' ? [event] : []))
      .map(({ receiptLines, receiptParts = [] }) => ({
        receiptLines,
        of: receiptParts.map(({ copy }) => copy),
      }));

  it.each(['strict', 'tickets-first', 'hangs-up'] as const)('come with a sale (%s)', async (name) => {
    const rig = await rigUp({ dialect: ecr17Dialects[name] }, { framing: 'tcp', receipts: 'pos' });
    expect(await rig.sell(1_200, 'A')).toBe('approved');
    expect(await rig.sell(1_301, 'B')).toBe('declined');
    const [sale, refusal] = printed(rig);
    expect(sale?.of).toEqual(['customer', 'merchant']);
    expect(sale?.receiptLines).toContain('IMPORTO EUR        12.00');
    expect(refusal?.receiptLines.join()).toContain('TRANSAZIONE NEGATA');
  });

  it('do not come from a terminal that prints itself, and none is asked for where the terminal prints', async () => {
    for (const [name, receipts] of [
      ['prints-itself', 'pos'],
      ['strict', 'terminal'],
    ] as const) {
      const rig = await rigUp({ dialect: ecr17Dialects[name] }, { receipts });
      expect(await rig.sell(1_200, 'A')).toBe('approved');
      expect(printed(rig)).toEqual([{ receiptLines: [], of: [] }]);
    }
  });
});
