import { describe, expect, it } from 'vitest';
import { settle } from '../../../support/virtual-clock.ts';
import { ack, positive } from '../../../support/zvt-scripted-terminal.ts';
import {
  atWork,
  aborted,
  completion,
  createReadyKit,
  insertCard,
  startSale,
  startVoid,
  stateOf,
  status,
} from './driver-kit.ts';

const abort = '06b000';
const cancelled = status({ code: '6c' });

describe('a cancel', () => {
  it('that comes before the terminal has taken the payment is kept until then', async () => {
    const kit = await createReadyKit();
    const { terminal, driver } = kit;
    const sale = startSale(kit);
    driver.cancel();
    await terminal.expect('0601');
    expect(await terminal.heard()).toEqual([]);
    terminal.send(positive);
    await terminal.expect(abort);
    terminal.send(positive);
    await terminal.tell(cancelled);
    await terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'cancelled', by: 'cashier', record: { resultCode: '6c' } });
    expect(terminal.moneyCommands).toEqual(['0601']);
  });

  it('during the card is sent at once, and the payment ends with the word of the terminal', async () => {
    const kit = await createReadyKit();
    const { terminal, driver } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601', insertCard);
    driver.cancel();
    driver.cancel();
    await terminal.expect(abort);
    terminal.send(positive);
    expect(await stateOf(sale)).toBe('pending');
    expect(await terminal.heard()).toEqual(['ack']);
    await terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'cancelled', by: 'cashier' });
  });

  it('that comes too late is not sent again and leaves the payment approved', async () => {
    const kit = await createReadyKit();
    const { terminal, driver } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601', insertCard);
    driver.cancel();
    await terminal.expect(abort);
    terminal.send('848300');
    expect(await atWork(kit, 60_000)).toEqual([]);
    await terminal.tell(status());
    await terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'done' });
  });

  it('after the answer of the host, taken by the terminal, still leaves the payment approved', async () => {
    const kit = await createReadyKit();
    const { terminal, driver } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601', status());
    driver.cancel();
    await terminal.expect(abort);
    terminal.send(positive);
    await terminal.tell(completion);
    // This could be the end of the abort alone.
    await kit.clock.advance(2_000);
    expect(await sale).toMatchObject({ kind: 'done' });
  });

  it('after which an accepted result is broken off leaves the payment unknown', async () => {
    const kit = await createReadyKit();
    const { terminal, driver } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601', status());
    driver.cancel();
    await terminal.expect(abort);
    terminal.send(positive);
    await terminal.tell(cancelled);
    await terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });

  it('that was refused does not make a stop at the terminal the doing of the cashier', async () => {
    const kit = await createReadyKit();
    const { terminal, driver } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601');
    driver.cancel();
    await terminal.expect(abort);
    terminal.send('848300');
    await terminal.tell(cancelled);
    await terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'cancelled', by: 'customer' });
  });

  it('that collides with a message of the terminal is sent again after the message was answered', async () => {
    const kit = await createReadyKit();
    const { terminal, driver, clock } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601');
    terminal.acknowledges = false;
    driver.cancel();
    await terminal.expect(abort);
    // The terminal sent its own message at the same time, and dropped ours.
    terminal.send(insertCard);
    await terminal.expect(positive);
    terminal.sendBytes(ack);
    terminal.acknowledges = true;
    await clock.advance(5_000);
    await terminal.expect(abort);
    terminal.send(positive);
    await terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'cancelled', by: 'cashier' });
    expect(terminal.moneyCommands).toEqual(['0601']);
  });

  it('waits until a message that is there is answered', async () => {
    const kit = await createReadyKit();
    const { terminal, driver } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601');
    terminal.acknowledges = false;
    terminal.send(insertCard);
    await terminal.expect(positive);
    driver.cancel();
    // Our answer has no ACK yet, so nothing else goes out.
    expect(await terminal.heard()).toEqual([]);
    terminal.sendBytes(ack);
    terminal.acknowledges = true;
    await terminal.expect(abort);
    terminal.send(positive);
    await terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'cancelled' });
  });

  it('is not sent for ever, may be asked for again, and is not sent for ever then either', async () => {
    const kit = await createReadyKit();
    const { terminal, driver, clock } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601');
    const sent = async () => {
      await clock.advance(100_000);
      terminal.send(insertCard);
      return (await terminal.heard()).filter((each) => each === abort).length;
    };
    driver.cancel();
    expect(await sent()).toBe(3);
    expect(await sent()).toBe(0);
    for (let wish = 0; wish < 5; wish += 1) driver.cancel();
    expect(await sent()).toBe(3);
    driver.cancel();
    expect(await sent()).toBe(3);
    driver.cancel();
    expect(await sent()).toBe(0);
    await terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'cancelled', by: 'cashier' });
    // Late answers to those aborts could still come: first the terminal is looked at again.
    expect(await startSale(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
  });

  it('is asked again two seconds after "please wait"', async () => {
    const kit = await createReadyKit();
    const { terminal, driver, clock } = kit;
    const sale = startSale(kit);
    await terminal.serve('0601');
    driver.cancel();
    await terminal.expect(abort);
    terminal.send('849c00');
    await clock.advance(1_999);
    expect(await terminal.heard()).toEqual(['ack']);
    await clock.advance(1);
    await terminal.expect(abort);
    terminal.send(positive);
    await terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'cancelled' });
  });

  it('changes nothing while no sale is under way', async () => {
    const kit = await createReadyKit();
    const { terminal, driver } = kit;
    driver.cancel();
    const reversal = startVoid(kit);
    await terminal.expect('0630');
    terminal.send(positive);
    driver.cancel();
    await settle();
    expect(await terminal.heard()).toEqual(['ack']);
    await terminal.tell(status({ original: '000471', trace: '000472' }));
    await terminal.tell(completion);
    expect(await reversal).toMatchObject({ kind: 'done' });
    const sale = startSale(kit);
    await terminal.serve('0601', status());
    await terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'done' });
  });
});
