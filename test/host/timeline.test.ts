/** One payment with all that happened to it, and the tables of batches. */
import { describe, expect, it } from 'vitest';
import type { PaymentDetail, TimelineEntry } from '../../src/contract/console/index.ts';
import { isReady, readyHost, type HostKit } from './host-kit.ts';

async function detailOf(kit: HostKit, reference: string): Promise<PaymentDetail> {
  const { payments } = await kit.invoke('payments', {
    filter: { span: null, status: null, text: reference },
    before: null,
    limit: 1,
  });
  return await kit.invoke('payment', { transactionId: payments[0]?.transactionId ?? '' });
}

/** What an entry is, in short: `fact operation_started`, `frame authorisation`. */
function short(entry: TimelineEntry): string {
  switch (entry.kind) {
    case 'journal_event':
      return `fact ${entry.stored.event.type}`;
    case 'frame':
      return `${entry.direction} ${entry.name}`;
    case 'discrepancy':
      return `discrepancy ${entry.step}`;
    case 'pos_request':
      return `asked ${entry.command}`;
    case 'pos':
      return `pos ${entry.command} ${entry.httpStatus}`;
    case 'log':
      return `log ${entry.line.message}`;
    case 'left_out':
      return `${entry.count} left out`;
  }
}

describe('the timeline of a payment', () => {
  it('has facts, frames in hex and words, and what the POS was answered, in order', async () => {
    const kit = await readyHost();
    // On a noisy line the frames of one payment take their time.
    await kit.till().create('12.08', 'A-1', 10);
    await kit.clock.advance(1);
    await kit.till().query('A-1');
    await isReady(kit);
    const { payment, timeline, leftOut, doubtOperationId } = await detailOf(kit, 'A-1');
    expect({ payment, leftOut, doubtOperationId }).toMatchObject({
      payment: { reference: 'A-1', status: 'approved' },
      leftOut: 0,
      doubtOperationId: null,
    });
    const steps = timeline.map(short);
    const inThisOrder = [
      'asked CreatePayment',
      'fact operation_started',
      'to_terminal authorisation',
      'from_terminal status-information',
      'fact operation_ended',
      'pos CreatePayment 200',
      'asked QueryPayment',
      'pos QueryPayment 200',
    ];
    expect(steps.filter((step) => inThisOrder.includes(step))).toEqual(inThisOrder);
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).toSorted());

    const frame = timeline.find((entry) => entry.kind === 'frame' && entry.name === 'authorisation');
    expect(frame).toMatchObject({
      control: '0601',
      hex: expect.stringMatching(/^06 01 (..)( ..)+$/) as string,
    });
    if (frame?.kind !== 'frame') throw new Error('there is no frame');
    expect(frame.fields).toContainEqual(['amount', '12.08', { from: 3, to: 10 }]);
    expect(frame.hex?.split(' ')).toHaveLength(frame.lengthBytes);
  });

  it('has the void of the payment as well, but not another payment', async () => {
    const kit = await readyHost();
    await kit.till().create('12.00', 'A-1', 10);
    await isReady(kit);
    await kit.till().create('13.00', 'A-2', 10);
    await isReady(kit);
    expect(await kit.invoke('voidPayment', { reference: 'A-1' })).toMatchObject({
      payment: { status: 'voided' },
    });
    await isReady(kit);
    const { payment, timeline } = await detailOf(kit, 'A-1');
    expect(payment.status).toBe('voided');
    const facts = timeline.flatMap((entry) => (entry.kind === 'journal_event' ? [entry.stored.event] : []));
    expect(facts.filter(({ type }) => type === 'operation_started')).toMatchObject([
      { kind: 'sale', reference: 'A-1' },
      { kind: 'void', reference: 'A-1' },
    ]);
    expect(timeline.map(short)).toContain('to_terminal reversal');
    expect(JSON.stringify(timeline)).not.toContain('A-2');
    expect(await kit.refusal('payment', { transactionId: 'none' })).toMatchObject({
      code: 'payment_not_found',
    });
  });

  it('of a settled payment ends with nothing of the close, which is told as a batch', async () => {
    const kit = await readyHost();
    await kit.till().create('12.00', 'A-1', 10);
    await isReady(kit);
    expect((await kit.invoke('submitBatch', {})).text).toContain('12.00');
    await kit.change((change) => change.kind === 'batch', 'the batch');
    await kit.change((change) => change.kind === 'payment' && change.payment.status === 'settled', 'settled');
    const { batches, open, next } = await kit.invoke('batches', { before: null, limit: 10 });
    expect(batches).toMatchObject([
      { outcome: 'closed', expected: { count: 1, totalMinor: 1200 }, result: { reconciled: true, count: 1 } },
    ]);
    const nothing = { count: 0, sumMinor: 0, currency: 'EUR' };
    expect({ open, next }).toEqual({ open: { count: 0, sums: [nothing] }, next: null });
    expect((await detailOf(kit, 'A-1')).payment).toMatchObject({ status: 'settled' });
  });
});
