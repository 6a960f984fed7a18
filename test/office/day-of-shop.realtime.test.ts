/** What `npm run office:load` sends is what a bridge could have written. */
import { expect, test } from 'vitest';
import { journalEventSchema } from '../../src/contract/journal-events.ts';
import { maxBatchBytes, maxBatchEvents } from '../../src/contract/office.ts';
import { readBatch } from '../../src/office/ingest/read-batch.ts';
import { factsOf } from '../../src/office/ingest/facts.ts';
import { dayOfShop, type PaymentOfDay } from '../../bench/office/day-of-shop.ts';

test('a shop’s day is a journal with true hashes, whose payments end as they say', () => {
  const made: PaymentOfDay[] = [];
  const batches = [
    ...dayOfShop({ shop: 7, payments: 2_000, from: Date.UTC(2026, 10, 2, 8) }, (payment) =>
      made.push(payment),
    ),
  ];
  const events = batches.flatMap(({ after, lines, events: count }) => {
    expect(count).toBeLessThanOrEqual(maxBatchEvents);
    expect(Buffer.byteLength(lines)).toBeLessThanOrEqual(maxBatchBytes);
    const batch = readBatch(`${JSON.stringify({ chain: null, after })}\n${lines}`);
    if (batch.kind !== 'read' || batch.broken !== null) throw new Error('It does not fit its hashes.');
    expect(batch.events).toHaveLength(count);
    return batch.events;
  });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  for (const { event } of events) journalEventSchema.parse(event);

  const facts = factsOf(events, []);
  expect(facts.notUnderstood).toEqual([]);
  expect(facts.opened).toEqual([]);
  expect(
    facts.newPayments.map(({ payment_id: paymentId, reference, amount_minor: amountMinor, status }) => ({
      paymentId,
      reference,
      amountMinor,
      status,
    })),
  ).toEqual(made);
  const count = (status: PaymentOfDay['status']) =>
    made.filter((payment) => payment.status === status).length;
  expect(count('settled')).toBeGreaterThan(1_600);
  expect(count('declined')).toBeGreaterThan(80);
  expect(count('voided')).toBeGreaterThan(20);
  expect(events.filter(({ event }) => event['type'] === 'operation_in_doubt').length).toBeGreaterThan(20);
});
