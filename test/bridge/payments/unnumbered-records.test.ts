/** Terminals whose records of a reversal, or of a refusal, have no number: what can still be told of their order. */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hex } from '../../../src/bridge/terminals/zvt/wire/index.ts';
import { dialects } from '../../../src/simulator/dialects.ts';
import { countsOf } from '../../support/ledger.ts';
import type { Rig } from '../../support/rig.ts';
import { closeRigsAfterEach, is, once, payment, rigUp } from '../../support/rigs.ts';

closeRigsAfterEach();

const bareVoids = { dialect: dialects['bare-void-records'] };
const bareRefusals = { dialect: dialects['refusals-without-number'] };
const kinds = (rig: Rig) => rig.payments.discrepancies().map(({ kind }) => kind);
const nextLook = (rig: Rig) => rig.clock.advance(40_000);
const journalFiles = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('journal'));

async function sell(rig: Rig, amount: string, reference: string) {
  const status = await rig.sale(amount, reference);
  await rig.ready();
  return status;
}

/** The void of a payment, which a person has to call voided: nothing that the terminal says names the payment. */
async function voidOf(rig: Rig, reference: string) {
  await rig.payments.voidPayment(reference, 60_000);
  await rig.ready();
  await resolveVoid(rig);
}

async function resolveVoid(rig: Rig) {
  const doubt = rig.payments.operationsInDoubt()[0]?.operationId ?? '';
  const word = { resolution: 'voided', by: 'Kim', reason: 'the slip', terminalUnreachable: false } as const;
  expect(rig.payments.resolve({ operationId: doubt, ...word })).toMatchObject({ ok: true });
  await rig.ready();
}

/** `meanwhile` happens, and then the journal is the one from before it. */
async function forget(rig: Rig, meanwhile: () => Promise<void>) {
  await rig.crash();
  const backup = join(rig.folder, 'backup');
  for (const name of journalFiles(rig.folder)) cpSync(join(rig.folder, name), join(backup, name));
  rig.restart();
  await rig.ready();
  await meanwhile();
  await rig.crash();
  for (const name of journalFiles(rig.folder)) rmSync(join(rig.folder, name));
  for (const name of journalFiles(backup)) cpSync(join(backup, name), join(rig.folder, name));
  rig.restart();
  await rig.ready();
}

describe('a last record without a number that the bridge did not cause', () => {
  it('after a journal from before: somebody is told before anything is charged again', async () => {
    const rig = await rigUp({ simulator: bareVoids });
    await sell(rig, '1.00', 'BEFORE');
    await forget(rig, async () => {
      await sell(rig, '12.00', 'A');
      await sell(rig, '13.00', 'B');
      await voidOf(rig, 'B');
    });
    expect(kinds(rig)).toEqual(['unseen_records', 'unexplained_payment']);
  });

  it('is told once as what it may be, and what follows it is no surprise', async () => {
    const rig = await rigUp({ simulator: bareVoids });
    await sell(rig, '12.00', 'A');
    await rig.clock.advance(5_000);
    rig.simulator.reverseManually('0001');
    await nextLook(rig);
    expect(rig.payments.discrepancies()).toMatchObject([
      { kind: 'unseen_records' },
      {
        kind: 'unexplained_payment',
        message: expect.stringContaining('a payment or a reversal of 12.00 EUR'),
      },
    ]);
    await nextLook(rig);
    expect(await sell(rig, '13.00', 'B')).toBe('approved');
    await nextLook(rig);
    expect(kinds(rig)).toHaveLength(2);
  });
});

describe('our own void or refusal without a number', () => {
  it('is no gap, over restarts', async () => {
    const rig = await rigUp({ simulator: bareVoids });
    await sell(rig, '12.00', 'A');
    await voidOf(rig, 'A');
    await nextLook(rig);
    await rig.crash();
    rig.restart();
    await rig.ready();
    expect(await sell(rig, '13.00', 'B')).toBe('approved');
    expect(kinds(rig)).toEqual([]);
    await voidOf(rig, 'B');
    expect(payment(rig, 'B').status).toBe('voided');
  });

  it('is none while the void is in doubt, and what comes next is told', async () => {
    const rig = await rigUp({ simulator: bareVoids });
    await sell(rig, '12.00', 'A');
    await rig.payments.voidPayment('A', 60_000);
    await rig.until(() => rig.payments.operationsInDoubt().length === 1, 'doubt');
    await rig.crash();
    rig.restart();
    await rig.ready();
    await nextLook(rig);
    expect(kinds(rig)).toEqual([]);
    await resolveVoid(rig);
    rig.simulator.payManually(700);
    expect(await sell(rig, '13.00', 'B')).toBe('approved');
    expect(kinds(rig)).toEqual(['unexplained_payment']);
  });

  it('is none where a payment was refused', async () => {
    const rig = await rigUp({ simulator: bareRefusals });
    await sell(rig, '12.00', 'A');
    expect(await sell(rig, '13.01', 'B')).toBe('declined');
    await nextLook(rig);
    await rig.crash();
    rig.restart();
    await rig.ready();
    expect(await sell(rig, '14.00', 'C')).toBe('approved');
    await nextLook(rig);
    expect(kinds(rig)).toEqual([]);
    expect(await rig.payments.voidPayment('C', 60_000)).toMatchObject({ ok: true });
  });

  it('is somebody else’s reversal where a void of that payment has just not taken place', async () => {
    const rig = await rigUp({ simulator: bareVoids });
    await sell(rig, '12.00', 'A');
    await sell(rig, '13.00', 'B');
    rig.tap.loseToTerminal = once(is('0630'));
    await rig.payments.voidPayment('B', 60_000);
    await rig.until(
      () => rig.status('B') === 'approved' && rig.payments.operationsInDoubt().length === 0,
      'its end',
    );
    await rig.ready();
    expect(kinds(rig)).toEqual([]);
    rig.simulator.reverseManually(payment(rig, 'B').result?.receiptNumber ?? '');
    await nextLook(rig);
    // Without a number it may be a payment as well.
    expect(kinds(rig)).toEqual(['unseen_records', 'unexplained_payment']);
  });

  it('does not hide that something came between it and the next payment', async () => {
    const rig = await rigUp({ simulator: bareVoids });
    await sell(rig, '12.00', 'A');
    await voidOf(rig, 'A');
    await rig.crash();
    rig.simulator.payManually(700);
    rig.simulator.payManually(800);
    rig.simulator.payManually(900);
    rig.restart();
    await rig.ready();
    expect(kinds(rig)).toContain('unseen_records');
  });
});

it('is named where a person calls a payment charged which the terminal shows as undone', async () => {
  const rig = await rigUp({ simulator: bareVoids });
  await sell(rig, '5.00', 'BEFORE');
  await voidOf(rig, 'BEFORE');
  // Its approval is accepted, but the terminal does not hear of that, and undoes the payment under its own number.
  let approved = false;
  rig.tap.rewriteToBridge = (apdu) => {
    approved ||= rig.tap.sent('0601') === 2 && hex(apdu).startsWith('040f');
    return apdu;
  };
  rig.tap.loseToTerminal = (thing) => approved && is('8000')(thing);
  await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
  await rig.until(() => rig.status('A') === 'unknown', 'the doubt');
  rig.tap.loseToTerminal = () => false;
  await rig.until(() => rig.payments.operationsInDoubt()[0]?.needsDecision === true, 'a person is asked');
  expect(countsOf(rig.ledger(), '12.00')).toMatchObject({ charged: 1, autoReversed: 1 });
  const operationId = rig.payments.operationsInDoubt()[0]?.operationId ?? '';
  const word = { resolution: 'charged', by: 'Kim', reason: 'the slip', terminalUnreachable: false } as const;
  expect(rig.payments.resolve({ operationId, ...word })).toMatchObject({ ok: true });
  await nextLook(rig);
  const told = rig.payments.discrepancies().filter(({ references }) => references.includes('A'));
  expect(told).toMatchObject([
    { kind: 'contradicted_outcome', operationId, record: { kind: 'reversal', approved: false } },
  ]);
  const found = rig.payments.discrepancies().length;
  await nextLook(rig);
  expect(rig.payments.discrepancies()).toHaveLength(found);
});

it('is what a person is told who calls a payment charged, where the terminal shows it still', async () => {
  const rig = await rigUp({ simulator: bareVoids });
  await sell(rig, '5.00', 'BEFORE');
  await voidOf(rig, 'BEFORE');
  await rig.clock.advance(5_000);
  rig.tap.loseToTerminal = is('0601');
  await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
  await rig.until(() => rig.payments.operationsInDoubt()[0]?.needsDecision === true, 'a person is asked');
  rig.tap.loseToTerminal = () => false;
  const operationId = rig.payments.operationsInDoubt()[0]?.operationId ?? '';
  const word = { resolution: 'charged', by: 'Kim', reason: 'the slip', terminalUnreachable: false } as const;
  expect(rig.payments.resolve({ operationId, ...word })).toMatchObject({ ok: true });
  await nextLook(rig);
  expect(rig.payments.discrepancies()).toMatchObject([
    { kind: 'contradicted_outcome', operationId, record: { traceNumber: null, amountMinor: 500 } },
  ]);
  await nextLook(rig);
  expect(rig.payments.discrepancies()).toHaveLength(1);
  expect(countsOf(rig.ledger(), '12.00')).toMatchObject({ charged: 0 });
});

it('hides nothing where a terminal has forgotten its records: it goes on counting', async () => {
  const dialect = { ...dialects['forgets-the-last'], firstRecord: 'nothing' as const };
  const rig = await rigUp({ simulator: { dialect } });
  await sell(rig, '5.00', 'BEFORE');
  // That it has records to show is known after this.
  await rig.crash();
  rig.restart();
  await rig.ready();
  rig.simulator.losePower(1_000);
  await nextLook(rig);
  expect(kinds(rig)).toEqual(['unseen_records']);
  rig.simulator.payManually(700);
  await rig.sale('12.00', 'A');
  await rig.ready();
  expect(kinds(rig)).toEqual(['unseen_records', 'unseen_records']);
});
