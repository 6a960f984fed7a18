/** What subscribers of the payments hear: after the answer, in order, and each event with the payment as it was then. */
import { expect, it, vi } from 'vitest';
import type { PaymentsEvent } from '../../../src/bridge/payments/index.ts';
import { silentLog, type Log } from '../../../src/log/log.ts';
import { callerNow } from '../../support/callers.ts';
import { settle } from '../../support/virtual-clock.ts';
import { closeRigsAfterEach, rigUp } from '../../support/rigs.ts';
import type { Rig } from '../../support/rig.ts';

closeRigsAfterEach();

const request = { amountMinor: 1_200, reference: 'A', conditionCode: '00' };

/** What is heard from now on, in words. */
async function hearing(rig: Rig): Promise<string[]> {
  await settle();
  const heard: string[] = [];
  rig.payments.subscribe((event) => heard.push(wordsOf(event)));
  return heard;
}

function wordsOf(event: PaymentsEvent): string {
  if (event.kind === 'terminal') return event.terminal.connection;
  return `${event.stored.event.type} ${event.payment?.status ?? '-'}`;
}

it('comes after the answer', async () => {
  const rig = await rigUp();
  const heard = await hearing(rig);
  await rig.payments.createPayment(request);
  expect(heard).toEqual([]);
  await settle();
  expect(heard.slice(0, 2)).toEqual(['operation_started in_progress', 'operating']);
});

it('leaves the processor to a till that has its answer before the payment is sent', async () => {
  const rig = await rigUp();
  const heard = await hearing(rig);
  await rig.payments.createPayment({ ...request, caller: callerNow(rig.clock) });
  await settle();
  expect(heard).toEqual([]);
  expect(rig.tap.moneyCommands()).toBe(0);
  await rig.clock.advance(1);
  expect(heard.slice(0, 2)).toEqual(['operation_started in_progress', 'operating']);
});

it('is each event with the payment as it was when that was written, also if more has happened since', async () => {
  const rig = await rigUp();
  const heard = await hearing(rig);
  await rig.payments.createPayment(request);
  await rig.payments.cancelPayment('A');
  expect(rig.status('A')).toBe('cancelled');
  await rig.ready();
  expect(heard).toEqual([
    'operation_started in_progress',
    'operating',
    'cancel_requested in_progress',
    'operation_ended cancelled',
    'operating',
    'ready',
  ]);
});

it('names the payment that a void is about, and none for a batch', async () => {
  const rig = await rigUp();
  await rig.sale('12.00', 'A');
  await rig.sale('13.00', 'B');
  await rig.ready();
  const heard = await hearing(rig);
  expect(await rig.payments.voidPayment('A', 60_000)).toMatchObject({ ok: true });
  await rig.ready();
  expect(await rig.payments.submitBatch(60_000)).toMatchObject({ ok: true });
  await settle();
  expect(heard.filter((words) => /operation_(?:started|ended)/.test(words))).toEqual([
    'operation_started voiding',
    'operation_ended voided',
    'operation_started -',
    'operation_ended -',
  ]);
});

it('is every event once and in the order of the journal, through a whole payment', async () => {
  const rig = await rigUp();
  await settle();
  const seqs: number[] = [];
  const before = rig.journal.lastSeq();
  rig.payments.subscribe((event) => {
    if (event.kind === 'journal_event') seqs.push(event.stored.seq);
  });
  await rig.sale('12.00', 'A');
  await rig.ready();
  await settle();
  expect(seqs).toEqual(Array.from({ length: rig.journal.lastSeq() - before }, (_, at) => before + 1 + at));
});

it('comes before what has time until an operation has ended: the log, then the journal', async () => {
  const log: Log = { ...silentLog, writeWaiting: () => void done.push('log'), with: () => log };
  const rig = await rigUp({ log });
  vi.spyOn(rig.journal, 'operationEnded').mockImplementation(() => void done.push('journal'));
  const done = await hearing(rig);
  const sale = rig.sale('12.00', 'A').then((status) => done.push(`answer: ${status}`));
  await rig.ready();
  await sale;
  await settle();
  const ended = done.indexOf('operation_ended approved');
  expect(ended).toBeGreaterThan(0);
  expect(done.indexOf('answer: approved')).toBeGreaterThan(0);
  expect(done.indexOf('answer: approved')).toBeLessThan(done.indexOf('log'));
  expect(ended).toBeLessThan(done.indexOf('log'));
  expect(done.filter((what) => what === 'log' || what === 'journal')).toEqual(['log', 'journal']);
});

it('gives whoever has waited for the end a millisecond to read it, before the log is written', async () => {
  const written: number[] = [];
  const log: Log = { ...silentLog, writeWaiting: () => void written.push(rig.clock.now()), with: () => log };
  const rig = await rigUp({ log });
  const endOf = async (reference: string, waits: boolean) => {
    const arrivedAt = { nowMs: rig.clock.now(), elapsedMs: rig.clock.elapsed() };
    const caller = { arrivedAt, allRead: () => Promise.resolve(), gone: () => false, waits };
    await rig.payments.createPayment({ ...request, reference, caller });
    await rig.until(() => rig.status(reference) === 'approved', 'the approval');
    const endedAt = rig.clock.now();
    await rig.ready();
    await rig.clock.advance(1_000);
    return (written.pop() ?? NaN) - endedAt;
  };
  expect(await endOf('A', true)).toBe(1);
  expect(await endOf('B', false)).toBe(0);
  expect(written).toEqual([]);
});

it('is complete when the payments have stopped', async () => {
  const rig = await rigUp();
  const heard = await hearing(rig);
  await rig.payments.createPayment(request);
  await rig.payments.stop();
  expect(heard[0]).toBe('operation_started in_progress');
  expect(heard.at(-1)).toBe('stopped');
  expect(heard).toContain('operation_ended approved');
});

it('costs only itself where a subscriber fails', async () => {
  const errors: string[] = [];
  const rig = await rigUp({ log: { ...silentLog, error: (message) => void errors.push(message) } });
  await settle();
  const end = rig.payments.subscribe(() => {
    throw new Error('no');
  });
  const heard = await hearing(rig);
  expect(await rig.sale('12.00', 'A')).toBe('approved');
  await settle();
  end();
  expect(heard).toContain('operation_ended approved');
  expect(new Set(errors)).toEqual(new Set(['a subscriber of the payments failed']));
});
