/** What somebody hears who waits for a payment: a decision, and at once that nobody can tell any more. */
import { afterEach, describe, expect, it } from 'vitest';
import type { TransactionStatus } from '../../../src/contract/operation.ts';
import { createRig, type Rig } from '../../support/rig.ts';

const rigs: Rig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

/** 12.09: the terminal takes the command, says nothing for longer than it may, and then has not charged. */
async function startSilentSale(): Promise<Rig> {
  const rig = createRig();
  rigs.push(rig);
  await rig.ready();
  const answer = await rig.payments.createPayment({
    amountMinor: 1_209,
    reference: 'A',
    conditionCode: '00',
  });
  expect(answer).toMatchObject({ ok: true, value: { payment: { status: 'in_progress' } } });
  return rig;
}

/** What a wait of that many seconds comes to that begins now, and how many seconds it took. */
async function waited(rig: Rig, waitS: number, signal = new AbortController().signal) {
  const begin = rig.clock.elapsed();
  const news = await rig.payments.waitForNews(
    { reference: 'A', status: rig.status('A') },
    waitS * 1_000,
    signal,
  );
  const status: TransactionStatus | null = news.ok ? news.value.status : null;
  return { status, tookS: (rig.clock.elapsed() - begin) / 1_000 };
}

describe('a wait for news', () => {
  it('ends when the terminal has been silent beyond its own timers, and the next one with the decision', async () => {
    const rig = await startSilentSale();
    const first = await waited(rig, 300);
    expect(first.status).toBe('unknown');
    expect(rig.journal.eventsOf(rig.journal.openOperations()[0]?.operationId ?? '').at(-1)?.event.type).toBe(
      'operation_in_doubt',
    );
    expect(first.tookS).toBeLessThan(60);
    const second = await waited(rig, 300);
    expect(second.status).toBe('failed');
    expect(second.tookS).toBeLessThan(300);
  });

  it('goes on for its time where the payment was unknown already', async () => {
    const rig = await startSilentSale();
    await waited(rig, 300);
    expect(await waited(rig, 0.25)).toEqual({ status: 'unknown', tookS: 0.25 });
  });

  it('does not pass over a doubt that came before it began and was not told', async () => {
    const rig = await startSilentSale();
    await rig.until(() => rig.status('A') === 'unknown', 'the doubt');
    const known = { reference: 'A', status: 'in_progress' } as const;
    const news = await rig.payments.waitForNews(known, 300_000, new AbortController().signal);
    expect(news).toMatchObject({ ok: true, value: { status: 'unknown' } });
  });
});
