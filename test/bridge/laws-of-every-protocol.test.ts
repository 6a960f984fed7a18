/**
 * The laws of money that hold whatever a terminal speaks, on the whole way from a command to the terminal's ledger, over each
 * protocol; what only a tap on the frames of one can show is in `laws-of-money.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { JournalWriteError, type Journal } from '../../src/bridge/journal/journal.ts';
import { formatAmount } from '../../src/contract/money.ts';
import type { OperationKind } from '../../src/contract/operation.ts';
import { countsOf } from '../support/ledger.ts';
import { protocolCases, type ProtocolCase } from '../support/protocol-cases.ts';
import { closeRigsAfterEach, terminalUp } from '../support/rigs.ts';
import { settle } from '../support/virtual-clock.ts';
import type { TerminalRig } from '../support/terminal-rig.ts';

closeRigsAfterEach();

/** By then the bridge has connected again where it has to, and has looked at the idle terminal; in milliseconds. */
const lookedAtMs = 30_000;

const sale = (amountMinor: number, reference: string) => ({ amountMinor, reference, conditionCode: '00' });
const codeOf = (answer: { ok: true } | { ok: false; refusal: { code: string } }) =>
  answer.ok ? 'ok' : answer.refusal.code;
const moneyCommands = (rig: TerminalRig) =>
  (['sale', 'void', 'batch_close'] as const satisfies OperationKind[]).map((kind) => rig.sent(kind));

describe.each(protocolCases)('on $name', (protocol) => {
  const rigUp = (options = {}) => terminalUp(protocol.plugIn, options);
  const countsIn = (rig: TerminalRig, amountMinor: number) =>
    countsOf(rig.ledger(), formatAmount(amountMinor, protocol.currency));
  const once = { charged: 1, autoReversed: 0, reversed: 0 };

  describe('at most one sale per reference', () => {
    it('makes one sale of fifty requests at once', async () => {
      const rig = await rigUp();
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => rig.payments.createPayment(sale(1_200, 'SAME'))),
      );
      expect(answers.every((answer) => answer.ok)).toBe(true);
      expect(answers.filter((answer) => answer.ok && !answer.value.repeated)).toHaveLength(1);
      await rig.until(() => rig.status('SAME') === 'approved', 'approval');
      expect(moneyCommands(rig)).toEqual([1, 0, 0]);
      expect(countsIn(rig, 1_200)).toEqual(once);
    });

    it('also when they come while the terminal is not at rest yet', async () => {
      const rig = await rigUp();
      await rig.sell(100, 'FIRST');
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => rig.payments.createPayment(sale(1_200, 'SAME'))),
      );
      expect(answers.map(codeOf)).toEqual(Array(50).fill('ok'));
      await rig.until(() => rig.status('SAME') === 'approved', 'approval');
      expect(rig.sent('sale')).toBe(2);
    });

    it('keeps the key through restarts, declines and other amounts', async () => {
      const rig = await rigUp();
      expect(await rig.sell(1_201, 'A')).toBe('declined');
      expect(await rig.sell(1_200, 'B')).toBe('approved');
      await rig.ready();
      await rig.crash();
      rig.restart();
      await rig.ready();
      expect(await rig.sell(1_201, 'A')).toBe('declined');
      expect(await rig.sell(1_200, 'B')).toBe('approved');
      expect(codeOf(await rig.payments.createPayment(sale(1_300, 'B')))).toBe('reference_conflict');
      expect(rig.sent('sale')).toBe(2);
    });

    it('lets one of two references in, and names it to the other', async () => {
      const rig = await rigUp();
      const answers = await Promise.all([
        rig.payments.createPayment(sale(100, 'A')),
        rig.payments.createPayment(sale(200, 'B')),
      ]);
      expect(answers.map(codeOf)).toEqual(['ok', 'terminal_busy']);
      await rig.until(() => rig.status('A') === 'approved', 'approval');
      // What was refused before it was journaled leaves its reference free.
      expect(await rig.sell(200, 'B')).toBe('approved');
    });
  });

  describe('a terminal that was put in the place of another one', () => {
    /** Whether a command reaches a line that ends in this very moment is nobody's to say: where one ends, it has ended. */
    const replaceTerminal = async (rig: TerminalRig) => {
      rig.simulator.replaceTerminal('69000002');
      await settle();
    };

    it('is told, with what is not settled on the one before it', async () => {
      const rig = await rigUp();
      expect(await rig.sell(1_200, 'BEFORE')).toBe('approved');
      await rig.ready();
      await replaceTerminal(rig);
      await rig.ready();
      expect(await rig.sell(1_300, 'A')).toBe('approved');
      await rig.ready();
      expect(await rig.sell(1_400, 'B')).toBe('approved');
      await rig.ready();
      const changes = rig.payments.discrepancies().filter(({ kind }) => kind === 'changed_terminal');
      expect(changes).toMatchObject([{ references: ['BEFORE'] }]);
      expect(rig.status('BEFORE')).toBe('approved');
    });

    it('owns the first payment that it takes: its closed day settles that', async () => {
      const rig = await rigUp();
      await rig.sell(1_200, 'BEFORE');
      await rig.ready();
      await replaceTerminal(rig);
      await rig.ready();
      await rig.sell(1_300, 'A');
      await rig.ready();
      await rig.sell(1_400, 'B');
      await rig.ready();
      await rig.payments.submitBatch(60_000);
      await rig.ready();
      const isTaken = countsIn(rig, 1_300).charged > countsIn(rig, 1_300).autoReversed;
      expect([rig.status('BEFORE'), rig.status('A'), rig.status('B')]).toEqual([
        'approved',
        isTaken ? 'settled' : 'failed',
        'settled',
      ]);
    });

    const swaps = [
      { seen: 'after a look', amount: 12_400 },
      { seen: 'after a look', amount: 500 },
      { seen: 'before any look', amount: 12_400 },
      { seen: 'before any look', amount: 500 },
    ] as const;
    const swapped = async ({ seen, amount }: (typeof swaps)[number]) => {
      const rig = await rigUp();
      expect(await rig.sell(12_400, 'BEFORE')).toBe('approved');
      await rig.ready();
      await replaceTerminal(rig);
      // Under the number that ours has on the terminal before.
      rig.simulator.payManually(amount);
      if (seen === 'after a look') await rig.clock.advance(lookedAtMs);
      await rig.ready();
      return rig;
    };

    it.each(swaps)('gives back nothing of its own for ours: $amount by hand, $seen', async (swap) => {
      const rig = await swapped(swap);
      await rig.payments.voidPayment('BEFORE', 120_000);
      await rig.ready();
      expect(rig.ledger().filter(({ event }) => event === 'reversed')).toEqual([]);
      expect(rig.status('BEFORE')).toBe('approved');
    });

    it.each(swaps)('settles nothing of ours with its own day: $amount by hand, $seen', async (swap) => {
      const rig = await swapped(swap);
      await rig.payments.submitBatch(120_000);
      await rig.ready();
      expect(rig.status('BEFORE')).toBe('approved');
    });
  });

  describe('a sale that meets', () => {
    it.each([
      ['nothing', '00'],
      ['an issuer that says no', '01'],
      ['a customer who stops it', '02'],
      ['a card that cannot be read once', '03'],
      ['a loss of power', '04'],
      ['a cut inside the answer', '05'],
      ['a cut behind the answer', '06'],
      ['a slow host', '07'],
      ['noise', '08'],
      ['silence', '09'],
    ] as const)('%s ends as the ledger says, or with a person who is told why', async (_what, digits) => {
      const rig = await rigUp();
      expect(await rig.sell(1_000, 'BEFORE')).toBe('approved');
      await rig.ready();
      const amountMinor = 2_400 + Number(digits);
      await rig.sell(amountMinor, 'A');
      await rig.ready();
      const [status, charges] = endOf(protocol, digits);
      expect([rig.status('A'), countsIn(rig, amountMinor)]).toEqual([status, { ...once, ...charges }]);
      const asked = status === 'unknown' ? [expect.stringMatching(protocol.leavesToPerson.sale ?? /^$/)] : [];
      expect(rig.asked()).toEqual(asked);
      expect(rig.carriedOut('sale')).toBe(2);
    });

    // Where results are asked for it takes more than silence: see `end-to-end/kpay.test.ts`.
    it.each(protocol.isAskedForResults === true ? [] : ['silence'])(
      '%s is in doubt, and nothing else that moves money begins until that is decided',
      async () => {
        const rig = await rigUp();
        await rig.sell(1_000, 'BEFORE');
        await rig.begin(2_409, 'A');
        await rig.until(() => rig.status('A') === 'unknown', 'doubt');
        expect(codeOf(await rig.payments.createPayment(sale(200, 'B')))).toBe('payment_unresolved');
        expect(codeOf(await rig.payments.voidPayment('BEFORE', 1_000))).toBe('payment_unresolved');
        expect(codeOf(await rig.payments.submitBatch(1_000))).toBe('payment_unresolved');
        expect(moneyCommands(rig)).toEqual([2, 0, 0]);
      },
    );
  });

  it('sends nothing when the start cannot be kept, and leaves the reference free', async () => {
    let full = true;
    const wrapJournal = (journal: Journal): Journal => ({
      ...journal,
      append(...facts) {
        if (full && facts[0]?.type === 'operation_started') throw new JournalWriteError('disk full');
        return journal.append(...facts);
      },
    });
    const rig = await rigUp({ wrapJournal });
    expect(codeOf(await rig.payments.createPayment(sale(1_200, 'A')))).toBe('journal_unavailable');
    expect(moneyCommands(rig)).toEqual([0, 0, 0]);
    full = false;
    expect(await rig.sell(1_200, 'A')).toBe('approved');
    expect(moneyCommands(rig)).toEqual([1, 0, 0]);
  });

  describe('cancelling', () => {
    const begun = async () => {
      const rig = await rigUp();
      await rig.begin(1_200, 'A');
      await rig.until(() => rig.simulator.state().busy, 'the sale at the terminal');
      return rig;
    };

    it('stops a sale, or says at once that this terminal cannot be stopped from here', async () => {
      const rig = await begun();
      const answer = await rig.payments.cancelPayment('A');
      expect(codeOf(answer)).toBe(protocol.cancels ? 'ok' : 'cancel_not_possible');
      await rig.until(() => rig.status('A') !== 'in_progress', 'the end');
      expect(rig.status('A')).toBe(protocol.cancels ? 'cancelled' : 'approved');
      expect(countsIn(rig, 1_200).charged).toBe(protocol.cancels ? 0 : 1);
    });

    it('does nothing for another reference, and nothing when there is nothing', async () => {
      const rig = await begun();
      expect(codeOf(await rig.payments.cancelPayment('B'))).toBe('reference_mismatch');
      await rig.until(() => rig.status('A') === 'approved', 'approval');
      await rig.ready();
      expect(codeOf(await rig.payments.cancelPayment(null))).toBe('no_payment_in_progress');
    });
  });

  describe('voids', () => {
    it('reverses exactly the last payment, once, whoever asks at the same time', async () => {
      const rig = await rigUp();
      await rig.sell(1_300, 'B');
      await rig.sell(1_200, 'A');
      await rig.ready();
      const answers = await Promise.all([
        rig.payments.voidPayment('A', 60_000),
        rig.payments.voidPayment('A', 60_000),
      ]);
      expect(answers.map(codeOf)).toEqual(['ok', 'ok']);
      expect(await rig.payments.voidPayment('A', 60_000)).toMatchObject({
        ok: true,
        value: { repeated: true, payment: { status: 'voided' } },
      });
      expect(rig.sent('void')).toBe(1);
      expect([countsIn(rig, 1_200).reversed, countsIn(rig, 1_300).reversed]).toEqual([1, 0]);
    });

    it('says no for what is not approved, settled or unknown to us', async () => {
      const rig = await rigUp();
      await rig.sell(1_201, 'DECLINED');
      await rig.sell(1_200, 'A');
      await rig.payments.submitBatch(60_000);
      const code = async (reference: string) => codeOf(await rig.payments.voidPayment(reference, 1_000));
      expect(await code('DECLINED')).toBe('payment_not_voidable');
      expect(await code('A')).toBe('payment_already_settled');
      expect(await code('NOBODY')).toBe('payment_not_found');
      expect(rig.sent('void')).toBe(0);
    });
  });

  describe('closing the day', () => {
    it('settles what the terminal closed, once, and reconciles', async () => {
      const rig = await rigUp();
      await rig.sell(1_300, 'A');
      await rig.sell(1_200, 'B');
      await rig.ready();
      expect(codeOf(await rig.payments.voidPayment('B', 60_000))).toBe('ok');
      await rig.ready();
      const answers = await Promise.all([rig.payments.submitBatch(60_000), rig.payments.submitBatch(60_000)]);
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]).toMatchObject({
        ok: true,
        value: {
          batch:
            protocol.tellsNoTotals === true
              ? { totalMinor: null, reconciled: false, differences: [] }
              : { totalMinor: 1_300, reconciled: true, differences: [] },
        },
      });
      expect([rig.status('A'), rig.status('B')]).toEqual(['settled', 'voided']);
      expect(rig.sent('batch_close')).toBe(1);
      // Whether the terminal is asked or not: there is nothing left.
      expect(codeOf(await rig.payments.submitBatch(60_000))).toBe('ok');
      const settled = rig.ledger().filter(({ event, count }) => event === 'settled' && count !== 0);
      expect(settled).toMatchObject([{ count: 1, total: formatAmount(1_300, protocol.currency) }]);
      expect(rig.payments.discrepancies()).toEqual([]);
    });

    it('settles also the first payment of a new bridge, which was killed in it', async () => {
      const rig = await rigUp();
      await rig.begin(1_300, 'A');
      await rig.until(() => rig.sent('sale') === 1, 'the sale on the wire');
      await rig.crash();
      rig.restart();
      await rig.ready();
      const isKnown = rig.status('A') === 'approved';
      const isCharged = countsIn(rig, 1_300).charged > countsIn(rig, 1_300).autoReversed;
      // Where nobody could tell, a person was asked; where the terminal took it back, it failed.
      expect(isKnown || rig.asked().length > 0 || !isCharged).toBe(true);
      if (isKnown) await rig.payments.submitBatch(60_000);
      expect(rig.status('A')).not.toBe('approved');
      expect(rig.payments.discrepancies()).toEqual([]);
    });
  });

  describe('no surprise payments', () => {
    it('sends nothing that moves money at a start or after a reconnect', async () => {
      const rig = await rigUp();
      await rig.sell(1_200, 'A');
      await rig.ready();
      for (let round = 0; round < 3; round += 1) {
        rig.cable.pull();
        await rig.until(() => rig.payments.status().terminal.connection !== 'ready', 'the loss to be seen');
        rig.cable.put();
        await rig.ready();
      }
      await rig.crash();
      rig.restart();
      await rig.ready();
      expect(moneyCommands(rig)).toEqual([1, 0, 0]);
    });

    it('fails a sale fast when the terminal is away, and never sends it later', async () => {
      const rig = await rigUp();
      rig.cable.pull();
      await rig.until(() => rig.payments.status().terminal.connection === 'lost', 'the loss to be seen');
      expect(codeOf(await rig.payments.createPayment(sale(1_200, 'A')))).toBe('terminal_unavailable');
      rig.cable.put();
      await rig.ready();
      expect(moneyCommands(rig)).toEqual([0, 0, 0]);
      expect(await rig.sell(1_200, 'A')).toBe('approved');
    });
  });
});

/** Status and charges of a sale whose amount has these last digits. */
function endOf(protocol: ProtocolCase, digits: string): [string, { charged: number; autoReversed?: number }] {
  const lost = protocol.leavesToPerson.sale === undefined ? null : 'unknown';
  switch (digits) {
    case '01':
      return ['declined', { charged: 0 }];
    case '02':
      return ['cancelled', { charged: 0 }];
    case '04':
    case '09':
      return [protocol.isAskedForResults === true ? 'declined' : (lost ?? 'failed'), { charged: 0 }];
    case '05':
      return protocol.reversesByItself
        ? ['failed', { charged: 1, autoReversed: 1 }]
        : [lost ?? 'approved', { charged: 1 }];
    default:
      return ['approved', { charged: 1 }];
  }
}
