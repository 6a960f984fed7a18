import { describe, expect, it } from 'vitest';
import { fromHex } from '../../../../src/bridge/terminals/zvt/wire/index.ts';
import { settle } from '../../../support/virtual-clock.ts';
import { positive } from '../../../support/zvt-scripted-terminal.ts';
import {
  aborted,
  completion,
  createKit,
  createReadyKit,
  insertCard,
  saleApdu,
  startSale,
  status,
} from './driver-kit.ts';

const options = { framing: 'tcp' } as const;

describe('over TCP', () => {
  it('a sale is done without any ACK on the wire', async () => {
    const kit = await createReadyKit(options);
    const { terminal } = kit;
    const sale = startSale(kit);
    await settle();
    terminal.send(positive);
    for (const message of [insertCard, status(), completion]) {
      terminal.send(message);
      await settle();
    }
    expect(await sale).toMatchObject({ kind: 'done' });
    expect(await terminal.heard()).toEqual([saleApdu, positive, positive, positive]);
    expect(terminal.moneyCommands).toEqual(['0601']);
  });

  it('messages may come in any pieces, or all at once', async () => {
    const stream = fromHex(positive + insertCard + status() + completion);
    for (let cut = 0; cut <= stream.length; cut += 1) {
      const kit = await createReadyKit(options);
      const sale = startSale(kit);
      await settle();
      kit.terminal.sendBytes(stream.subarray(0, cut));
      await settle();
      kit.terminal.sendBytes(stream.subarray(cut));
      expect(await sale).toMatchObject({ kind: 'done' });
      expect(kit.disk.results).toHaveLength(1);
    }
  });

  it('a command that is not answered ends the connection, and the sale is unknown', async () => {
    const kit = await createReadyKit(options);
    const sale = startSale(kit);
    await kit.clock.advance(4_999);
    expect(kit.terminal.connection.closed).toBe(false);
    await kit.clock.advance(1);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.terminal.connection.closed).toBe(true);
    expect(await kit.terminal.heard()).toEqual([saleApdu, 'closed']);
    expect(await startSale(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
  });

  it('a connection that is closed drops what has not arrived: it would be carried out unseen', async () => {
    const kit = await createReadyKit(options);
    const closes: (string | undefined)[] = [];
    const close = kit.terminal.connection.close;
    kit.terminal.connection.close = (unsent) => {
      closes.push(unsent);
      return close(unsent);
    };
    const sale = startSale(kit);
    await kit.clock.advance(5_000);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(closes).toEqual(['drop']);
    const broken = await createReadyKit(options);
    const unread: (string | undefined)[] = [];
    broken.terminal.connection.close = (unsent) => (unread.push(unsent), Promise.resolve());
    broken.terminal.sendBytes(fromHex('1002800000'));
    await settle();
    expect(unread).toEqual(['drop']);
  });

  it('what is no ZVT ends the connection, and the sale is unknown', async () => {
    const kit = await createReadyKit(options);
    const sale = startSale(kit);
    await settle();
    kit.terminal.sendBytes(fromHex('1002800000'));
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.terminal.connection.closed).toBe(true);
  });

  it('an enquiry that is not answered ends the connection', async () => {
    const kit = createKit(options);
    const readiness = kit.driver.prepare();
    await kit.clock.advance(5_000);
    expect(await readiness).toMatchObject({ kind: 'silent' });
    expect(kit.terminal.connection.closed).toBe(true);
  });

  it('a terminal that is at work by itself keeps its connection', async () => {
    const kit = createKit(options);
    const readiness = kit.driver.prepare();
    await kit.terminal.expect('0600');
    await kit.terminal.tell(insertCard);
    await kit.clock.advance(5_000);
    expect(await readiness).toMatchObject({ kind: 'busy' });
    expect(kit.terminal.connection.closed).toBe(false);
  });

  it('the sale is unknown when the connection ends at any step before the completion', async () => {
    const steps = [positive, insertCard, status()];
    for (let count = 0; count <= steps.length; count += 1) {
      const kit = await createReadyKit(options);
      const sale = startSale(kit);
      await settle();
      for (const step of steps.slice(0, count)) {
        kit.terminal.send(step);
        await settle();
      }
      await kit.terminal.cut();
      expect(await sale).toMatchObject({ kind: 'unknown' });
      expect(kit.terminal.moneyCommands).toEqual(['0601']);
    }
  });

  it('a refusal at once is one, because there are no second copies', async () => {
    const kit = await createReadyKit(options);
    const sale = startSale(kit);
    await kit.terminal.expect('0601');
    kit.terminal.send('848300');
    expect(await sale).toMatchObject({ kind: 'not_started', refusedByTerminal: true });
  });

  it('a cancel lets go first what answers a message that is there', async () => {
    const kit = await createReadyKit(options);
    const sale = startSale(kit);
    kit.driver.cancel();
    await kit.terminal.expect('0601');
    kit.terminal.sendBytes(fromHex(positive + insertCard));
    expect(await kit.terminal.heard()).toEqual([positive, '06b000']);
    kit.terminal.send(positive);
    await kit.terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'cancelled', by: 'cashier' });
  });

  it('a cancel is answered and the terminal ends the payment', async () => {
    const kit = await createReadyKit(options);
    const sale = startSale(kit);
    await kit.terminal.serve('0601', insertCard);
    kit.driver.cancel();
    await kit.terminal.expect('06b000');
    kit.terminal.send(positive);
    await kit.terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'cancelled', by: 'cashier' });
  });
});
