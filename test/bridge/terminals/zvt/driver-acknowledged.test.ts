/** When the acceptance of a result has surely reached the terminal. */
import { describe, expect, it } from 'vitest';
import { zvtSettingsSchema } from '../../../../src/contract/configuration.ts';
import { settle } from '../../../support/virtual-clock.ts';
import { ack, positive } from '../../../support/zvt-scripted-terminal.ts';
import {
  aborted,
  completion,
  createReadyKit,
  idle,
  insertCard,
  startSale,
  startVoid,
  status,
} from './driver-kit.ts';

const approval = status();

describe('on a serial line the acceptance', () => {
  it('is known to have arrived with its ACK, once', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', insertCard);
    expect(kit.acknowledged).toBe(0);
    await kit.terminal.tell(approval);
    await kit.clock.advance(99);
    expect(kit.acknowledged).toBe(0);
    await kit.clock.advance(1);
    expect(kit.acknowledged).toBe(1);
    await kit.terminal.tell(approval);
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'done' });
    expect(kit.acknowledged).toBe(1);
  });

  it('needs no word where the payment is done at once', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', approval, completion);
    expect(await sale).toMatchObject({ kind: 'done' });
    await kit.clock.advance(1_000);
    expect(kit.acknowledged).toBe(0);
  });

  it.each([
    ['breaks off', aborted],
    ['ends with an error', '060f022705'],
  ])('is told where the terminal %s at once', async (_, ending) => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', approval, ending);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.acknowledged).toBe(1);
  });

  it('is told of a void that is done at once, as what it reversed may stay unknown', async () => {
    const kit = await createReadyKit();
    const answer = startVoid(kit);
    await kit.terminal.serve('0630', status({ trace: '000472', receipt: '0472' }), completion);
    await kit.terminal.serve('0620', completion);
    expect(await answer).toMatchObject({ kind: 'unknown' });
    expect(kit.acknowledged).toBe(1);
  });

  it('is told where the line is lost at once', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601', approval);
    await settle();
    await kit.terminal.cut();
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.acknowledged).toBe(1);
  });

  it('is told of the result that it belongs to, before another one is kept', async () => {
    const kit = await createReadyKit();
    const acknowledgedAt: number[] = [];
    kit.watch.acknowledged = () => void acknowledgedAt.push(kit.disk.results.length);
    void startSale(kit);
    await kit.terminal.serve('0601', approval, status({ trace: '000472' }));
    await kit.clock.advance(1_000);
    expect(acknowledgedAt).toEqual([1]);
  });

  it('without an ACK is known by another message, not by the same result again', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    kit.terminal.acknowledges = false;
    kit.terminal.send(approval);
    await kit.terminal.expect(positive);
    kit.terminal.send(approval);
    await kit.terminal.expect(positive);
    expect(kit.acknowledged).toBe(0);
    kit.terminal.send(insertCard);
    await kit.terminal.expect(positive);
    expect(kit.acknowledged).toBe(1);
    kit.terminal.acknowledges = true;
    kit.terminal.sendBytes(ack);
    await kit.terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'unknown' });
  });

  it('is not known where it never got its ACK, and after a refusal there is none', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.serve('0601');
    kit.terminal.acknowledges = false;
    kit.terminal.send(approval);
    await kit.clock.advance(15_000);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.acknowledged).toBe(0);
    const other = await createReadyKit();
    void startSale(other);
    await other.terminal.serve('0601', status({ code: '05' }), insertCard);
    expect(other.acknowledged).toBe(0);
  });

  it('says nothing where the POS prints: the receipts have to be acknowledged, too', async () => {
    const kit = await createReadyKit({ settings: { receipts: 'pos' } });
    const sale = startSale(kit);
    await kit.terminal.serve('0601', approval, '06d1054053414c45', completion);
    expect(await sale).toMatchObject({ kind: 'done' });
    expect(kit.acknowledged).toBe(0);
  });
});

describe('over TCP the acceptance', () => {
  it('is known by the next message', async () => {
    const kit = await createReadyKit({ framing: 'tcp' });
    void startSale(kit);
    await kit.terminal.serve('0601', approval);
    await settle();
    expect(kit.acknowledged).toBe(0);
    await kit.terminal.tell(approval);
    expect(kit.acknowledged).toBe(0);
    await kit.terminal.tell(insertCard);
    expect(kit.acknowledged).toBe(1);
  });

  it('is not known where the line is lost after it, and needs no word where the payment ends', async () => {
    const kit = await createReadyKit({ framing: 'tcp' });
    const sale = startSale(kit);
    await kit.terminal.serve('0601', approval);
    await kit.terminal.cut();
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.acknowledged).toBe(0);
    const other = await createReadyKit({ framing: 'tcp' });
    const second = startSale(other);
    await other.terminal.serve('0601', approval, completion);
    expect(await second).toMatchObject({ kind: 'done' });
    expect(other.acknowledged).toBe(0);
  });
});

describe('a result that comes with the answer to the status enquiry', () => {
  const settings = zvtSettingsSchema.parse({});

  async function askedInSilence(...before: string[]) {
    const kit = await createReadyKit({ settings });
    const sale = startSale(kit);
    await kit.terminal.serve('0601', insertCard, ...before);
    await kit.clock.advance(before.length > 0 ? 3_000 : 20_000);
    await kit.terminal.expect('0501');
    return { kit, sale };
  }

  it.each([
    ['without anything in it', '040f022700'],
    ['of the right amount', approval],
  ])('%s is not taken for the result of the payment', async (_, result) => {
    const { kit, sale } = await askedInSilence();
    kit.terminal.send(positive);
    await kit.terminal.tell(result, '846c00');
    await kit.terminal.tell(completion);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.disk.results).toEqual([]);
    expect(kit.acknowledged).toBe(0);
  });

  it('leaves a refusal what it was, on a terminal that always sends one', async () => {
    const { kit, sale } = await askedInSilence(status({ code: '05' }));
    kit.knownTraits.add('results_in_enquiries');
    kit.terminal.send(positive);
    await kit.terminal.tell(approval, '846c00');
    await kit.terminal.tell(idle);
    expect(await sale).toMatchObject({ kind: 'declined' });
    const other = await askedInSilence(status({ code: '05' }));
    other.kit.terminal.send(positive);
    await other.kit.terminal.tell(approval, '846c00');
    await other.kit.terminal.tell(idle);
    expect(await other.sale).toMatchObject({ kind: 'unknown' });
  });
});
