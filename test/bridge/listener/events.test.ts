import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createToken, removeToken } from '../../../src/bridge/listener/index.ts';
import { seededChance } from '../../support/random.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { endedFact, quietFact } from '../../support/memory-payments.ts';
import type { MemoryPayments } from '../../support/memory-payments.ts';
import { read, type Reader } from './event-reader.ts';
import { open, post, send } from './http.ts';
import { until } from '../../support/until.ts';
import { startListener } from './set-up.ts';

const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };

/** The ids that are facts of payments and batches. */
const factIds = (reader: Reader) =>
  reader.events.filter(({ name }) => name !== 'terminal').map(({ id }) => id);

/** Facts that each are an event: a sale that starts, and starts, and starts. */
async function sales(port: number, count: number, from = 0) {
  for (let index = from; index < from + count; index += 1) {
    await post(port, '/CreatePayment', { ...sale, retrieval_reference_number: `S-${index}` });
  }
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_unused, index) => from + index);
}

describe('/events', () => {
  it('tells changes of payments as they happen, without card data', async () => {
    const { port, payments } = await startListener();
    const reader = await read(port);
    expect(reader.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(reader.response.headers['cache-control']).toBe('no-store');
    const created = await post(port, '/CreatePayment', sale);
    payments.decide('A-1', 'unknown', { reason: 'The line was lost' });
    payments.decide('A-1', 'approved');
    const id = created.json['transaction_id'];
    payments.append(endedFact(id as string, 'not_voided'));
    payments.append(endedFact(id as string, 'voided'));
    await until(() => reader.events.length === 6);
    const payment = {
      retrieval_reference_number: 'A-1',
      condition_code: '00',
      transaction_id: id,
      amount: '12.00',
      currency: 'EUR',
      simulated: false,
      at: '2024-06-03T10:20:30.000Z',
    };
    expect(reader.events.slice(1)).toEqual(
      ['in_progress', 'unknown', 'approved', 'approved', 'voided'].map((transaction_status, index) => ({
        name: 'payment',
        id: index + 1,
        data: { ...payment, transaction_status },
      })),
    );
  });

  it('begins with the state of the terminal, and tells its changes', async () => {
    const { port, payments } = await startListener();
    payments.append(quietFact());
    const reader = await read(port);
    await until(() => reader.events.length === 1);
    // The id is where the journal stands, so that a reader that is cut off now misses nothing.
    expect(reader.events[0]).toMatchObject({
      name: 'terminal',
      id: 1,
      data: { connection: 'ready', simulated: false },
    });
    payments.setStatus({ terminalChange: { connection: 'operating', progress: 'Insert card' } });
    await until(() => reader.events.length === 2);
    expect(reader.events[1]).toMatchObject({
      name: 'terminal',
      id: null,
      data: { connection: 'operating', progress: 'Insert card', terminal_id: '52500041' },
    });
  });

  it('tells voids and batches', async () => {
    const { port, payments } = await startListener();
    const created = await post(port, '/CreatePayment', sale);
    const paymentId = created.json['transaction_id'] as string;
    const reader = await read(port);
    const base = {
      type: 'operation_started',
      terminal: { protocol: 'zvt', terminalId: null },
      baseline: { kind: 'empty' },
      simulated: false,
      currency: 'EUR',
    } as const;
    const voidId = '01890000-0000-7000-8000-000000000001';
    payments.belongsTo(voidId, 'A-1');
    payments.append({
      ...base,
      operationId: voidId,
      kind: 'void',
      paymentId,
      reference: 'A-1',
      amountMinor: 1_200,
      receiptNumber: '0007',
      traceNumber: null,
    });
    payments.append({ type: 'operation_in_doubt', operationId: voidId, reason: 'silence' });
    payments.append(endedFact(voidId, 'not_voided'));
    const batchId = '01890000-0000-7000-8000-000000000002';
    payments.append({
      ...base,
      operationId: batchId,
      kind: 'batch_close',
      batchEpoch: 0,
      expected: { count: 1, totalMinor: 1_200 },
    });
    payments.append({ type: 'operation_in_doubt', operationId: batchId, reason: 'silence' });
    payments.append(
      endedFact(batchId, 'closed', {
        settled: [paymentId],
        batch: {
          batchNumber: '3',
          count: 1,
          totalMinor: 1_200,
          currency: 'EUR',
          reconciled: true,
          differences: [],
          totals: [],
        },
      }),
    );
    await until(() => reader.events.length === 7);
    expect(
      reader.events.slice(1, 4).map(({ data }) => [data['transaction_id'], data['transaction_status']]),
    ).toEqual([
      [paymentId, 'voiding'],
      [paymentId, 'voiding'],
      [paymentId, 'approved'],
    ]);
    expect(reader.events.slice(4).map(({ name, data }) => [name, data['batch_status']])).toEqual([
      ['batch', 'in_progress'],
      ['batch', 'unknown'],
      ['batch', 'closed'],
    ]);
    expect(reader.events[6]?.data).toEqual({
      operation_id: batchId,
      batch_status: 'closed',
      batch_number: '3',
      count: 1,
      total: '12.00',
      currency: 'EUR',
      settled_transaction_ids: [paymentId],
      at: '2024-06-03T10:20:30.000Z',
    });
  });

  it('sends again what came after Last-Event-ID, exactly once and in order, while more comes', async () => {
    const { port, payments } = await startListener({ limits: { eventReplayBatch: 3 } });
    await sales(port, 20);
    for (let index = 0; index < 5; index += 1) payments.append(quietFact());
    await sales(port, 5, 20);
    const coming = sales(port, 20, 25);
    const some = await Promise.all([4, 0, 29, 30].map((from) => read(port, { 'last-event-id': `${from}` })));
    await coming;
    await until(() => some.every((reader) => factIds(reader).at(-1) === 50));
    const all = [...numbers(1, 20), ...numbers(26, 50)];
    expect(some.map(factIds)).toEqual([4, 0, 29, 30].map((from) => all.filter((id) => id > from)));
  });

  it('says in a replay what it said when it happened', async () => {
    const { port, payments } = await startListener();
    const live = await read(port);
    await post(port, '/CreatePayment', sale);
    payments.decide('A-1', 'unknown');
    payments.decide('A-1', 'approved');
    await until(() => factIds(live).length === 3);
    const later = await read(port, { 'last-event-id': '0' });
    await until(() => factIds(later).length === 3);
    expect(later.events.slice(1)).toEqual(live.events.slice(1));
  });

  it('finds a fact again that it was never told of', async () => {
    const { port, payments } = await startListener();
    const reader = await read(port);
    await until(() => reader.events.length === 1);
    const created = await post(port, '/CreatePayment', sale);
    const id = created.json['transaction_id'] as string;
    payments.appendUnheard({ type: 'operation_in_doubt', operationId: id, reason: '' });
    payments.append(endedFact(id, 'approved'));
    await until(() => factIds(reader).length === 3);
    expect(factIds(reader)).toEqual([1, 2, 3]);
  });

  it('tells a fact once that is told of only after it was sent again', async () => {
    const { port, payments } = await startListener();
    await sales(port, 2);
    const late = payments.appendUnheard(quietFact());
    const reader = await read(port, { 'last-event-id': '0' });
    await until(() => factIds(reader).length === 2);
    for (const stored of payments.facts) payments.tell(stored);
    payments.tell(late);
    await sales(port, 1, 2);
    await until(() => factIds(reader).includes(4));
    expect(factIds(reader)).toEqual([1, 2, 4]);
  });

  it('goes on from a place in this journal, and says that another one is of another journal', async () => {
    const { port } = await startListener();
    await sales(port, 3);
    const mark = Date.parse('2024-06-03T10:20:30.000Z').toString(36);
    const own = await read(port, { 'last-event-id': `2-${mark}` });
    const others = await Promise.all(
      ['2-lwy2k3a1', `999-${mark}`, '999'].map((id) => read(port, { 'last-event-id': id })),
    );
    await sales(port, 1, 3);
    const seen = ({ events }: Reader) => events.map(({ name, id }) => [name, id]);
    await until(() => [own, ...others].every((reader) => factIds(reader).at(-1) === 4));
    expect(seen(own).slice(1)).toEqual([
      ['payment', 3],
      ['payment', 4],
    ]);
    for (const reader of others) {
      expect(seen(reader)).toEqual([
        ['terminal', 3],
        ['journal', 3],
        ['payment', 4],
      ]);
      expect(reader.events[1]?.data).toMatchObject({
        journal_status: 'changed',
        text: expect.stringContaining('Ask QueryPayment') as string,
      });
    }
  });

  it.each(['-1', 'x', '1.5', ''])('starts anew for Last-Event-ID %j, which is none of ours', async (id) => {
    const { port } = await startListener();
    await sales(port, 3);
    const reader = await read(port, { 'last-event-id': id });
    await sales(port, 1, 3);
    await until(() => factIds(reader).length === 1);
    expect(reader.events.map(({ name, id }) => [name, id])).toEqual([
      ['terminal', 3],
      ['payment', 4],
    ]);
  });

  it('keeps the connection alive, and ends the stream of a token that was removed', async () => {
    const folder = tempFolder('events');
    const file = join(folder, 'tokens.json');
    const clock = createVirtualClock();
    const chance = seededChance(clock);
    const kept = createToken(file, 'kept', { clock, chance });
    const made = createToken(file, 'removed', { clock, chance });
    if (!made.ok || !kept.ok) throw new Error('no token');
    const { port } = await startListener({ clock, tokensFile: file });
    const other = await read(port, { authorization: `Bearer ${kept.token}` });
    const reader = await read(port, { authorization: `Bearer ${made.token}` });
    await clock.advance(15_000);
    await until(() => reader.comments.includes(': keep-alive'));
    removeToken(file, 'removed');
    await clock.advance(15_000);
    await until(() => reader.ended);
    expect(other.ended).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it('drops a reader that does not read, and serves the others', async () => {
    const { port, payments, lines } = await startListener({ limits: { eventBufferBytes: 200_000 } });
    const slow = await read(port);
    const quick = await read(port);
    slow.response.pause();
    const text = 'x'.repeat(50_000);
    let told = 0;
    while (!lines.some(({ message }) => message.includes('too slow'))) {
      payments.setStatus({ terminalChange: { text } });
      told += 1;
      await until(() => quick.events.length === told + 1);
      if (told > 2_000) throw new Error('nobody is dropped');
    }
    expect(quick.ended).toBe(false);
    slow.response.resume();
    await until(() => slow.ended);
  });

  it('gives up a replay whose reader does not read', async () => {
    const clock = createVirtualClock();
    const { port, payments, lines } = await startListener({
      clock,
      limits: { eventReplayBatch: 2_000, eventBufferBytes: 1024 ** 3 },
    });
    await post(port, '/CreatePayment', sale);
    const operationId =
      payments.facts[0]?.event.type === 'operation_started' ? payments.facts[0].event.operationId : '';
    for (let index = 0; index < 60_000; index += 1)
      payments.appendUnheard(endedFact(operationId, 'approved'));
    const reader = await read(port, { 'last-event-id': '0' });
    reader.response.pause();
    await until(() => clock.waiting >= 2);
    await clock.advance(30_000);
    await until(() => lines.some(({ message }) => message === 'the replay of events failed'));
    reader.response.resume();
    await until(() => reader.ended);
    expect(factIds(reader).length).toBeLessThan(60_000);
  });

  it('serves a bounded number of readers, and the next when one has gone', async () => {
    const { port } = await startListener({ limits: { maxEventStreams: 2 } });
    const first = await read(port);
    await read(port);
    const third = await send(port, '/events');
    expect([third.status, third.json.code]).toEqual([503, 'too_many_streams']);
    first.response.destroy();
    // The listener hears of it in a turn of its own.
    for (let status: number | undefined; status !== 200;) {
      const response = await open(port, '/events');
      response.destroy();
      status = response.statusCode;
    }
  });

  it('ends with the listener, and goes on from the journal after the next start', async () => {
    const { port, payments, listener } = await startListener();
    const reader = await read(port);
    await sales(port, 2);
    await until(() => factIds(reader).length === 2);
    await listener.stop();
    await until(() => reader.ended);
    const operationId =
      payments.facts[0]?.event.type === 'operation_started' ? payments.facts[0].event.operationId : '';
    payments.append(endedFact(operationId, 'approved'));
    const started = await listener.start();
    if (started.kind === 'failed') throw new Error(started.message);
    const again = await read(started.port, { 'last-event-id': '2' });
    await until(() => factIds(again).length === 1);
    expect(factIds(again)).toEqual([3]);
  });

  it('survives a fault while it tells', async () => {
    const { port, payments, lines } = await startListener();
    const reader = await read(port);
    await until(() => reader.events.length === 1);
    const broken: MemoryPayments['paymentOfOperation'] = () => {
      throw new Error('no journal');
    };
    const whole = payments.paymentOfOperation;
    payments.paymentOfOperation = broken;
    payments.append({
      type: 'operation_in_doubt',
      operationId: '01890000-0000-7000-8000-000000000009',
      reason: '',
    });
    payments.paymentOfOperation = whole;
    expect(lines.some(({ level }) => level === 'error')).toBe(true);
    await sales(port, 1);
    await until(() => factIds(reader).includes(2));
  });
});
