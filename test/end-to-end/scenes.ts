/** What every kind of line has to show: the five commands over real HTTP, and the end of each scene. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countsOf } from '../support/ledger.ts';
import { openWay, type Way, type WayKind } from './way.ts';

/** In the machine's time: long enough for each scene and the recovery after it. */
const sceneLimitMs = 120_000;
/** Amounts of the scenes whose end only the terminal's record tells. */
const recovered = ['20.04', '20.05', '20.06', '20.09'];

export function describeWay(kind: WayKind): void {
  describe(`from HTTP to a terminal over ${kind.name}`, () => {
    let way: Way;
    beforeAll(async () => {
      way = await openWay(kind);
      await way.healthy();
    });
    afterAll(async () => {
      await way.close();
    });

    const commands = (ctrl: string) => way.simulator.state().commands[ctrl] ?? 0;

    it('takes, queries, voids and settles', async () => {
      const { till } = way;
      const created = await till.create('12.00', 'A-1', 60);
      expect(created.status).toBe(200);
      expect(created.body).toMatchObject({
        success: true,
        retrieval_reference_number: 'A-1',
        condition_code: '00',
        transaction_status: 'approved',
      });
      expect(created.body.message).toMatch(/^SIMULATED: /);
      expect(created.headers.get('x-simulated')).toBe('true');
      const queried = await till.query('A-1');
      expect(queried.body).toMatchObject({
        success: true,
        transaction_id: created.body['transaction_id'],
        transaction_status: 'approved',
        receipt: {
          amount: '12.00',
          currency: 'EUR',
          terminal_id: '68000001',
          masked_card_number: expect.stringMatching(/^[\d*]*\*[\d*]*\d{4}$/) as string,
        },
      });
      expect((await till.create('7.00', 'A-2', 60)).body['transaction_status']).toBe('approved');
      expect((await till.void('A-2')).body).toMatchObject({ success: true });
      expect((await till.query('A-2')).body['transaction_status']).toBe('voided');
      expect((await till.batch()).body).toMatchObject({
        success: true,
        batch: { count: 1, total: '12.00', currency: 'EUR', reconciled: true, differences: [] },
      });
      expect((await till.query('A-1')).body['transaction_status']).toBe('settled');
      expect((await till.void('A-1')).body).toMatchObject({
        success: false,
        code: 'payment_already_settled',
      });
      expect(way.ledger().map((line) => line.event)).toEqual(['charged', 'charged', 'reversed', 'settled']);
      expect([commands('0601'), commands('0630'), commands('0650')]).toEqual([2, 1, 1]);
    });

    it.each([
      ['20.01', 'declined', { charged: 0, autoReversed: 0, reversed: 0 }],
      ['20.02', 'cancelled', { charged: 0, autoReversed: 0, reversed: 0 }],
      ['20.03', 'approved', { charged: 1, autoReversed: 0, reversed: 0 }],
      ['20.04', 'failed', { charged: 0, autoReversed: 0, reversed: 0 }],
      ['20.05', 'failed', { charged: 1, autoReversed: 1, reversed: 0 }],
      ['20.06', 'approved', { charged: 1, autoReversed: 0, reversed: 0 }],
      ['20.08', 'approved', { charged: 1, autoReversed: 0, reversed: 0 }],
      ['20.09', 'failed', { charged: 0, autoReversed: 0, reversed: 0 }],
    ])(
      'ends %s as %s, and the ledger agrees',
      async (amount, status, ledger) => {
        await way.healthy();
        const before = commands('0601');
        const reference = `S-${amount}`;
        const created = await way.till.create(amount, reference, 100);
        expect(created.body.success).toBe(true);
        // A doubt is told at once; a till that goes on asking hears how it was cleared up.
        const told = created.body['transaction_status'];
        expect(recovered.includes(amount) ? [status, 'unknown'] : [status]).toContain(told);
        expect((await way.till.query(reference, 100)).body['transaction_status']).toBe(status);
        expect(countsOf(way.ledger(), amount)).toEqual(ledger);
        expect(commands('0601') - before).toBe(1);
      },
      sceneLimitMs,
    );

    it(
      'waits for a slow host (07), and tells what the terminal shows meanwhile',
      async () => {
        await way.healthy();
        const created = way.till.create('21.07', 'SLOW', 100);
        const shown = new Set<string>();
        const stop = way.bridge.payments.subscribe((paymentsEvent) => {
          if (paymentsEvent.kind === 'terminal' && paymentsEvent.terminal.progress !== null)
            shown.add(paymentsEvent.terminal.progress);
        });
        expect((await created).body).toMatchObject({ success: true, transaction_status: 'approved' });
        stop();
        expect(shown.size).toBeGreaterThan(0);
        expect(countsOf(way.ledger(), '21.07').charged).toBe(1);
      },
      sceneLimitMs,
    );

    it(
      'cancels during all of it',
      async () => {
        await way.healthy();
        const created = way.till.create('22.07', 'STOPPED', 100);
        await way.until(() => way.bridge.payments.status().terminal.progress !== null);
        expect((await way.till.cancel('STOPPED')).body).toMatchObject({ success: true });
        expect((await created).body['transaction_status']).toBe('cancelled');
        expect(countsOf(way.ledger(), '22.07').charged).toBe(0);
        expect((await way.till.cancel()).body).toMatchObject({
          success: false,
          code: 'no_payment_in_progress',
        });
      },
      sceneLimitMs,
    );

    it('makes one sale of fifty posts at once', async () => {
      await way.healthy();
      const before = commands('0601');
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => way.till.create('30.00', 'FIFTY', 60)),
      );
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
      expect(new Set(answers.map((answer) => answer.body['transaction_id'])).size).toBe(1);
      expect(new Set(answers.map((answer) => answer.body['transaction_status']))).toEqual(
        new Set(['approved']),
      );
      expect(commands('0601') - before).toBe(1);
      expect(countsOf(way.ledger(), '30.00').charged).toBe(1);
    });

    it('settles the rest, and both sides agree to the cent', async () => {
      await way.healthy();
      const closed = await way.till.batch();
      // 20.03, 20.06, 20.08, 21.07 and 30.00.
      expect(closed.body).toMatchObject({
        success: true,
        batch: { count: 5, total: '111.24', reconciled: true, differences: [] },
      });
      expect(way.ledger().at(-1)).toMatchObject({ event: 'settled', count: 5, total: '111.24' });
      expect((await way.till.batch()).body).toMatchObject({ success: true, batch: null });
    });
  });
}
