/** Whether the office has what was sent to it: all of it, in order, and to be found. Each rejects with what is not so. */
import { chainHash, chainStart } from '../../src/bridge/journal/index.ts';
import type { PaymentPage } from '../../src/contract/office-page.ts';
import type { Database } from '../../src/office/database/database.ts';
import type { PaymentOfDay } from './day-of-shop.ts';
import type { RunningOffice } from './offices.ts';

export async function checkCounts(
  database: Database,
  made: { payments: number; events: number },
  statuses: ReadonlyMap<PaymentOfDay['status'], number>,
): Promise<void> {
  const rows = await database.query<{ status: string; count: number }>(
    'SELECT status, count(*) AS count FROM payments GROUP BY status',
  );
  const [events] = await database.query<{ count: number }>('SELECT count(*) AS count FROM events');
  expectSame('events', events?.count, made.events);
  expectSame(
    'payments',
    rows.reduce((sum, { count }) => sum + count, 0),
    made.payments,
  );
  for (const [status, count] of statuses)
    expectSame(`payments ${status}`, rows.find((row) => row.status === status)?.count, count);
  const [findings] = await database.query<{ count: number }>('SELECT count(*) AS count FROM findings');
  expectSame('findings', findings?.count, 0);
}

/** Each journal as it lies in the database: without a gap, each event with its hash, up to the head of its chain. */
export async function checkJournals(database: Database, say: (text: string) => void): Promise<void> {
  const chains = await database.query<{ chain: number; head_seq: number; head_hash: string }>(
    "SELECT chain, head_seq, encode(head_hash, 'hex') AS head_hash FROM chains ORDER BY chain",
  );
  for (const [place, { chain, head_seq: headSeq, head_hash: headHash }] of chains.entries()) {
    if (place % 100 === 0) say(`journal ${place} of ${chains.length}`);
    const events = await database.query<{ seq: number; at: string; body: string; hash: string }>(
      "SELECT seq, at, body, encode(hash, 'hex') AS hash FROM events WHERE chain = $1 ORDER BY seq",
      [chain],
    );
    let last = { seq: 0, hash: chainStart.hash };
    for (const { seq, at, body, hash } of events) {
      expectSame(`the event after ${last.seq} of journal ${chain}`, seq, last.seq + 1);
      expectSame(`the hash of event ${seq} of journal ${chain}`, hash, chainHash(last.hash, seq, at, body));
      last = { seq, hash };
    }
    expectSame(`the end of journal ${chain}`, `${last.seq} ${last.hash}`, `${headSeq} ${headHash}`);
  }
}

/** Searches for each by its reference, `atOnce` at a time. */
export async function checkFound(
  { base, key }: RunningOffice,
  payments: readonly PaymentOfDay[],
  atOnce: number,
): Promise<void> {
  const left = payments.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      // One iterator for all: each payment is taken once.
      for (const { paymentId, reference, amountMinor, status } of left) {
        const response = await fetch(
          `${base}/office/v1/payments?reference=${encodeURIComponent(reference)}`,
          {
            headers: { authorization: `Bearer ${key}` },
          },
        );
        if (!response.ok) throw new Error(await response.text());
        const page = (await response.json()) as PaymentPage;
        const found = page.payments.map((payment) =>
          [payment.payment_id, payment.amount_minor, payment.status].join(' '),
        );
        expectSame(
          `what is found for ${reference}`,
          found.join(', '),
          `${paymentId} ${amountMinor} ${status}`,
        );
      }
    }),
  );
}

function expectSame(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what}: ${String(found)} and not ${String(expected)}`);
}
