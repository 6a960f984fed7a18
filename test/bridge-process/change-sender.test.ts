/** Changes to a main process that is held up. */
import { describe, expect, it } from 'vitest';
import { createChangeSender } from '../../src/bridge-process/change-sender.ts';
import { maxChangesUnderWay } from '../../src/contract/bridge-channel.ts';
import type { ConsoleChange } from '../../src/contract/console/index.ts';

function setUp() {
  const sent: ConsoleChange[] = [];
  const sender = createChangeSender((change) => void sent.push(change));
  const state = (version: string) => ({ kind: 'state', state: { version } }) as ConsoleChange;
  const payment = (transactionId: string, status: string) =>
    ({ kind: 'payment', payment: { transactionId, status } }) as ConsoleChange;
  const log = (...ids: number[]) =>
    ({ kind: 'log', lines: ids.map((id) => ({ id })), last: ids.at(-1) }) as ConsoleChange;
  const fill = () => {
    for (let count = 0; count < maxChangesUnderWay; count += 1) sender.send({ kind: 'batch' });
    sent.length = 0;
  };
  return { sent, sender, state, payment, log, fill };
}

describe('changes', () => {
  it('go at once while they are taken', () => {
    const { sent, sender, state } = setUp();
    for (let count = 0; count < 3 * maxChangesUnderWay; count += 1) {
      sender.send(state(String(count)));
      sender.taken(1);
    }
    expect(sent).toHaveLength(3 * maxChangesUnderWay);
  });

  it('that nobody takes are kept by what they say in the end', () => {
    const { sent, sender, state, payment, log, fill } = setUp();
    fill();
    for (const change of [
      state('1'),
      payment('A', 'in_progress'),
      log(1, 2),
      payment('B', 'in_progress'),
      state('2'),
      log(3),
      payment('A', 'approved'),
    ])
      sender.send(change);
    expect(sent).toEqual([]);
    sender.taken(maxChangesUnderWay);
    expect(sent).toEqual([payment('B', 'in_progress'), state('2'), log(1, 2, 3), payment('A', 'approved')]);
  });

  it('that nobody takes are bounded', () => {
    const { sent, sender, payment, log, fill } = setUp();
    fill();
    for (let count = 0; count < 5_000; count += 1) {
      sender.send(payment(String(count), 'approved'));
      sender.send(log(count));
    }
    for (let round = 0; round < 10; round += 1) sender.taken(maxChangesUnderWay);
    const payments = sent.filter((change) => change.kind === 'payment');
    expect(payments.length).toBeLessThanOrEqual(200);
    expect(payments.at(-1)).toEqual(payment('4999', 'approved'));
    const logs = sent.filter((change) => change.kind === 'log');
    expect(logs).toHaveLength(1);
    expect(logs[0]).toMatchObject({ last: 4_999 });
    expect(logs[0]?.lines).toHaveLength(500);
  });

  it('go nowhere after the end', () => {
    const { sent, sender, state, fill } = setUp();
    fill();
    sender.send(state('1'));
    sender.stop();
    sender.send(state('2'));
    sender.taken(10);
    expect(sent).toEqual([]);
  });
});
