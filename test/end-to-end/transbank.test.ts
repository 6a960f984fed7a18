/** The bridge as a whole against a Transbank terminal, in whatever goes wrong: its belief is held against the ledger. */
import { describe, expect, it } from 'vitest';
import { transbankDialects } from '../../src/simulator/transbank/dialects.ts';
import type { CoreRig } from '../support/core-rig.ts';
import { closeRigsAfterEach, terminalUp } from '../support/rigs.ts';
import { transbankTerminal } from '../support/terminals-on-cable.ts';

closeRigsAfterEach();

const rigUp = (options: Parameters<typeof transbankTerminal>[0] = {}) =>
  terminalUp(transbankTerminal(options));
const charged = (rig: CoreRig) => rig.ledger().filter(({ event }) => event === 'charged').length;

describe('a sale that meets', () => {
  it.each([
    ['nothing', 2_400, 'approved', 'approved', 1],
    ['an issuer that says no', 2_401, 'declined', 'declined', 0],
    ['the red key', 2_402, 'cancelled', 'cancelled', 0],
    ['a card that cannot be read once', 2_403, 'approved', 'approved', 1],
    ['a loss of power', 2_404, 'unknown', 'failed', 0],
    ['a cut inside the answer', 2_405, 'unknown', 'approved', 1],
    ['a cut behind the answer', 2_406, 'approved', 'approved', 1],
    ['a slow host', 2_407, 'approved', 'approved', 1],
    ['noise', 2_408, 'approved', 'approved', 1],
    ['silence', 2_409, 'unknown', 'failed', 0],
  ] as const)('%s', async (_, amount, first, last, charges) => {
    const rig = await rigUp();
    // In the batch before it, so that a list without it proves something.
    expect(await rig.sell(1_000, 'BEFORE')).toBe('approved');
    expect(await rig.sell(amount, 'R1')).toBe(first);
    await rig.ready();
    expect([rig.status('R1'), charged(rig) - 1]).toEqual([last, charges]);
    expect(rig.carriedOut('sale')).toBe(2);
  });

  it.each([
    ['a lost ACK', { lostAcks: 1 }, 'approved'],
    ['a NAK', { naks: 2 }, 'approved'],
    ['damaged answers', { badLrcs: 2 }, 'approved'],
    ['an answer that never comes', { lostAnswers: 1 }, 'unknown'],
    ['a repeated answer', { repeatedAnswers: 1 }, 'approved'],
    ['an answer without a code', { blankCodes: 1 }, 'unknown'],
    ['a last sale without a code either', { blankCodes: 2 }, 'unknown'],
    ['bytes one by one', { pieceBytes: 1 }, 'approved'],
  ] as const)('%s is charged once and told as approved in the end', async (_, faults, first) => {
    const rig = await rigUp();
    rig.simulator.misbehave(faults);
    expect(await rig.sell(2_400, 'R1')).toBe(first);
    await rig.ready();
    expect([rig.status('R1'), charged(rig)]).toEqual(['approved', 1]);
    expect(rig.carriedOut('sale')).toBe(1);
  });
});

describe('an answer without a code', () => {
  it('to a void leaves the payment to a person', async () => {
    const rig = await rigUp();
    await rig.sell(2_400, 'R1');
    await rig.ready();
    rig.simulator.misbehave({ blankCodes: 1 });
    await rig.clock.run(rig.payments.voidPayment('R1', 60_000), 'the void');
    await rig.ready();
    expect(rig.asked()).toEqual([expect.stringContaining('does not tell whether a sale was voided')]);
  });

  it('to a close is found out by what the terminal holds then', async () => {
    const rig = await rigUp();
    await rig.sell(2_400, 'R1');
    await rig.ready();
    rig.simulator.misbehave({ blankCodes: 1 });
    await rig.clock.run(rig.payments.submitBatch(60_000), 'the close');
    await rig.ready();
    expect([rig.status('R1'), rig.asked()]).toEqual(['settled', []]);
  });
});

describe('the answer to a void that comes after three minutes', () => {
  async function lateVoid() {
    const rig = await rigUp({ timings: { slowHostMs: 240_000 } });
    await rig.sell(2_400, 'R1');
    await rig.ready();
    rig.simulator.queueScenario('slow_host');
    void rig.payments.voidPayment('R1', 5_000);
    await rig.clock.advance(190_000);
    return rig;
  }
  const reversed = (rig: CoreRig) => rig.ledger().some(({ event }) => event === 'reversed');

  it('decides it, though nobody has decided yet', async () => {
    const rig = await lateVoid();
    await rig.until(() => rig.payments.operationsInDoubt().length === 0, 'the end of the doubt');
    expect([rig.status('R1'), reversed(rig)]).toEqual(['voided', true]);
  });

  it('is told where a person has said that it was not voided', async () => {
    const rig = await lateVoid();
    const [doubt] = rig.payments.operationsInDoubt();
    const operationId = doubt?.operationId ?? '';
    const told = {
      resolution: 'not-voided',
      by: 'Ana',
      reason: 'no slip',
      terminalUnreachable: true,
    } as const;
    expect(rig.payments.resolve({ operationId, ...told })).toMatchObject({ ok: true });
    await rig.until(() => rig.payments.discrepancies(0).length > 0, 'somebody told');
    expect(reversed(rig)).toBe(true);
    expect(rig.payments.discrepancies(0)).toMatchObject([
      {
        kind: 'late_result_refused',
        references: ['R1'],
        message: expect.stringContaining('does not undo it by itself'),
      },
    ]);
  });
});

describe('a terminal without the keys of the day', () => {
  it('refuses a sale, and takes the next one after its keys were loaded', async () => {
    const rig = await rigUp({ dialect: transbankDialects['wants-keys'] });
    expect(await rig.sell(2_400, 'R1')).toBe('declined');
    await rig.clock.until(() => !rig.simulator.state().wantsKeys, 'keys');
    expect(await rig.sell(2_400, 'R2')).toBe('approved');
    expect(charged(rig)).toBe(1);
  });
});

describe('more than was asked for', () => {
  it.each(['tips', 'tips-in-amount', 'pays-change'] as const)('needs a decision (%s)', async (name) => {
    const rig = await rigUp({ dialect: transbankDialects[name] });
    expect(await rig.sell(2_400, 'R1')).toBe('unknown');
    await rig.ready();
    expect(rig.payments.operationsInDoubt()).toMatchObject([{ reference: 'R1', needsDecision: true }]);
    expect(charged(rig)).toBe(1);
  });
});

it('an approval without a readable amount needs a decision', async () => {
  const rig = await rigUp({ dialect: transbankDialects['amounts-with-points'] });
  expect(await rig.sell(2_400, 'R1')).toBe('unknown');
  await rig.ready();
  expect(rig.payments.operationsInDoubt()).toMatchObject([{ reference: 'R1', needsDecision: true }]);
  expect(charged(rig)).toBe(1);
});

describe('a close behind a void by hand', () => {
  it.each([
    ['that is answered', {}],
    ['whose answer is lost', { lostAnswers: 1 }],
  ])('%s settles what was in the batch, and somebody is told of the rest', async (_, faults) => {
    const rig = await rigUp();
    // Both by credit card, which can be voided.
    await rig.sell(2_400, 'R1');
    await rig.ready();
    await rig.sell(2_400, 'R2');
    await rig.ready();
    rig.simulator.reverseManually('000001');
    const closing = rig.payments.submitBatch(600_000);
    await rig.until(() => rig.sent('batch_close') > 0, 'the close');
    rig.simulator.misbehave(faults);
    await rig.clock.run(closing, 'the close');
    await rig.ready();
    expect([rig.status('R1'), rig.status('R2'), rig.asked()]).toEqual(['approved', 'settled', []]);
    expect(rig.payments.discrepancies(0)).toMatchObject([{ kind: 'batch_differs', references: ['R1'] }]);
  });
});

describe('a close that is lost', () => {
  async function lostClose(isCarriedOut: boolean) {
    const rig = await rigUp();
    await rig.sell(2_400, 'R1');
    await rig.ready();
    const settled = () => rig.ledger().some(({ event }) => event === 'settled');
    rig.cable.onPiece = () => ((isCarriedOut ? settled() : rig.sent('batch_close') > 0) ? 'lose' : 'pass');
    void rig.payments.submitBatch(60_000);
    await rig.until(() => (isCarriedOut ? settled() : rig.sent('batch_close') > 0), 'the close');
    rig.cable.pull();
    await rig.until(() => !rig.simulator.state().busy, 'the end at the terminal');
    rig.simulator.payManually(1_000);
    rig.cable.onPiece = () => 'pass';
    rig.cable.put();
    await rig.ready();
    return rig;
  }

  it('is left to a person where a payment by hand is all that the terminal holds', async () => {
    const rig = await lostClose(true);
    expect([rig.status('R1'), rig.asked()]).toEqual([
      'approved',
      [expect.stringContaining('none that the bridge knows of')],
    ]);
  });

  it('did not happen where the terminal still holds a payment of ours', async () => {
    const rig = await lostClose(false);
    expect([rig.status('R1'), rig.payments.operationsInDoubt()]).toEqual(['approved', []]);
  });
});

describe('a dialect', () => {
  const names = Object.keys(transbankDialects) as (keyof typeof transbankDialects)[];
  it.each(
    names.filter(
      (name) =>
        !['tips', 'tips-in-amount', 'pays-change', 'wants-keys', 'amounts-with-points'].includes(name),
    ),
  )('%s: sale, lost answer, void and close', async (name) => {
    const rig = await rigUp({ dialect: transbankDialects[name] });
    expect(await rig.sell(2_400, 'R1')).toBe('approved');
    rig.simulator.misbehave({ lostAnswers: 1 });
    await rig.sell(2_500, 'R2');
    await rig.ready();
    expect(rig.status('R2')).toBe('approved');
    expect(await rig.payments.voidPayment('R1', 60_000)).toMatchObject({ ok: true });
    await rig.ready();
    expect(await rig.payments.submitBatch(60_000)).toMatchObject({ ok: true });
    await rig.ready();
    expect(
      rig.ledger().map(({ event, amount, total }) => `${event} ${event === 'settled' ? total : amount}`),
    ).toEqual(['charged 2400.00', 'charged 2500.00', 'reversed 2400.00', 'settled 2500.00']);
    expect(rig.payments.operationsInDoubt()).toEqual([]);
  });
});
