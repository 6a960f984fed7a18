/**
 * A result that comes after a person has decided, on the whole way: the terminal says nothing while its host works, a
 * person states that it cannot be reached and decides, and then the host answers.
 */
import { describe, expect, it } from 'vitest';
import { belongsTo } from '../../../src/bridge/payments/record-matching.ts';
import type { Resolution } from '../../../src/contract/operation.ts';
import { dialects } from '../../../src/simulator/dialects.ts';
import { defaultTimings } from '../../../src/simulator/simulated-terminal.ts';
import { countsOf } from '../../support/ledger.ts';
import type { Rig } from '../../support/rig.ts';
import { closeRigsAfterEach, is, once, payment, rigUp } from '../../support/rigs.ts';
import { record, sale, voidOf } from '../journal/sample-events.ts';

closeRigsAfterEach();

/** The host takes longer than the bridge waits for a silent terminal, which says nothing all the while. */
const timings = { ...defaultTimings, slowHostMs: 400_000, progressEveryMs: 400_000 };

/** A sale of 12.00 that a person decided while nothing of the terminal arrived; its result comes after that. */
async function decidedBeforeTheResult(
  comes: 'approval' | 'refusal',
  resolution: Resolution,
  justBefore: (rig: Rig) => void = () => {},
): Promise<Rig> {
  const rig = await rigUp({ simulator: { timings } });
  await rig.sale('1.00', 'BEFORE');
  await rig.ready();
  justBefore(rig);
  rig.simulator.queueScenario('slow_host');
  // Where no answer to its command arrives the bridge takes it back at once, so that the terminal refuses.
  if (comes === 'refusal')
    rig.tap.loseToBridge = (thing) => thing.kind === 'apdu' && rig.tap.sent('0601') === 2;
  await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
  await rig.until(() => rig.status('A') === 'unknown', 'doubt');
  const operationId = rig.payments.operationsInDoubt()[0]?.operationId ?? '';
  const word = { operationId, resolution, by: 'Kim', reason: 'nobody gets at the terminal' };
  expect(rig.payments.resolve(word)).toMatchObject({ ok: false, refusal: { code: 'terminal_busy' } });
  expect(rig.payments.resolve({ ...word, terminalUnreachable: true })).toMatchObject({ ok: true });
  expect(rig.simulator.state().busy).toBe(true);
  rig.tap.loseToBridge = () => false;
  await rig.until(() => lateResults(rig).length > 0, 'the late result');
  await rig.ready();
  return rig;
}

/** Of the sale A, or of another operation. */
const lateResults = (rig: Rig, operationId = payment(rig, 'A').transactionId) =>
  rig.journal
    .eventsOf(operationId)
    .flatMap(({ event }) => (event.type === 'late_result_received' ? [event] : []));
const kinds = (rig: Rig) => rig.payments.discrepancies().map(({ kind }) => kind);

it('is journaled and acknowledged where an approval says the same', async () => {
  const rig = await decidedBeforeTheResult('approval', 'charged');
  expect(lateResults(rig)).toMatchObject([
    { accepted: true, result: { approved: true, amountMinor: 1_200 } },
  ]);
  expect(countsOf(rig.ledger(), '12.00')).toMatchObject({ charged: 1, autoReversed: 0 });
  expect(rig.status('A')).toBe('approved');
  expect(rig.payments.discrepancies()).toEqual([]);
  // It is the terminal's last record now, and what follows is no gap.
  expect(await rig.sale('2.00', 'NEXT')).toBe('approved');
  await rig.ready();
  expect(rig.payments.discrepancies()).toEqual([]);
});

it('is refused where an approval says the opposite: the terminal undoes it, and a person is told', async () => {
  const rig = await decidedBeforeTheResult('approval', 'not-charged');
  expect(lateResults(rig)).toMatchObject([
    { accepted: false, result: { approved: true, amountMinor: 1_200 } },
    // Having undone it, the terminal says so, which is what was decided.
    { accepted: true, result: { approved: false } },
  ]);
  expect(countsOf(rig.ledger(), '12.00')).toMatchObject({ charged: 1, autoReversed: 1 });
  expect(rig.status('A')).toBe('failed');
  expect(rig.payments.discrepancies()).toMatchObject([
    {
      kind: 'late_result_refused',
      operationId: payment(rig, 'A').transactionId,
      references: ['A'],
      record: { approved: true, amountMinor: 1_200 },
      message: expect.stringMatching(
        /The bridge did not accept this result, which makes the terminal undo it/,
      ) as string,
    },
  ]);
  expect(await rig.sale('2.00', 'NEXT')).toBe('approved');
  await rig.ready();
  expect(kinds(rig)).toEqual(['late_result_refused']);
});

it('is journaled and acknowledged where a refusal says the same', async () => {
  const rig = await decidedBeforeTheResult('refusal', 'not-charged');
  expect(lateResults(rig)).toMatchObject([{ accepted: true, result: { approved: false } }]);
  expect(countsOf(rig.ledger(), '12.00').charged).toBe(0);
  expect(rig.status('A')).toBe('failed');
  expect(rig.payments.discrepancies()).toEqual([]);
});

it('is told where a refusal says the opposite; there is nothing that the terminal could undo', async () => {
  const rig = await decidedBeforeTheResult('refusal', 'charged');
  expect(lateResults(rig)).toMatchObject([{ accepted: false, result: { approved: false } }]);
  expect(countsOf(rig.ledger(), '12.00').charged).toBe(0);
  expect(rig.status('A')).toBe('approved');
  expect(kinds(rig)).toEqual(['late_result_refused', 'contradicted_outcome']);
  const [refused] = rig.payments.discrepancies();
  expect(refused?.message).toMatch(/it had refused payment A, .* No money moved\./);
});

it('is told where nobody has seen what was done before it: it may be another one’s, and the terminal undoes it', async () => {
  const rig = await decidedBeforeTheResult('approval', 'charged', ({ simulator }) => {
    simulator.closeDayManually();
  });
  expect(countsOf(rig.ledger(), '12.00')).toMatchObject({ charged: 1, autoReversed: 1 });
  expect(rig.status('A')).toBe('approved');
  expect(rig.payments.discrepancies().filter(({ kind }) => kind === 'late_result_refused')).toMatchObject([
    {
      operationId: payment(rig, 'A').transactionId,
      references: ['A'],
      record: { approved: true, amountMinor: 1_200 },
      message: expect.stringMatching(
        /something was charged .*, perhaps payment A\. .* Payment A is recorded as approved\./,
      ) as string,
    },
    // Having undone it, the terminal says so.
    { references: ['A'], record: { approved: false } },
  ]);
});

describe('on a terminal that shows no records', () => {
  /** 12.00, of which the result came, and its end did not: a person decided by what the terminal had printed. */
  async function decidedWithItsResult(): Promise<Rig> {
    const rig = await rigUp({ simulator: { timings, dialect: dialects['no-records'] } });
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    const completion = once((thing) => is('060f')(thing) && rig.tap.sent('0601') === 2);
    rig.tap.loseToBridge = (thing) => {
      if (!completion(thing)) return false;
      queueMicrotask(() => rig.tap.cut());
      return true;
    };
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'KEPT', conditionCode: '00' });
    await rig.until(() => rig.payments.operationsInDoubt()[0]?.needsDecision === true, 'a call for a person');
    const operationId = rig.payments.operationsInDoubt()[0]?.operationId ?? '';
    const word = { operationId, resolution: 'charged', by: 'Kim', reason: 'it was printed' } as const;
    expect(rig.payments.resolve(word)).toMatchObject({ ok: true });
    await rig.ready();
    return rig;
  }

  it('follows on a result that is kept of a payment that a person decided', async () => {
    const rig = await decidedWithItsResult();
    rig.simulator.queueScenario('slow_host');
    await rig.payments.createPayment({ amountMinor: 1_300, reference: 'A', conditionCode: '00' });
    await rig.until(() => rig.status('A') === 'unknown', 'doubt');
    const operationId = rig.payments.operationsInDoubt()[0]?.operationId ?? '';
    const word = { operationId, resolution: 'charged', by: 'Kim', reason: 'nobody gets at it' } as const;
    expect(rig.payments.resolve({ ...word, terminalUnreachable: true })).toMatchObject({ ok: true });
    await rig.until(() => lateResults(rig).length > 0, 'the late result');
    await rig.ready();
    expect(lateResults(rig)).toMatchObject([{ accepted: true, result: { amountMinor: 1_300 } }]);
    expect(countsOf(rig.ledger(), '13.00')).toMatchObject({ charged: 1, autoReversed: 0 });
    expect(rig.payments.discrepancies()).toEqual([]);
  });

  it('is no gap for the next payment, also after a restart', async () => {
    const rig = await decidedWithItsResult();
    await rig.crash();
    rig.restart();
    await rig.ready();
    expect(await rig.sale('2.00', 'NEXT')).toBe('approved');
    await rig.ready();
    expect(rig.payments.discrepancies()).toEqual([]);
  });
});

it('is a gap for the next payment where the terminal may have taken it back, because our acknowledgement was lost', async () => {
  const rig = await rigUp({ simulator: { timings, dialect: dialects['no-records'] } });
  await rig.sale('1.00', 'BEFORE');
  await rig.ready();
  let hasResult = false;
  rig.tap.loseToBridge = (thing) => {
    hasResult ||= is('040f')(thing) && rig.tap.sent('0601') === 2;
    return false;
  };
  rig.tap.loseToTerminal = once(() => {
    if (hasResult) queueMicrotask(() => rig.tap.cut());
    return hasResult;
  });
  await rig.payments.createPayment({ amountMinor: 1_200, reference: 'KEPT', conditionCode: '00' });
  await rig.until(() => rig.payments.operationsInDoubt()[0]?.needsDecision === true, 'a call for a person');
  expect(countsOf(rig.ledger(), '12.00')).toMatchObject({ charged: 1, autoReversed: 1 });
  const operationId = rig.payments.operationsInDoubt()[0]?.operationId ?? '';
  const word = { operationId, resolution: 'charged', by: 'Kim', reason: 'it was printed' } as const;
  expect(rig.payments.resolve(word)).toMatchObject({ ok: true });
  expect(await rig.sale('2.00', 'NEXT')).toBe('approved');
  await rig.ready();
  expect(kinds(rig)).toEqual(['unseen_records']);
});

describe('the late result of a void', () => {
  /** The sale A that was reversed, which a person decided before the terminal said that it is done. */
  async function voidDecidedBeforeTheResult(resolution: Resolution): Promise<Rig> {
    const rig = await rigUp({ simulator: { timings: slowReversals } });
    await quickSale(rig, '12.00', 'A');
    await rig.ready();
    await rig.payments.voidPayment('A', 1_000);
    await rig.until(() => rig.payments.operationsInDoubt()[0]?.reason, 'doubt');
    const operationId = rig.payments.operationsInDoubt()[0]?.operationId ?? '';
    const word = { operationId, resolution, by: 'Kim', reason: 'nobody gets at the terminal' };
    expect(rig.payments.resolve(word)).toMatchObject({ ok: false, refusal: { code: 'terminal_busy' } });
    expect(rig.payments.resolve({ ...word, terminalUnreachable: true })).toMatchObject({ ok: true });
    await rig.until(() => lateResults(rig, operationId).length > 0, 'the late result');
    await rig.ready();
    const [first] = lateResults(rig, operationId);
    expect(first).toMatchObject({ accepted: resolution === 'voided', result: { approved: true } });
    return rig;
  }

  /** A reversal is never the one that a scenario slows down, so the host is slow, and the scenario makes sales quick. */
  const slowReversals = { ...defaultTimings, hostMs: 400_000, slowHostMs: 500, progressEveryMs: 500 };
  function quickSale(rig: Rig, amount: string, reference: string) {
    rig.simulator.queueScenario('slow_host');
    return rig.sale(amount, reference);
  }

  it('is acknowledged where it says the same', async () => {
    const rig = await voidDecidedBeforeTheResult('voided');
    expect(countsOf(rig.ledger(), '12.00')).toEqual({ charged: 1, autoReversed: 0, reversed: 1 });
    expect(rig.status('A')).toBe('voided');
    expect(rig.payments.discrepancies()).toEqual([]);
  });

  it('is refused where it says the opposite: the payment stands at the terminal, too, and a person is told', async () => {
    const rig = await voidDecidedBeforeTheResult('not-voided');
    expect(countsOf(rig.ledger(), '12.00')).toEqual({ charged: 1, autoReversed: 0, reversed: 0 });
    expect(rig.status('A')).toBe('approved');
    expect(rig.payments.discrepancies()).toMatchObject([{ kind: 'late_result_refused', references: ['A'] }]);
    expect(await quickSale(rig, '2.00', 'NEXT')).toBe('approved');
    await rig.ready();
    expect(kinds(rig)).toEqual(['late_result_refused']);
  });
});

describe('a result that says neither what it is nor its number', () => {
  const bare = record({ amountMinor: 1_200 });
  const reversing = voidOf(sale({ amountMinor: 1_200 }));

  it('may be the void’s of its amount', () => {
    expect(belongsTo(reversing, bare)).toBe(true);
    expect(belongsTo(reversing, { ...bare, amountMinor: 700 })).toBe(false);
  });

  it('is another’s where it has a number of its own', () => {
    expect(belongsTo(reversing, { ...bare, traceNumber: '000009' })).toBe(false);
  });
});
