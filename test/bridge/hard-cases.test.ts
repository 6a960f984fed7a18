/**
 * Cases that hide between the laws of money: boundaries that no look at the terminal saw, looks that could not be
 * written down, a journal that breaks while it is used, and doubts that only a person can end.
 */
import { describe, expect, it } from 'vitest';
import { JournalDamagedError, JournalWriteError, type Journal } from '../../src/bridge/journal/journal.ts';
import { fromHex, hex } from '../../src/bridge/terminals/zvt/wire/index.ts';
import type { JournalEvent } from '../../src/contract/journal-events.ts';
import { isDecided } from '../../src/contract/operation.ts';
import { dialects } from '../../src/simulator/dialects.ts';
import { countsOf } from '../support/ledger.ts';
import type { Rig } from '../support/rig.ts';
import type { WireThing } from '../support/wire-tap.ts';
import { closeRigsAfterEach, is, newRig, once, payment, rigUp } from '../support/rigs.ts';

closeRigsAfterEach();

const ctrlOf = (apdu: Uint8Array) => hex(apdu.subarray(0, 2));
const endOfDayNeeded = '060f01f0';

/** Throws instead of appending, as long as `fails` says so. */
function failingJournal(fails: (facts: JournalEvent[]) => boolean) {
  return (journal: Journal): Journal => ({
    ...journal,
    append(...facts) {
      if (fails(facts)) throw new JournalWriteError('disk full');
      return journal.append(...facts);
    },
  });
}

/** While `state.damaged`, everything but close and subscribe throws, as a damaged store does. */
function damagedJournal(state: { damaged: boolean; onStart?: () => void }) {
  return (journal: Journal): Journal =>
    new Proxy(journal, {
      get(target, name, receiver) {
        const value = Reflect.get(target, name, receiver) as unknown;
        if (typeof value !== 'function' || name === 'close' || name === 'subscribe') return value;
        return (...args: unknown[]): unknown => {
          if (state.damaged) throw new JournalDamagedError('the journal file is damaged');
          const result: unknown = Reflect.apply(value, target, args);
          if (name === 'append' && (args[0] as JournalEvent).type === 'operation_started') state.onStart?.();
          return result;
        };
      },
    });
}

/** Loses the completion of a command, and then the line. */
function cutAtCompletion(rig: Rig, ctrl: string) {
  const completion = once((thing) => is('060f')(thing) && rig.tap.sent(ctrl) > 0);
  rig.tap.loseToBridge = (thing) => {
    if (!completion(thing)) return false;
    queueMicrotask(() => rig.tap.cut());
    return true;
  };
}

const needsDecision = (rig: Rig) => rig.payments.operationsInDoubt().some((doubt) => doubt.needsDecision);

it('a stored refusal is not undone by a payment by hand that a terminal tells inside its enquiries', async () => {
  let failing = false;
  const rig = await rigUp({
    simulator: { dialect: dialects['chatty-records'] },
    wrapJournal: failingJournal(([fact]) => failing && fact?.type === 'operation_ended'),
  });
  rig.simulator.queueScenario('declined');
  failing = true;
  await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
  await rig.until(() => rig.journal.openOperations()[0]?.result, 'the refusal');
  await rig.until(() => !rig.simulator.state().busy, 'the terminal is idle');
  rig.simulator.payManually(1200);
  failing = false;
  await rig.until(() => isDecided(rig.status('A')) || needsDecision(rig), 'an end, or a person is asked');
  expect(rig.status('A')).toBe('unknown');
});

describe.each([
  ['refusals', { refusals: 'stored_without_number' }],
  ['voids', { numberedVoids: 'neither' }],
] as const)(
  'a terminal that tells its last record in each enquiry, with no number where it is of %s',
  (kind, more) => {
    it('is ready again after one of them', async () => {
      const rig = await rigUp({ simulator: { dialect: { ...dialects['chatty-records'], ...more } } });
      expect(await rig.sale('12.00', 'A')).toBe('approved');
      await rig.ready();
      if (kind === 'voids') {
        // Nothing names what was reversed, so a person is asked.
        const voided = await rig.clock.run(rig.payments.voidPayment('A', 60_000), 'the void');
        expect(voided).toMatchObject({ ok: false });
        const [doubt] = rig.payments.operationsInDoubt();
        await rig.until(() => needsDecision(rig), 'a person is asked');
        const decided = { operationId: doubt?.operationId ?? '', by: 'K. Kasse', reason: 'seen on the slip' };
        const taken = rig.payments.resolve({ ...decided, resolution: 'voided', terminalUnreachable: true });
        expect(taken).toMatchObject({ ok: true });
      } else {
        expect(await rig.sale('1.01', 'B')).toBe('declined');
      }
      // Some looks at the terminal, each of which brings that record.
      await rig.clock.advance(300_000);
      await rig.ready();
      expect(await rig.sale('5.00', 'C')).toBe('approved');
    });
  },
);

it('a terminal that was replaced by one with the same id never has a payment of the old one reversed', async () => {
  const rig = await rigUp();
  expect(await rig.sale('12.00', 'A')).toBe('approved');
  await rig.ready();
  await rig.crash();
  rig.simulator.replaceTerminal('68000002');
  rig.tap.rewriteToBridge = (apdu) => fromHex(hex(apdu).replaceAll('68000002', '68000001'));
  rig.restart();
  await rig.ready();
  // What it shows is older than what the journal knows.
  expect(rig.payments.discrepancies()).toMatchObject([{ kind: 'contradicted_outcome', references: ['A'] }]);
  const voided = await rig.clock.run(rig.payments.voidPayment('A', 60_000), 'the void');
  expect(voided).toMatchObject({ ok: false });
  expect(countsOf(rig.ledger(), '12.00')).toMatchObject({ reversed: 0 });
  expect(rig.tap.sent('0630')).toBe(0);
});

it('a payment in doubt whose record is in a currency that nobody here knows is left to a person', async () => {
  const rig = await rigUp();
  const reads = rig.tap.sent('0620');
  rig.tap.rewriteToBridge = (apdu) =>
    rig.tap.sent('0620') > reads ? fromHex(hex(apdu).replace('490978', '490968')) : apdu;
  cutAtCompletion(rig, '0601');
  await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
  await rig.until(() => needsDecision(rig), 'a person is asked');
  expect([rig.status('A'), rig.asked()]).toEqual([
    'unknown',
    ['The last record tells no amount in a currency that is known here.'],
  ]);
});

it('an end of day that failed at the terminal does not make its batch an empty one', async () => {
  const rig = await rigUp();
  rig.simulator.payManually(500);
  rig.simulator.closeDayManually();
  // As if the host had refused it: the record has totals, and a result code that is no success.
  rig.tap.rewriteToBridge = (apdu) =>
    rig.tap.sent('0650') === 0 ? fromHex(hex(apdu).replace(/^(040f..)2700/, '$12777')) : apdu;
  await rig.clock.advance(60_000);
  expect(rig.journal.terminalState().lastRecord).toMatchObject({
    record: { kind: 'batch_close', approved: false, resultCode: '77' },
  });
  expect(await rig.clock.run(rig.payments.submitBatch(60_000), 'the close')).toMatchObject({ ok: true });
  expect(rig.tap.sent('0650')).toBe(1);
});

it('a refund by hand of just the amount that is in doubt is named at the latest when the batch is closed', async () => {
  const rig = await rigUp();
  await rig.sale('1.00', 'BEFORE');
  await rig.ready();
  rig.simulator.queueScenario('slow_host');
  await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
  await rig.until(() => rig.simulator.state().busy, 'the payment');
  await rig.crash();
  await rig.until(() => !rig.simulator.state().busy, 'the terminal takes it back');
  rig.simulator.refundManually(1200);
  rig.restart();
  await rig.ready();
  // Its record is a payment's to every till, in exactly the place of the one in doubt.
  expect(rig.status('A')).toBe('approved');
  const closed = await rig.clock.run(rig.payments.submitBatch(60_000), 'the close');
  expect(closed).toMatchObject({ ok: true, value: { batch: { reconciled: false } } });
  expect(rig.payments.discrepancies()).toMatchObject([{ kind: 'batch_differs', references: ['A'] }]);
  expect(rig.status('A')).toBe('approved');
});

describe('a boundary that no look at the terminal saw', () => {
  it('keeps a payment from being voided after an end of day by hand', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    rig.simulator.closeDayManually();
    expect(await rig.sale('12.00', 'B')).toBe('approved');
    await rig.ready();
    expect(await rig.payments.voidPayment('A', 5_000)).toMatchObject({
      refusal: { code: 'payment_not_voidable' },
    });
    expect(rig.tap.sent('0630')).toBe(0);
    // The payment behind the boundary is safely known.
    expect(await rig.payments.voidPayment('B', 5_000)).toMatchObject({ ok: true });
  });

  it('is not taken for a lost payment of the very same amount, where it has no totals', async () => {
    const rig = await rigUp({ simulator: { dialect: dialects['no-day-totals'] } });
    await rig.sale('12.00', 'A');
    await rig.ready();
    rig.tap.loseToTerminal = (thing) => {
      if (!is('0601')(thing)) return false;
      queueMicrotask(() => {
        rig.tap.plugged = false;
        rig.tap.cut();
      });
      return true;
    };
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'B', conditionCode: '00' });
    await rig.until(() => rig.status('B') === 'unknown', 'the doubt');
    rig.simulator.closeDayManually();
    rig.tap.loseToTerminal = () => false;
    rig.tap.plugged = true;
    await rig.until(() => needsDecision(rig), 'a person is asked');
    expect(rig.status('B')).toBe('unknown');
    expect(countsOf(rig.ledger(), '12.00').charged).toBe(1);
  });

  it('keeps a payment from being voided when another terminal shows only in the result of the next one', async () => {
    // One that tells its id with its records only: a registered terminal may carry more ids than one.
    const rig = await rigUp({ simulator: { dialect: dialects['late-id'] } });
    await rig.sale('12.00', 'A');
    await rig.ready();
    // The result, and whatever it says when it is asked who it is.
    rig.tap.rewriteToBridge = (apdu) => fromHex(hex(apdu).replace('2968000001', '2968000002'));
    expect(await rig.sale('12.00', 'B')).toBe('approved');
    await rig.ready();
    await rig.payments.voidPayment('A', 3_000);
    expect(rig.tap.sent('0630')).toBe(0);
    expect(rig.payments.discrepancies()).toMatchObject([{ kind: 'changed_terminal', references: ['A'] }]);
  });

  it('is not seen in a refusal that uses up a trace number and is not stored', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    // The simulator uses up no number for a refusal; on the wire this one does, and the next payment counts on.
    let shift = 0;
    rig.tap.rewriteToBridge = (apdu) => {
      const text = hex(apdu);
      if (ctrlOf(apdu) !== '040f') return apdu;
      if (text.includes('2705')) return withTrace(apdu, 2);
      return shift > 0 && text.includes('0b000002') ? fromHex(text.replace('0b000002', '0b000003')) : apdu;
    };
    expect(await rig.sale('12.01', 'REFUSED')).toBe('declined');
    shift = 1;
    expect(await rig.sale('13.00', 'B')).toBe('approved');
    await rig.ready();
    expect(await rig.payments.voidPayment('A', 5_000)).toMatchObject({ ok: true });
  });
});

describe('a look at the terminal that cannot be written down', () => {
  const atLooks = (times: { left: number }) =>
    failingJournal((facts) => {
      if (times.left === 0 || !facts.some((fact) => fact.type === 'terminal_ready')) return false;
      times.left -= 1;
      return true;
    });

  it('never leaves an older record as the baseline', async () => {
    const times = { left: 0 };
    const rig = await rigUp({ wrapJournal: atLooks(times) });
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    await rig.crash();
    rig.simulator.payManually(1200);
    times.left = 1;
    rig.restart();
    await rig.ready();
    // Somebody has paid by hand what is about to be charged: that is for a person to see first.
    for (const { discrepancyId } of rig.payments.discrepancies())
      rig.payments.acknowledge({ discrepancyId, by: 'Kim', reason: 'another customer' });
    rig.tap.loseToTerminal = once(is('0601'));
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    await rig.until(() => isDecided(rig.status('A')) || needsDecision(rig), 'an end');
    expect(rig.status('A')).toBe('failed');
    expect(countsOf(rig.ledger(), '12.00').charged).toBe(1);
  });

  it('does not let a void over a day that was closed by hand', async () => {
    const times = { left: 0 };
    const rig = await rigUp({ wrapJournal: atLooks(times) });
    await rig.sale('12.00', 'A');
    await rig.ready();
    await rig.crash();
    rig.simulator.closeDayManually();
    times.left = 1;
    rig.restart();
    await rig.ready();
    await rig.payments.voidPayment('A', 2_000);
    expect(rig.tap.sent('0630')).toBe(0);
  });

  it('lets no command pass before it is kept who the terminal is', async () => {
    const rig = await rigUp({ wrapJournal: atLooks({ left: 2 }) });
    expect(await rig.sale('12.00', 'A')).toBe('approved');
  });

  it('is made again until the disk works, so that a till which asks first hears of it', async () => {
    let full = false;
    const rig = await rigUp({ wrapJournal: failingJournal(() => full) });
    full = true;
    const refused = await rig.payments.createPayment({
      amountMinor: 1_200,
      reference: 'A',
      conditionCode: '00',
    });
    expect(!refused.ok && refused.refusal.code).toBe('journal_unavailable');
    expect(rig.payments.status().journal.writable).toBe(false);
    full = false;
    await rig.until(() => rig.payments.status().journal.writable, 'a journal that can be written');
    expect(rig.tap.moneyCommands()).toBe(0);
  });
});

describe('a batch whose end was in doubt', () => {
  it('settles ours when a person says that it was closed', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    rig.simulator.payManually(500);
    cutAtCompletion(rig, '0650');
    expect(await rig.payments.submitBatch(5_000)).toMatchObject({ refusal: { code: 'payment_unresolved' } });
    await rig.ready();
    const operationId = rig.payments.operationsInDoubt()[0]?.operationId ?? '';
    const resolved = rig.payments.resolve({ operationId, resolution: 'closed', by: 'Kim', reason: 'slip' });
    expect(resolved.ok).toBe(true);
    expect(rig.status('A')).toBe('settled');
  });

  it('settles ours when the facts of the close could not be written at first', async () => {
    let failures = 0;
    const rig = await rigUp({
      wrapJournal: failingJournal((facts) => {
        if (failures === 0 || facts[0]?.type === 'operation_started') return false;
        failures -= 1;
        return true;
      }),
    });
    await rig.sale('12.00', 'A');
    await rig.ready();
    const looks = rig.tap.sent('0620');
    const totals = once(
      (thing) => is('040f')(thing) && rig.tap.sent('0650') === 1 && rig.tap.sent('0620') === looks,
    );
    rig.tap.onToBridge = (thing) => {
      if (totals(thing)) failures = 3;
    };
    expect(await rig.payments.submitBatch(5_000)).toMatchObject({
      ok: true,
      value: { batch: { count: 1, totalMinor: 1200, reconciled: true } },
    });
    expect(rig.status('A')).toBe('settled');
  });
});

describe('a journal that breaks while it is used', () => {
  it('never lets the bridge say that nothing was sent of a sale that is on the wire', async () => {
    const state: { damaged: boolean; onStart?: () => void } = { damaged: false };
    const rig = await rigUp({ wrapJournal: damagedJournal(state) });
    state.onStart = () => (state.damaged = true);
    const answer = await rig.payments.createPayment({
      amountMinor: 1_200,
      reference: 'A',
      conditionCode: '00',
    });
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'journal_unavailable' } });
    await rig.until(() => rig.tap.sent('0601') === 1, 'the sale on the wire');
    expect(!answer.ok && answer.refusal.message).not.toContain('nothing was sent');
    // Not acknowledged, since it could not be kept.
    await rig.until(
      () => countsOf(rig.ledger(), '12.00').autoReversed === 1,
      'the reversal by the terminal itself',
    );
    state.damaged = false;
    delete state.onStart;
    await rig.until(() => isDecided(rig.status('A')), 'an end by evidence');
    expect(rig.status('A')).toBe('failed');
    expect(rig.tap.sent('0601')).toBe(1);
  });

  it('answers so, whatever is asked, and works again when it works again', async () => {
    const state = { damaged: false };
    const rig = await rigUp({ wrapJournal: damagedJournal(state) });
    await rig.sale('1.00', 'A');
    await rig.ready();
    state.damaged = true;
    const { payments } = rig;
    const answers = [
      payments.queryPayment('A'),
      await payments.createPayment({ amountMinor: 100, reference: 'B', conditionCode: '00' }),
      await payments.voidPayment('A', 100),
      await payments.submitBatch(100),
      await payments.waitForNews({ reference: 'A', status: 'approved' }, 0, new AbortController().signal),
    ];
    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.refusal.code))).toEqual(
      Array(5).fill('journal_unavailable'),
    );
    expect(payments.status().journal.writable).toBe(false);
    expect(payments.operationsInDoubt()).toEqual([]);
    state.damaged = false;
    await rig.until(() => payments.status().journal.writable, 'a journal that works');
    expect(await rig.sale('2.00', 'C')).toBe('approved');
  });
});

it('a journal that is closed under the bridge is an answer, whatever is asked, and no fault', async () => {
  const rig = await rigUp();
  await rig.sale('1.00', 'A');
  await rig.ready();
  const { payments } = rig;
  rig.journal.close();
  const answers = [
    payments.queryPayment('A'),
    await payments.createPayment({ amountMinor: 100, reference: 'B', conditionCode: '00' }),
    await payments.voidPayment('A', 100),
    await payments.submitBatch(100),
  ];
  expect(answers.map((answer) => (answer.ok ? 'ok' : answer.refusal.code))).toEqual(
    Array(4).fill('journal_unavailable'),
  );
  expect(payments.operationsInDoubt()).toEqual([]);
  expect(rig.tap.sent('0601')).toBe(1);
});

describe('what only a person can tell', () => {
  it('is a sale, when the terminal had no record and shows one that need not be its first', async () => {
    const rig = await rigUp();
    rig.simulator.queueScenario('slow_host');
    await rig.payments.createPayment({ amountMinor: 2_000, reference: 'A', conditionCode: '00' });
    await rig.until(() => rig.simulator.state().busy, 'the sale on the terminal');
    await rig.crash();
    await rig.until(() => !rig.simulator.state().busy, 'the terminal to give the sale up');
    rig.simulator.payManually(700);
    rig.simulator.payManually(2000);
    rig.restart();
    await rig.ready();
    expect(rig.status('A')).toBe('unknown');
    expect(needsDecision(rig)).toBe(true);
  });

  it('is a void, when the terminal said "already reversed" and then the line went', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    const receipt = payment(rig, 'A').result?.receiptNumber ?? '';
    for (const byHand of [
      () => rig.simulator.reverseManually(receipt),
      () => void rig.simulator.payManually(500),
    ]) {
      await rig.crash();
      byHand();
      rig.restart();
      await rig.ready();
    }
    let refused = false;
    rig.tap.rewriteToBridge = (apdu) => {
      if (rig.tap.sent('0630') !== 1 || refused || ctrlOf(apdu) !== '8000') return apdu;
      refused = true;
      return fromHex('84b400');
    };
    const cut = once((thing) => refused && is('0620')(thing));
    rig.tap.loseToTerminal = (thing) => {
      if (!cut(thing)) return false;
      queueMicrotask(() => rig.tap.cut());
      return true;
    };
    await rig.payments.voidPayment('A', 5_000);
    expect(rig.status('A')).toBe('voiding');
    expect(needsDecision(rig)).toBe(true);
  });

  it('is a sale, while the terminal first wants its day closed; until it is ready again', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    const sale = once(is('0601'));
    const terminal = { locked: false };
    lockTerminal(rig, terminal, (thing) => {
      const lost = sale(thing);
      terminal.locked ||= lost;
      return lost;
    });
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    await rig.until(() => needsDecision(rig), 'a call for a person');
    expect(rig.payments.status().terminal.connection).toBe('attention');
    terminal.locked = false;
    await rig.until(() => isDecided(rig.status('A')), 'an end by evidence');
    expect(rig.status('A')).toBe('failed');
  });
});

describe('a new terminal that wants its day closed and shows no record', () => {
  it('gets its batch close', async () => {
    const rig = newRig();
    const terminal = { locked: true };
    lockTerminal(rig, terminal);
    const { rewriteToBridge } = rig.tap;
    rig.tap.rewriteToBridge = (apdu) => {
      const rewritten = rewriteToBridge(apdu);
      const asksForRecord = rig.tap.sent('0620') > 0 && rig.tap.sent('0650') === 0;
      return asksForRecord && hex(rewritten) === '060f00' ? fromHex('061e0183') : rewritten;
    };
    await rig.until(() => rig.payments.status().terminal.connection === 'attention', 'attention');
    const refused = await rig.payments.createPayment({
      amountMinor: 1_200,
      reference: 'A',
      conditionCode: '00',
    });
    expect(!refused.ok && refused.refusal.code).toBe('terminal_unavailable');
    const closed = await rig.payments.submitBatch(5_000);
    expect(closed).toMatchObject({ ok: true, value: { batch: { count: 0, reconciled: true } } });
    expect(rig.tap.sent('0650')).toBe(1);
    terminal.locked = false;
    await rig.ready();
  });
});

/** While `terminal.locked`, the terminal answers the question for its state with "end of day needed". */
function lockTerminal(
  rig: Rig,
  terminal: { locked: boolean },
  lose: (thing: WireThing) => boolean = () => false,
): void {
  let lastCommand = '';
  rig.tap.loseToTerminal = (thing) => {
    if (thing.kind === 'apdu' && thing.ctrl !== '8000') lastCommand = thing.ctrl;
    return lose(thing);
  };
  rig.tap.rewriteToBridge = (apdu) =>
    terminal.locked && ctrlOf(apdu) === '060f' && lastCommand === '0501' ? fromHex(endOfDayNeeded) : apdu;
}

/** Puts BMP 0B with this trace number into a 04 0F that has none. */
function withTrace(apdu: Uint8Array, traceNumber: number): Uint8Array {
  const data = `${hex(apdu.subarray(3))}0b${traceNumber.toString().padStart(6, '0')}`;
  const length = (data.length / 2).toString(16).padStart(2, '0');
  return fromHex(`040f${length}${data}`);
}
