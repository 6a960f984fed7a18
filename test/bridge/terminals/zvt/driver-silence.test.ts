import { describe, expect, it } from 'vitest';
import { zvtSettingsSchema } from '../../../../src/contract/configuration.ts';
import { positive } from '../../../support/zvt-scripted-terminal.ts';
import {
  completion,
  createReadyKit,
  idle,
  insertCard,
  startSale,
  stateOf,
  status,
  type Kit,
} from './driver-kit.ts';

const intervalMs = 20_000;
const settings = zvtSettingsSchema.parse({});

async function saleAtWork(): Promise<{ kit: Kit; sale: ReturnType<typeof startSale> }> {
  const kit = await createReadyKit({ settings });
  const sale = startSale(kit);
  await kit.terminal.serve('0601', insertCard);
  await kit.terminal.heard();
  return { kit, sale };
}

describe('a terminal that is silent while it works', () => {
  it('is asked for its state, and left alone when it is at work', async () => {
    const { kit, sale } = await saleAtWork();
    await kit.clock.advance(intervalMs - 1);
    expect(await kit.terminal.heard()).toEqual([]);
    await kit.clock.advance(1);
    await kit.terminal.expect('0501');
    kit.terminal.send('848300');
    expect(await stateOf(sale)).toBe('pending');
    await kit.terminal.heard();
    await kit.clock.advance(intervalMs);
    await kit.terminal.expect('0501');
    kit.terminal.send('848300');
    await kit.terminal.tell(status());
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'done' });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });

  it('is waited for as before when it does not answer that', async () => {
    const { kit, sale } = await saleAtWork();
    await kit.clock.advance(intervalMs);
    await kit.terminal.expect('0501');
    await kit.clock.advance(settings.timers.answerTimeoutMs);
    expect(await stateOf(sale)).toBe('pending');
    await kit.terminal.tell(status());
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'done' });
    // The answer that never came may still come: no money command before a full look at the terminal.
    expect(await startSale(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });

  it('is unknown at once when it turns out to be idle', async () => {
    const { kit, sale } = await saleAtWork();
    await kit.clock.advance(intervalMs);
    await kit.terminal.serve('0501', idle);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });

  it('is unknown, never done, when it is idle after an accepted result', async () => {
    const kit = await createReadyKit({ settings });
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status());
    await kit.clock.advance(intervalMs);
    await kit.terminal.serve('0501', idle);
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });

  it('can end by itself while the enquiry is on its way', async () => {
    const { kit, sale } = await saleAtWork();
    await kit.terminal.tell(status());
    await kit.clock.advance(intervalMs);
    await kit.terminal.expect('0501');
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'done' });
  });

  it('is asked to stop only after the enquiry has been answered, or waited for long enough', async () => {
    const { kit } = await saleAtWork();
    await kit.clock.advance(intervalMs);
    await kit.terminal.expect('0501');
    kit.driver.cancel();
    expect(await kit.terminal.heard()).toEqual([]);
    kit.terminal.send('848300');
    await kit.terminal.expect('06b0');
    kit.terminal.send(positive);
    await kit.terminal.tell(status({ code: '6c' }));
    await kit.terminal.tell('061e016c');
  });

  it('is not asked where the setting says never', async () => {
    const kit = await createReadyKit({
      settings: zvtSettingsSchema.parse({ timers: { silenceCheckMs: 0 } }),
    });
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    await kit.terminal.heard();
    await kit.clock.advance(settings.timers.completionTimeoutMs - 1);
    expect(await kit.terminal.heard()).toEqual([]);
    await kit.clock.advance(1);
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });

  it('is not done by an answer to the enquiry that comes late', async () => {
    const kit = await createReadyKit({ settings: zvtSettingsSchema.parse({ receipts: 'pos' }) });
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status());
    await kit.clock.advance(intervalMs);
    await kit.terminal.expect('0501');
    await kit.clock.advance(settings.timers.answerTimeoutMs + 1);
    kit.terminal.send(positive);
    kit.terminal.send(idle);
    await kit.terminal.heard();
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });

  it('is asked for its state also when it never answered a request to stop', async () => {
    const { kit, sale } = await saleAtWork();
    kit.driver.cancel();
    await kit.terminal.expect('06b0');
    await kit.clock.advance(intervalMs);
    const heard = (await kit.terminal.heard()).filter((thing) => thing !== 'ack');
    expect(heard.filter((apdu) => apdu.startsWith('06b0'))).toHaveLength(2);
    expect(heard.at(-1)).toMatch(/^0501/);
    kit.terminal.send(positive);
    await kit.terminal.tell(idle);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });
});
