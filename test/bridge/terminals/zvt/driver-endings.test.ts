/** How terminals end a payment that took no money, each in its own way, and what may be said of it at which moment. */
import { describe, expect, it } from 'vitest';
import { zvtSettingsSchema } from '../../../../src/contract/configuration.ts';
import { positive } from '../../../support/zvt-scripted-terminal.ts';
import {
  atWork,
  aborted,
  completion,
  createReadyKit,
  idle,
  insertCard,
  playProbe,
  startSale,
  stateOf,
  status,
  type Kit,
} from './driver-kit.ts';

const abort = '06b000';
const cancelled = status({ code: '6c' });
const declined = status({ code: '05' });

describe('a refusal that the terminal completes (06 0F) instead of breaking off', () => {
  it('is cancelled when it says that it was stopped (27 = 6C)', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', insertCard, cancelled, completion);
    expect(await sale).toMatchObject({ kind: 'cancelled', by: 'customer', record: { resultCode: '6c' } });
    expect(kit.disk.results).toHaveLength(1);
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });

  it('is cancelled by the cashier after our own abort', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', insertCard);
    kit.driver.cancel();
    await kit.terminal.expect(abort);
    kit.terminal.send(positive);
    await kit.terminal.tell(cancelled);
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'cancelled', by: 'cashier' });
  });

  it.each(['05', '37', '64', 'a1'])('is declined with any other refusal (%s)', async (code) => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status({ code }), completion);
    expect(await sale).toMatchObject({ kind: 'declined', record: { resultCode: code } });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });

  it('is unknown where the code may go with a payment that was made (CD: cashback refused)', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status({ code: 'cd' }), completion);
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['after an accepted result', [status(), cancelled, completion]],
    ['when the completion names an error', [cancelled, '060f022705']],
  ])('is unknown %s', async (_, messages) => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', ...messages);
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });
});

describe('our own abort, answered by a completion (06 0F) and the end of the payment (06 1E) at once', () => {
  const answers = [positive, completion, aborted];
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ].map((order) => order.map((index) => answers[index] ?? ''));

  for (const framing of ['serial', 'tcp'] as const) {
    it.each(orders)(`ends as cancelled by the cashier (${framing}: %s %s %s)`, async (...messages) => {
      const kit = await createReadyKit({ framing });
      const sale = startSale(kit);
      await kit.terminal.serve('0601', insertCard);
      kit.driver.cancel();
      await kit.terminal.expect(abort);
      for (const message of messages) kit.terminal.send(message);
      expect(await stateOf(sale)).toMatchObject({ kind: 'cancelled', by: 'cashier' });
      expect((await kit.terminal.heard()).filter((each) => each === positive)).toHaveLength(2);
      expect(kit.terminal.moneyCommands).toEqual(['0601']);
      // Nothing is left over that would be in the way of the next look.
      const probe = kit.driver.probe();
      await playProbe(kit.terminal);
      expect(await probe).toMatchObject({ kind: 'ready' });
    });
  }

  async function completedAfterAbort(
    ...before: string[]
  ): Promise<{ kit: Kit; sale: ReturnType<typeof startSale> }> {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', ...before);
    kit.driver.cancel();
    await kit.terminal.expect(abort);
    kit.terminal.send(positive);
    await kit.terminal.tell(completion);
    expect(await stateOf(sale)).toBe('pending');
    return { kit, sale };
  }

  it('is unknown when the payment itself says nothing more', async () => {
    const { kit, sale } = await completedAfterAbort(insertCard);
    await kit.clock.advance(1_000);
    // Our answer was lost: the same completion again is no news.
    await kit.terminal.tell(completion);
    await kit.clock.advance(999);
    expect(await stateOf(sale)).toBe('pending');
    await kit.clock.advance(1);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.clock.waiting).toBe(0);
  });

  it('is approved when the payment goes on and is approved', async () => {
    const { kit, sale } = await completedAfterAbort(insertCard);
    await kit.terminal.tell('04ff0104');
    // It has said that it goes on: the moment is over, and the usual patience applies.
    expect(await atWork(kit, 60_000)).toEqual([]);
    await kit.terminal.tell(status());
    await kit.terminal.tell(completion);
    await kit.clock.advance(2_000);
    expect(await sale).toMatchObject({ kind: 'done' });
    expect(kit.disk.results).toHaveLength(1);
  });

  it('is unknown, never done, when the terminal breaks off what it had approved', async () => {
    const { kit, sale } = await completedAfterAbort(status());
    await kit.terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });

  it('is done when the terminal says nothing more of what it had approved', async () => {
    const { kit, sale } = await completedAfterAbort(status());
    await kit.clock.advance(2_000);
    expect(await sale).toMatchObject({ kind: 'done' });
  });

  it('is done at once when the terminal refuses the abort', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status());
    kit.driver.cancel();
    await kit.terminal.expect(abort);
    kit.terminal.send(completion);
    expect(await stateOf(sale)).toBe('pending');
    kit.terminal.send('848300');
    expect(await stateOf(sale)).toMatchObject({ kind: 'done' });
  });

  it('is unknown when the line is lost in that moment', async () => {
    const { kit, sale } = await completedAfterAbort(insertCard);
    await kit.terminal.cut();
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });
});

describe('a refusal after which the terminal says nothing', () => {
  const settings = zvtSettingsSchema.parse({});

  async function refused(result: string, options: Parameters<typeof createReadyKit>[0] = { settings }) {
    const kit = await createReadyKit(options);
    const sale = startSale(kit);
    await kit.terminal.serve('0601', insertCard, result);
    await kit.terminal.heard();
    return { kit, sale };
  }

  it.each([
    ['declined', declined, { kind: 'declined', record: { resultCode: '05' } }],
    ['cancelled', cancelled, { kind: 'cancelled', by: 'customer', record: { resultCode: '6c' } }],
  ])('is %s as soon as the terminal says that it is idle', async (_, result, expected) => {
    const { kit, sale } = await refused(result);
    await kit.clock.advance(2_999);
    expect(await kit.terminal.heard()).toEqual([]);
    await kit.clock.advance(1);
    await kit.terminal.serve('0501', idle);
    expect(await sale).toMatchObject(expected);
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
    expect(kit.clock.waiting).toBe(0);
  });

  it('counts while the card of the customer is still in the terminal', async () => {
    const { kit, sale } = await refused(declined);
    await kit.clock.advance(3_000);
    await kit.terminal.serve('0501', '060f01dc');
    expect(await sale).toMatchObject({ kind: 'declined' });
  });

  it.each([
    ['busy', '060f019c'],
    ['nothing', completion],
  ])('does not count when the status is %s', async (_, answer) => {
    const { kit, sale } = await refused(declined);
    await kit.clock.advance(3_000);
    await kit.terminal.serve('0501', answer);
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });

  it('does not count while the terminal is at work, which is asked again later', async () => {
    const { kit, sale } = await refused(declined);
    await kit.clock.advance(3_000);
    await kit.terminal.expect('0501');
    kit.terminal.send('848300');
    await kit.clock.advance(settings.timers.silenceCheckMs);
    await kit.terminal.serve('0501', idle);
    expect(await sale).toMatchObject({ kind: 'declined' });
  });

  it('does not count when the PIN was wrong: a new attempt may follow', async () => {
    const { kit, sale } = await refused(status({ code: '37' }));
    await kit.clock.advance(19_999);
    expect(await kit.terminal.heard()).toEqual([]);
    await kit.terminal.tell(insertCard);
    await kit.terminal.tell(status({ trace: '000472' }));
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'done', record: { traceNumber: '000472' } });
    const other = await refused(status({ code: '37' }));
    await other.kit.clock.advance(20_000);
    await other.kit.terminal.serve('0501', idle);
    expect(await other.sale).toMatchObject({ kind: 'unknown' });
  });

  it('does not count after an accepted result', async () => {
    const kit = await createReadyKit({ settings });
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status(), cancelled);
    await kit.clock.advance(20_000);
    await kit.terminal.serve('0501', idle);
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });

  it('gives way to what the terminal still says', async () => {
    const { kit, sale } = await refused(declined);
    await kit.clock.advance(2_000);
    await kit.terminal.tell('04ff014b');
    await kit.clock.advance(2_999);
    expect(await stateOf(sale)).toBe('pending');
    await kit.terminal.tell('061e0105');
    expect(await sale).toMatchObject({ kind: 'declined' });
    expect((await kit.terminal.heard()).filter((each) => each.startsWith('0501'))).toEqual([]);
  });

  it('is not asked about where the setting says never', async () => {
    const { kit, sale } = await refused(declined, {
      settings: zvtSettingsSchema.parse({ timers: { silenceCheckMs: 0 } }),
    });
    await kit.clock.advance(settings.timers.completionTimeoutMs);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect((await kit.terminal.heard()).filter((each) => each.startsWith('0501'))).toEqual([]);
  });
});
