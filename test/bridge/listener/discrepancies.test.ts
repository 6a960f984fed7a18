/** What terminal and journal disagree about, as POS software and monitoring get to know it. */
import { describe, expect, it } from 'vitest';
import { queryPaymentResponseSchema } from '../../../src/contract/http-commands.ts';
import { healthResponseSchema } from '../../../src/bridge/listener/health.ts';
import { discrepancyFact } from '../../support/memory-payments.ts';
import { read } from './event-reader.ts';
import { post, send } from './http.ts';
import { until } from '../../support/until.ts';
import { startListener } from './set-up.ts';

const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };
const reference = { retrieval_reference_number: 'A-1' };
const first = '01890000-0000-7000-8000-000000000001';
const second = '01890000-0000-7000-8000-000000000002';
const message = 'Payment A-1 was called failed, but the terminal shows that it was charged.';

function contradiction(id: string) {
  return discrepancyFact(id, { kind: 'contradicted_outcome', references: ['A-1'], message });
}

describe('QueryPayment', () => {
  it('names the newest open discrepancy about the payment, and none once it is acknowledged', async () => {
    const { port, payments } = await startListener();
    await post(port, '/CreatePayment', sale);
    payments.decide('A-1', 'failed');
    const before = await post(port, '/QueryPayment', reference);
    expect(queryPaymentResponseSchema.parse(before.json).discrepancy).toBeNull();

    payments.append(discrepancyFact(first));
    payments.append(contradiction(second));
    const open = await post(port, '/QueryPayment', reference);
    expect(queryPaymentResponseSchema.strict().parse(open.json)).toMatchObject({
      transaction_status: 'failed',
      message: `12.00 EUR failed; no money was taken. Terminal and journal disagree, so a person has to look: ${message}`,
      discrepancy: {
        id: second,
        kind: 'contradicted_outcome',
        message,
        found_at: '2024-06-03T10:20:30.000Z',
      },
    });

    payments.acknowledge({ discrepancyId: second, by: 'Ann', reason: 'refunded' });
    const after = await post(port, '/QueryPayment', reference);
    expect(after.json['discrepancy']).toBeNull();
    expect(after.json.message).toBe('12.00 EUR failed; no money was taken.');
  });
});

describe('/events', () => {
  const found = {
    name: 'discrepancy',
    data: {
      id: first,
      discrepancy_status: 'open',
      kind: 'contradicted_outcome',
      message,
      operation_id: null,
      retrieval_reference_numbers: ['A-1'],
      amount: '12.00',
      currency: 'EUR',
      at: '2024-06-03T10:20:30.000Z',
    },
  };
  const acknowledged = {
    name: 'discrepancy',
    data: {
      id: first,
      discrepancy_status: 'acknowledged',
      by: 'Ann',
      reason: 'refunded',
      at: '2024-06-03T10:20:30.000Z',
    },
  };

  it('tells what was found and what was acknowledged, without card data', async () => {
    const { port, payments } = await startListener();
    const reader = await read(port);
    payments.append(contradiction(first));
    payments.acknowledge({ discrepancyId: first, by: 'Ann', reason: 'refunded' });
    await until(() => reader.events.length === 3);
    expect(reader.events.slice(1)).toEqual([
      { ...found, id: 1 },
      { ...acknowledged, id: 2 },
    ]);
    expect(JSON.stringify(reader.events)).not.toContain('541333');
  });

  it('replays both', async () => {
    const { port, payments } = await startListener();
    payments.append(contradiction(first));
    payments.acknowledge({ discrepancyId: first, by: 'Ann', reason: 'refunded' });
    const reader = await read(port, { 'last-event-id': '0' });
    await until(() => reader.events.length === 3);
    expect(reader.events.slice(1)).toEqual([
      { ...found, id: 1 },
      { ...acknowledged, id: 2 },
    ]);
  });

  it('has no amount where none is in question', async () => {
    const { port, payments } = await startListener();
    const reader = await read(port);
    payments.append(discrepancyFact(first, { kind: 'unseen_records', amountMinor: null, currency: null }));
    await until(() => reader.events.length === 2);
    expect(reader.events[1]?.data).toMatchObject({ amount: null, currency: null });
  });
});

describe('/health and /metrics', () => {
  it('tell how many batches have no money, as it was found last, and nothing where nobody has looked', async () => {
    let found: { terminal: string; state: 'late'; count: number }[] = [];
    const { port } = await startListener({ batchesWithoutMoney: () => found });
    const told = async () =>
      (await send(port, '/metrics')).text.match(/^tillbridge_batches_without_money\{.*$/gm) ?? [];
    expect(await told()).toEqual([]);
    found = [{ terminal: 'bar', state: 'late', count: 2 }];
    expect(await told()).toEqual(['tillbridge_batches_without_money{terminal="bar",state="late"} 2']);
    found = [];
    expect(await told()).toEqual([]);
  });

  it('count what is open; a card can still be taken', async () => {
    const { port, payments } = await startListener();
    payments.append(discrepancyFact(first));
    payments.append(contradiction(second));
    const answer = await send(port, '/health');
    expect(answer.status).toBe(200);
    expect(healthResponseSchema.parse(answer.json)).toMatchObject({
      success: true,
      message: 'Ready. 2 discrepancies have to be looked at by a person.',
      discrepancies: 2,
    });
    expect(answer.text).not.toContain('A-1');
    expect((await send(port, '/metrics')).text).toContain(
      '\ntillbridge_open_discrepancies{terminal="main"} 2\n',
    );

    payments.acknowledge({ discrepancyId: first, by: 'Ann', reason: 'refunded' });
    const fewer = await send(port, '/health');
    expect(fewer.json).toMatchObject({
      message: 'Ready. One discrepancy has to be looked at by a person.',
      discrepancies: 1,
    });
    expect((await send(port, '/metrics')).text).toContain(
      '\ntillbridge_open_discrepancies{terminal="main"} 1\n',
    );
  });

  it('are not well while a lossy repair of the journal holds every sale', async () => {
    const { port, payments } = await startListener();
    payments.append(discrepancyFact(first, { kind: 'journal_loss', record: null }));
    const held = await send(port, '/health');
    expect(held.status).toBe(503);
    expect(held.json).toMatchObject({
      success: false,
      message: expect.stringContaining('repaired with a loss') as unknown,
      in_doubt: 0,
    });
    payments.acknowledge({ discrepancyId: first, by: 'Ann', reason: 'compared with the terminal' });
    expect((await send(port, '/health')).status).toBe(200);
  });
});
