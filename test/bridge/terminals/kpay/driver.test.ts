/** The KPay driver: what it asks, and what each answer, and each answer that is missing, comes to. */
import { describe, expect, it } from 'vitest';
import { kpayKeys } from './kpay-keys.ts';
import { batch as batchStarted } from '../../journal/sample-events.ts';
import type { OperationInDoubt, PaidAmount } from '../../../../src/bridge/terminals/terminal-driver.ts';
import { createNotingLog } from '../../../support/noting-log.ts';
import {
  batch,
  code,
  createKit,
  held,
  inDoubt,
  lost,
  number,
  order,
  pending,
  refused,
  voidNumber,
  voidOrder,
  type Kit,
  type Script,
} from './driver-kit.ts';

const sell = (kit: Kit, part: Partial<typeof order> = {}) =>
  kit.run(kit.driver.sale({ ...order, ...part }, kit.watch));
const reverse = (kit: Kit) => kit.run(kit.driver.void(voidOrder, kit.watch));
const settle = (kit: Kit) => kit.run(kit.driver.closeBatch({ currency: 'HKD', terminalId: null }, kit.watch));
const poll = (kit: Kit) => kit.run(kit.driver.prepare());
const count = (kit: Kit, call: string) => kit.seen.filter((one) => one.startsWith(call)).length;
/** Asks as often as it takes until there is an answer other than `pending`. */
async function lookUp(kit: Kit, ...about: Parameters<typeof inDoubt>) {
  for (;;) {
    const found = await kit.run(kit.driver.lookUp?.(inDoubt(...about)));
    if (found.kind !== 'pending') return found;
    await kit.clock.advance(1_000);
  }
}
const voided = (part: Parameters<typeof held>[0] = {}) =>
  held({ outTradeNo: voidNumber, transactionType: 6, ...part });

describe('a conversation', () => {
  it('begins with a sign-in, and is tried again until the terminal answers one', async () => {
    const kit = await createKit({
      sign_in: [refused, lost, code(50_005), code(50_005)],
    });
    expect(kit.failures).toHaveLength(2);
    // What it refuses the sign-in for is a person's to mend.
    expect(await poll(kit)).toMatchObject({ kind: 'attention', requiredAction: 'service' });
  });

  it.each([
    [50_005, { kind: 'attention', requiredAction: 'service' }],
    [40_007, { kind: 'attention', requiredAction: 'setting' }],
    [40_008, { kind: 'attention', requiredAction: 'service' }],
    [50_009, { kind: 'attention', requiredAction: 'batch_close' }],
    [50_002, { kind: 'busy' }],
    [50_011, { kind: 'ready', terminal: { protocol: 'kpay', terminalId: null } }],
    [10_000, { kind: 'ready' }],
  ])('in which a poll is answered with %i', async (number, readiness) => {
    expect(await poll(await createKit({ query_settlement: [code(number)] }))).toMatchObject(readiness);
  });

  it.each([lost, refused])('in which a poll gets no answer finds the terminal silent', async (result) => {
    expect(await poll(await createKit({ query_settlement: [result] }))).toMatchObject({ kind: 'silent' });
  });

  it('ends only from this side, and ends what is under way', async () => {
    const kit = await createKit();
    const reasons: string[] = [];
    kit.connection.onClose((reason) => void reasons.push(reason));
    const selling = kit.driver.sale(order, kit.watch);
    await kit.clock.advance(5_000);
    await kit.run(kit.connection.close());
    await kit.connection.close();
    expect([kit.connection.closed, reasons.length, (await kit.run(selling)).kind]).toEqual([
      true,
      1,
      'unknown',
    ]);
  });
});

describe('a sale', () => {
  it('is sent once under its number, and asked for until it has ended', async () => {
    const kit = await createKit({ query: [pending, pending, held()] });
    expect(await sell(kit)).toMatchObject({
      kind: 'done',
      record: {
        kind: 'payment',
        approved: true,
        amountMinor: 12_000,
        currency: 'HKD',
        terminalId: 'KP0000000001',
        receiptNumber: '555555000001',
        approvalCode: 'A00001',
        maskedCardNumber: '************1111',
        cardScheme: 'Visa',
      },
    });
    const query = `query ${number}`;
    expect(kit.seen).toEqual(['sign_in', `sale ${number}`, query, query, query]);
    expect(kit.disk.results).toHaveLength(1);
    expect(JSON.parse(kit.bodies[1] ?? '')).toEqual({
      outTradeNo: number,
      payAmount: '000000012000',
      tipsAmount: '000000000000',
      payCurrency: '344',
    });
    // From now on it is known which terminal this is.
    expect(await poll(kit)).toMatchObject({ terminal: { terminalId: 'KP0000000001' } });
  });

  it.each([
    [
      'failed',
      { payResult: 3, reason: 'Insufficient funds' },
      { kind: 'declined', reason: 'Insufficient funds' },
    ],
    ['was cancelled', { payResult: 5 }, { kind: 'cancelled', by: 'customer' }],
    ['was cancelled in another way', { payResult: 6 }, { kind: 'cancelled', by: 'customer' }],
    ['was given back or cancelled', { payResult: 4 }, { kind: 'cancelled', by: 'customer' }],
  ])('that %s moved no money', async (_what, part, answer) => {
    const kit = await createKit({ query: [pending, held(part)] });
    expect(await sell(kit)).toMatchObject(answer);
    expect(kit.disk.results).toMatchObject([{ approved: false }]);
  });

  it.each([10_001, 50_002, 50_005, 50_006, 50_007, 40_002])(
    'refused with %i has not started, and is not asked for',
    async (number) => {
      const kit = await createKit({ sale: [code(number)] });
      expect(await sell(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: true });
      expect(count(kit, 'query')).toBe(0);
    },
  );

  it('that cannot be sent has not started', async () => {
    expect(await sell(await createKit({ sale: [refused] }))).toMatchObject({
      kind: 'not_started',
      refusedByTerminal: false,
    });
  });

  it('that the terminal wants to settle before has not started, and only a settlement may run', async () => {
    const kit = await createKit({ sale: [code(50_009)], settle: [code(50_012)] });
    expect(await sell(kit)).toMatchObject({ kind: 'not_started' });
    expect(await poll(kit)).toMatchObject({ kind: 'attention', requiredAction: 'batch_close' });
    expect(await settle(kit)).toMatchObject({ kind: 'done' });
    expect(await poll(kit)).toMatchObject({ kind: 'ready' });
  });

  it.each([
    ['lost', lost],
    ['that it knows the number', code(20_001)],
    ['an unknown error', code(50_001)],
    ['a fault of the printer', code(50_003)],
    ['that it is in progress', code(20_011)],
    ['one that nobody knows', code(12_345)],
  ])('whose answer is %s is asked for, and never sent again', async (_what, answer) => {
    const kit = await createKit({ sale: [answer], query: [pending, held()] });
    expect(await sell(kit)).toMatchObject({ kind: 'done' });
    expect(count(kit, 'sale')).toBe(1);
  });

  it('whose keys are gone is signed anew, in the middle of it, too', async () => {
    const kit = await createKit({
      sale: [code(40_004), code(10_000)],
      query: [pending, code(40_004), held()],
    });
    expect(await sell(kit)).toMatchObject({ kind: 'done' });
    expect([count(kit, 'sign_in'), count(kit, 'sale')]).toEqual([3, 2]);
  });

  it('whose keys are gone may be at another terminal, which is told before it is sent', async () => {
    const kit = await createKit({ sale: [code(40_004), code(10_000)], query: [held()] });
    expect(kit.others).toEqual([]);
    await sell(kit);
    expect(kit.others).toEqual([expect.stringContaining('new sign-in')]);
  });

  it('is not sent to a terminal that may be another one where that cannot be written, nor is a later one', async () => {
    const kit = await createKit({ sale: [code(40_004), code(10_000)], query: [held()] });
    kit.disk.writable = false;
    expect(await sell(kit)).toMatchObject({
      kind: 'not_started',
      reason: expect.stringContaining('journal'),
    });
    expect(await sell(kit)).toMatchObject({ kind: 'not_started' });
    expect([count(kit, 'sale'), kit.others]).toEqual([1, []]);
    kit.disk.writable = true;
    expect(await sell(kit)).toMatchObject({ kind: 'done' });
    expect(kit.others).toHaveLength(1);
  });

  it('whose copy came too fast is not given to a terminal that has forgotten the keys since', async () => {
    const kit = await createKit({ sale: [code(50_004), code(40_004)], query: [code(40_004), code(20_005)] });
    expect(await sell(kit)).toMatchObject({ kind: 'unknown' });
    expect(count(kit, 'sale')).toBe(2);
  });

  it('is in doubt where the terminal knows neither our keys nor its number: it may be another one', async () => {
    const kit = await createKit({ sale: [lost], query: [code(40_004), code(20_005), code(20_005)] });
    expect(await sell(kit)).toMatchObject({ kind: 'unknown' });
    const known = await createKit({ sale: [lost], query: [code(20_005), code(20_005)] });
    expect(await sell(known)).toMatchObject({ kind: 'not_started' });
  });

  it('whose second copy is refused is asked for: the first may have been taken after all', async () => {
    const kit = await createKit({ sale: [code(50_004), code(50_002)], query: [held()] });
    expect(await sell(kit)).toMatchObject({ kind: 'done' });
  });

  it('whose second copy goes nowhere is asked for, too', async () => {
    const kit = await createKit({ sale: [code(50_004), refused], query: [held()] });
    expect(await sell(kit)).toMatchObject({ kind: 'done' });
  });

  it('whose answer was lost has not started where the terminal twice does not know it', async () => {
    const kit = await createKit({ sale: [lost], query: [code(20_005)] });
    const before = kit.clock.elapsed();
    expect(await sell(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
    expect(kit.clock.elapsed() - before).toBeGreaterThanOrEqual(10_000);
  });

  it('that the terminal took and does not know any more is in doubt', async () => {
    const kit = await createKit({ query: [pending, code(20_005)] });
    expect(await sell(kit)).toMatchObject({ kind: 'unknown' });
    expect(await lookUp(kit)).toMatchObject({ kind: 'unavailable' });
    const accepted = await createKit({ sale: [code(10_000)], query: [code(20_005)] });
    expect(await sell(accepted)).toMatchObject({ kind: 'unknown' });
  });

  it.each<[string, Parameters<typeof held>[0]]>([
    ['another amount', { amountMinor: 12_100 }],
    ['a lower amount', { amountMinor: 11_900 }],
    ['a tip on top', { tipsMinor: 100 }],
    ['a surcharge on top', { surchargeMinor: 100 }],
    ['another currency', { currency: 'SGD' }],
    ['no amount', { amountMinor: null }],
    ['no currency', { currency: null }],
    ['no kind', { transactionType: null }],
    ['the kind of a void', { transactionType: 6 }],
    ['the kind of a refund', { transactionType: 2 }],
  ])('that was successful with %s is in doubt', async (_what, part) => {
    const kit = await createKit({ query: [held(part)] });
    expect(await sell(kit)).toMatchObject({ kind: 'unknown' });
  });

  it.each<[string, Parameters<typeof held>[0], number]>([
    ['in the amount', { amountMinor: 13_000, orderMinor: 12_000, tipsMinor: 1_000 }, 13_000],
    ['beside the amount', { amountMinor: 12_000, tipsMinor: 1_000 }, 13_000],
  ])('may have a tip %s where tips are allowed', async (_what, part, taken) => {
    const kit = await createKit({ query: [held(part)] });
    const answer = kit.driver.sale({ ...order, maxAmountMinor: 13_200 }, kit.watch);
    expect(await kit.run(answer)).toMatchObject({ kind: 'done', record: { amountMinor: taken } });
  });

  it('takes no answer about another number for its own', async () => {
    const others = [{ outTradeNo: 'OTHER000000000000001' }, { outTradeNo: null }];
    for (const part of others) {
      const kit = await createKit({ query: [held(part), held({ ...part, payResult: 3 }), pending, held()] });
      expect(await sell(kit)).toMatchObject({ kind: 'done' });
      expect(count(kit, 'query')).toBe(4);
      const never = await createKit({ query: [held(part)] });
      expect(await sell(never)).toMatchObject({ kind: 'unknown' });
      expect(never.disk.results).toEqual([]);
    }
  });

  it('that failed with another amount is no end of this one', async () => {
    const kit = await createKit({ query: [held({ payResult: 3, amountMinor: 500 })] });
    expect(await sell(kit)).toMatchObject({ kind: 'unknown' });
    const surcharged = { payResult: 3, amountMinor: 12_180, surchargeMinor: 180 };
    expect(await sell(await createKit({ query: [held(surcharged)] }))).toMatchObject({ kind: 'declined' });
  });

  it('that cannot be written is in doubt', async () => {
    const kit = await createKit({ query: [held()] });
    kit.disk.writable = false;
    expect(await sell(kit)).toMatchObject({ kind: 'unknown' });
  });

  it('that has no end within three minutes is in doubt, and asked for ever less', async () => {
    const kit = await createKit();
    const before = kit.clock.elapsed();
    expect(await sell(kit)).toMatchObject({ kind: 'unknown' });
    expect(kit.clock.elapsed() - before).toBeGreaterThanOrEqual(180_000);
    const queries = count(kit, 'query');
    expect(await lookUp(kit)).toMatchObject({ kind: 'unavailable' });
    // Every 30 s for the seven minutes that are left of ten.
    expect(count(kit, 'query') - queries).toBeLessThan(20);
  });

  it('is in doubt when three questions in a row get no answer', async () => {
    const kit = await createKit({ query: [pending, lost, lost, pending, lost, refused, lost] });
    expect(await sell(kit)).toMatchObject({ kind: 'unknown' });
    expect(count(kit, 'query')).toBe(7);
  });
});

describe('a sale whose time ran out at the terminal', () => {
  const card = held({ payResult: -1, payMethod: 1 });
  const code = held({ payResult: -1, payMethod: 4 });
  const nothing = held({ payResult: -1, payMethod: null, transactionType: null });

  it('moved no money where a card was to pay, and the terminal says so twice', async () => {
    const kit = await createKit({ query: [pending, card] });
    expect(await sell(kit)).toMatchObject({ kind: 'cancelled', reason: 'Time ran out at the terminal' });
    expect(count(kit, 'query')).toBeGreaterThan(2);
    const after = await createKit({ query: [card, held()] });
    expect(await sell(after)).toMatchObject({ kind: 'done' });
  });

  it.each([
    ['a QR code', code],
    ['nobody knows what', nothing],
  ])('may still be paid where it was %s', async (_what, timedOut) => {
    const paid = await createKit({ query: [timedOut, timedOut, timedOut, held({ payMethod: 4 })] });
    expect(await sell(paid)).toMatchObject({ kind: 'done' });
    const never = await createKit({ query: [timedOut] });
    expect(await sell(never)).toMatchObject({ kind: 'unknown' });
    const before = never.clock.elapsed();
    expect(await lookUp(never)).toMatchObject({ kind: 'unavailable' });
    expect(never.clock.elapsed() - before).toBeGreaterThan(400_000);
  });
});

describe('a sale that is to be stopped', () => {
  async function stopping(script: Script) {
    const kit = await createKit(script);
    const selling = kit.driver.sale(order, kit.watch);
    await kit.clock.advance(3_000);
    kit.driver.cancel();
    return { kit, answer: await kit.run(selling) };
  }
  const cancelled = held({ payResult: 5 });

  it('is cancelled once the terminal says so of the sale, and not of the wish', async () => {
    const { kit, answer } = await stopping({ query: [pending, pending, pending, pending, cancelled] });
    expect(answer).toMatchObject({ kind: 'cancelled', by: 'cashier' });
    expect(count(kit, `close ${number}`)).toBe(1);
    expect(count(kit, 'query')).toBe(5);
  });

  it.each([
    ['a QR code was paid all the same', code(10_000)],
    ['it had already ended', code(20_010)],
    ['the code is closed, but may be paid', code(20_017)],
  ])('is done where %s', async (_what, close) => {
    const { answer } = await stopping({ close: [close], query: [pending, pending, pending, held()] });
    expect(answer).toMatchObject({ kind: 'done' });
  });

  it('is told again to a terminal whose answer got lost', async () => {
    const { kit, answer } = await stopping({
      close: [lost, code(50_002), code(10_000)],
      query: [pending, pending, pending, pending, pending, cancelled],
    });
    expect(answer).toMatchObject({ kind: 'cancelled' });
    expect(count(kit, 'close')).toBe(3);
  });

  it('has to be stopped at the terminal where that says so', async () => {
    const { kit } = await stopping({ close: [code(20_019)], query: [pending, pending, pending, cancelled] });
    expect(kit.progress).toEqual(['The transaction must be stopped at the terminal']);
    expect(count(kit, 'close')).toBe(1);
  });

  it('before it was sent is not sent', async () => {
    const kit = await createKit();
    const polling = kit.driver.probe();
    const selling = kit.driver.sale(order, kit.watch);
    kit.driver.cancel();
    await kit.run(polling);
    expect(await kit.run(selling)).toMatchObject({ kind: 'cancelled', by: 'cashier' });
    expect(count(kit, 'sale')).toBe(0);
  });

  it('is not the one that ran before', async () => {
    const kit = await createKit({ query: [held()] });
    await sell(kit);
    kit.driver.cancel();
    await kit.clock.advance(5_000);
    expect(count(kit, 'close')).toBe(0);
  });
});

describe('a void', () => {
  it('is a transaction of its own, and names the sale', async () => {
    const kit = await createKit({ query: [voided({ payResult: 1, transactionType: null }), voided()] });
    expect(await reverse(kit)).toMatchObject({
      kind: 'done',
      record: { kind: 'reversal', amountMinor: 12_000 },
    });
    expect(kit.seen.slice(1)).toEqual([`void ${voidNumber}`, `query ${voidNumber}`, `query ${voidNumber}`]);
    expect(JSON.parse(kit.bodies[1] ?? '')).toEqual({ outTradeNo: voidNumber, originOutTradeNo: number });
  });

  it.each([20_005, 20_006, 20_007, 20_012, 20_018, 50_002])(
    'refused with %i has not started',
    async (number) => {
      expect(await reverse(await createKit({ void: [code(number)] }))).toMatchObject({
        kind: 'not_started',
        refusedByTerminal: true,
      });
    },
  );

  it('of what was given back already is a person’s to decide', async () => {
    const kit = await createKit({ void: [code(20_024)] });
    expect(await reverse(kit)).toMatchObject({ kind: 'unknown' });
    // Also for the bridge that comes after this one: that the terminal holds no such void does not make the payment stand.
    const [result = null] = kit.disk.results;
    expect(result).toMatchObject({ kind: 'reversal', approved: false, resultCode: '20024' });
    const operation = { ...inDoubt().operation, kind: 'void' } as OperationInDoubt['operation'];
    const left = { operation, result, acknowledged: false, showsRecords: false };
    const found = kit.protocol.reconcile(left, { protocol: 'kpay', terminalId: null }, { kind: 'empty' });
    expect(found).toMatchObject({ kind: 'needs_decision' });
  });

  it('that failed leaves the payment as it is; one that is no void proves nothing', async () => {
    expect(await reverse(await createKit({ query: [voided({ payResult: 3 })] }))).toMatchObject({
      kind: 'declined',
    });
    for (const part of [{ transactionType: 1 }, { amountMinor: 100 }])
      expect(await reverse(await createKit({ query: [voided(part)] }))).toMatchObject({ kind: 'unknown' });
  });

  it('whose answer was lost is asked for by its own number', async () => {
    const kit = await createKit({ void: [lost], query: [voided()] });
    expect(await reverse(kit)).toMatchObject({ kind: 'done' });
    expect(count(kit, `void ${voidNumber}`)).toBe(1);
  });
});

describe('a settlement', () => {
  const open = batch(12_000);
  const shown = (...answers: readonly ReturnType<typeof code>[]): Script => ({ query_settlement: answers });
  const [none, empty] = [code(50_011), code(50_012)];

  it.each<[string, Script]>([
    ['where there was none before', shown(none, open, batch(12_000))],
    ['other than the one before', shown(batch(500), open, batch(12_000))],
    ['that takes its time', shown(batch(500), open, batch(500), open, batch(500), open, batch(12_000))],
    ['that looks like the one before, when nothing is open any more', shown(open, open, open, empty)],
  ])('is done once the terminal shows a settled batch %s', async (_what, script) => {
    expect(await settle(await createKit(script))).toMatchObject({
      kind: 'done',
      record: { kind: 'batch_close', approved: true, amountMinor: null },
    });
  });

  it('whose answer was lost is done where the terminal shows it', async () => {
    const kit = await createKit({ ...shown(none, open, batch(12_000)), settle: [lost] });
    expect(await settle(kit)).toMatchObject({ kind: 'done' });
    expect(count(kit, 'settle')).toBe(1);
  });

  it('is done by another settled batch alone only where the terminal tells of no open one, and has taken the request', async () => {
    const untold = shown(batch(500), code(50_001), batch(12_000));
    expect(await settle(await createKit(untold))).toMatchObject({ kind: 'done' });
    expect(await settle(await createKit({ ...untold, settle: [lost] }))).toMatchObject({ kind: 'unknown' });
    // What is open is told, and still there.
    const told = shown(batch(500), open, batch(777));
    expect(await settle(await createKit(told))).toMatchObject({ kind: 'unknown' });
  });

  it('whose second copy finds nothing to settle was done by the first, which came too fast', async () => {
    const script = { ...shown(none, open, batch(12_000)), settle: [code(50_004), code(50_012)] };
    expect(await settle(await createKit(script))).toMatchObject({
      kind: 'done',
      record: { amountMinor: null },
    });
    const nothing = { ...shown(none, empty), settle: [code(50_004), code(50_012)] };
    expect(await settle(await createKit(nothing))).toMatchObject({
      kind: 'done',
      record: { amountMinor: 0 },
    });
  });

  describe('of a batch whose newest payment is known', () => {
    const close = (kit: Kit) =>
      kit.run(
        kit.driver.closeBatch({ currency: 'HKD', terminalId: 'KP0000000001', newest: 'NEWEST' }, kit.watch),
      );
    const its = held({ outTradeNo: 'NEWEST' });

    it('is asked of the terminal that has it', async () => {
      const kit = await createKit({ ...shown(none, open, batch(12_000)), query: [its] });
      expect(await close(kit)).toMatchObject({ kind: 'done' });
      expect(kit.seen.indexOf('query NEWEST')).toBe(kit.seen.indexOf('settle') - 1);
    });

    it.each([
      ['does not know it', code(20_005), 'does not know the newest payment'],
      ['calls itself by another id', held({ outTradeNo: 'NEWEST', deviceId: 'KP2' }), 'Another terminal'],
      ['is busy', code(50_002), 'busy'],
      ['has another trouble', code(40_007), 'application id'],
      ['does not answer', lost, 'the answer broke off'],
    ])('is asked of no terminal that %s', async (_what, answer, words) => {
      const kit = await createKit({ ...shown(none, open, batch(12_000)), query: [answer] });
      expect(await close(kit)).toMatchObject({ kind: 'not_started', reason: expect.stringContaining(words) });
      expect(count(kit, 'settle')).toBe(0);
    });

    const gone = code(40_004);
    const unknownToIt = code(20_005);

    it('is done though it ends the keys, once the terminal has shown that it is still the same one', async () => {
      const kit = await createKit({
        ...shown(none, open, gone, batch(12_000)),
        query: [its, lost, its],
        settle: [lost],
      });
      expect(await close(kit)).toMatchObject({ kind: 'done' });
      // Without another word of the terminal about it, only where it took the request, and what it settled reads the same.
      const forgets = { ...shown(none, open, gone, batch(12_000)), query: [its, unknownToIt] };
      expect(await close(await createKit(forgets))).toMatchObject({ kind: 'done' });
    });

    it.each<[string, Script]>([
      ['a settled batch of its own', { ...shown(none, open, gone, batch(777)), settle: [lost] }],
      ['a settled batch that reads the same', { ...shown(none, open, gone, open), settle: [lost] }],
      ['an empty batch', { ...shown(none, open, gone, none, empty), settle: [lost] }],
      ['another batch, after it was taken', shown(none, open, gone, batch(777))],
      [
        'its own, when the second copy was refused',
        { ...shown(none, open, gone, batch(777)), settle: [code(50_004), gone] },
      ],
    ])('is in doubt where a terminal that may be another one shows %s', async (_what, script) => {
      const kit = await createKit({ ...script, query: [its, unknownToIt] });
      expect(await close(kit)).toMatchObject({
        kind: 'unknown',
        reason: expect.stringContaining('new sign-in'),
      });
      expect(kit.disk.results).toEqual([]);
    });

    it('is not sent when the terminal asked for a new sign-in since it showed what was settled before', async () => {
      const kit = await createKit({ ...shown(batch(777), gone, open, open), query: [its], settle: [lost] });
      expect(await close(kit)).toMatchObject({
        kind: 'not_started',
        reason: expect.stringContaining('new sign-in'),
      });
      expect(count(kit, 'settle')).toBe(0);
    });

    it('is not asked again of a terminal that has forgotten the keys since', async () => {
      const never = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? none : open));
      const kit = await createKit({ ...shown(...never), query: [its], settle: [code(40_004)] });
      expect(await close(kit)).toMatchObject({ kind: 'unknown' });
      expect(count(kit, 'settle')).toBe(1);
    });

    it('is done where a copy that came before has ended the keys, and the terminal shows it', async () => {
      const script = { ...shown(none, open, batch(12_000)), query: [its], settle: [code(40_004)] };
      const kit = await createKit(script);
      expect(await close(kit)).toMatchObject({ kind: 'done' });
      expect(count(kit, 'settle')).toBe(1);
    });
  });

  describe('asks for each payment before, the newest first,', () => {
    const close = (kit: Kit, unsettled: readonly string[]) =>
      kit.run(
        kit.driver.closeBatch(
          { currency: 'HKD', terminalId: 'KP0000000001', newest: unsettled.at(-1), unsettled },
          kit.watch,
        ),
      );
    const of = (outTradeNo: string, part: Parameters<typeof held>[0] = {}) => held({ outTradeNo, ...part });
    const settling = shown(none, open, batch(12_000));

    const undone = { undone: [{ terminalReference: 'OLD' }], differing: [], untold: [] };
    const untold = { undone: [], differing: [], untold: ['OLD'] };
    it.each<[string, ReturnType<typeof held>, object]>([
      ['returned', of('OLD', { payResult: 4 }), undone],
      ['cancelled', of('OLD', { payResult: 5 }), undone],
      ['failed', of('OLD', { payResult: 3 }), undone],
      ['a void', of('OLD', { transactionType: 6 }), undone],
      ['pending', of('OLD', { payResult: 1 }), untold],
      ['a tip', of('OLD', { transactionType: 7 }), untold],
      ['another one', of('OTHER'), untold],
      ['unknown to it', code(20_005), untold],
    ])('and tells of one that is %s', async (_what, old, found) => {
      const kit = await createKit({ ...settling, query: [of('NEW'), of('NEW'), old, of('NEW')] });
      expect(await close(kit, ['OLD', 'NEW'])).toMatchObject({ kind: 'done' });
      expect(kit.notInBatch).toMatchObject([found]);
    });

    describe('at what amount it holds it,', () => {
      const asked = { askedMinor: 12_000, takenMinor: 12_000, currency: 'HKD' } as const;
      const told = async (part: Parameters<typeof held>[0], paid: PaidAmount = asked) => {
        const kit = await createKit({ ...settling, query: [of('NEW', part)] });
        const order = { currency: 'HKD', terminalId: 'KP0000000001', newest: 'NEW' } as const;
        const amounts = { NEW: paid };
        const answer = await kit.run(
          kit.driver.closeBatch({ ...order, unsettled: ['NEW'], amounts }, kit.watch),
        );
        expect(answer).toMatchObject({ kind: 'done' });
        return kit.notInBatch;
      };

      it.each<[string, Parameters<typeof held>[0], object]>([
        ['more', { amountMinor: 15_000 }, { amountMinor: 15_000, currency: 'HKD' }],
        ['less', { amountMinor: 11_000 }, { amountMinor: 11_000 }],
        ['a tip on top', { tipsMinor: 3_000 }, { amountMinor: 15_000 }],
        ['another currency', { currency: 'SGD' }, { amountMinor: 12_000, currency: 'SGD' }],
      ])('and tells of %s', async (_what, part, record) => {
        expect(await told(part)).toMatchObject([
          {
            undone: [],
            differing: [{ terminalReference: 'NEW', record: { kind: 'payment', ...record } }],
            untold: [],
          },
        ]);
      });

      it.each<[string, Parameters<typeof held>[0], PaidAmount]>([
        ['the same', {}, asked],
        ['none', { amountMinor: null, currency: null }, asked],
        ['the tip of its result', { tipsMinor: 3_000 }, { ...asked, takenMinor: 15_000 }],
        ['that in the sum', { amountMinor: 15_000, tipsMinor: 3_000 }, { ...asked, takenMinor: 15_000 }],
      ])('and says nothing of %s', async (_what, part, paid) => {
        expect(await told(part, paid)).toEqual([]);
      });
    });

    it('and of none where all of them stand', async () => {
      const kit = await createKit({ ...settling, query: [of('NEW'), of('NEW'), of('OLD'), of('NEW')] });
      expect(await close(kit, ['OLD', 'NEW'])).toMatchObject({ kind: 'done' });
      expect([kit.notInBatch, kit.progress]).toEqual([[], [expect.stringContaining('each payment')]]);
    });

    it('and does not settle what cannot be written down', async () => {
      const kit = await createKit({ ...settling, query: [of('NEW', { payResult: 4 })] });
      kit.disk.writable = false;
      expect(await close(kit, ['NEW'])).toMatchObject({ kind: 'not_started' });
      expect(count(kit, 'settle')).toBe(0);
    });

    it('again where the answer is lost, and does not settle without one', async () => {
      const once = await createKit({ ...settling, query: [lost, code(50_002), of('NEW')] });
      expect(await close(once, ['NEW'])).toMatchObject({ kind: 'done' });
      const never = await createKit({ ...settling, query: [lost] });
      expect(await close(never, ['NEW'])).toMatchObject({ kind: 'not_started' });
      expect([count(never, 'query NEW'), count(never, 'settle')]).toEqual([3, 0]);
    });

    it('within bounds: nothing is known of those beyond them', async () => {
      const numbers = Array.from({ length: 502 }, (_, at) => `P${at}`);
      const newest = numbers.toReversed();
      const query = [of('P501'), ...newest.slice(0, 500).map((number) => of(number)), of('P501')];
      const kit = await createKit({ ...settling, query });
      expect(await close(kit, numbers)).toMatchObject({ kind: 'done' });
      expect(kit.notInBatch).toEqual([{ undone: [], differing: [], untold: ['P1', 'P0'] }]);
    });
  });

  it('is asked of no terminal where payments are not settled and none of them can be asked for', async () => {
    const kit = await createKit(shown(none, open, batch(12_000)));
    const order = { currency: 'HKD', terminalId: null, othersUnsettled: true } as const;
    expect(await kit.run(kit.driver.closeBatch(order, kit.watch))).toMatchObject({ kind: 'not_started' });
    expect(count(kit, 'settle')).toBe(0);
  });

  it('of a batch without a payment of ours is in doubt where the terminal may be another one', async () => {
    const script = { ...shown(none, open, code(40_004), batch(777)), settle: [lost] };
    expect(await settle(await createKit(script))).toMatchObject({ kind: 'unknown' });
  });

  it('is in doubt where the terminal shows none within a minute', async () => {
    const kit = await createKit(shown(batch(500), open, batch(500), open, batch(500), open));
    const script: Script = { query_settlement: [batch(500)] };
    expect(await settle(await createKit(script))).toMatchObject({ kind: 'unknown' });
    expect(kit.disk.results).toEqual([]);
  });

  it.each([
    [50_012, { kind: 'done', record: { amountMinor: 0, currency: 'HKD' } }],
    [50_010, { kind: 'declined' }],
    [50_002, { kind: 'not_started', refusedByTerminal: true }],
  ])('answered with %i', async (number, answer) => {
    expect(await settle(await createKit({ settle: [code(number)] }))).toMatchObject(answer);
  });
});

describe('in doubt, on a conversation that did not send it,', () => {
  it.each<[string, Parameters<typeof held>[0], boolean]>([
    ['approved', {}, true],
    ['refused', { payResult: 3 }, false],
    ['cancelled', { payResult: 4 }, false],
  ])('a sale is what the terminal holds under its number: %s', async (_what, part, isApproved) => {
    const kit = await createKit({ query: [pending, held(part)] });
    expect(await lookUp(kit)).toMatchObject({ kind: 'record', record: { approved: isApproved } });
  });

  it('a sale that the terminal does not know never started, if it knows an earlier one', async () => {
    const known = await createKit({ query: [code(20_005), code(20_005), held({ outTradeNo: 'EARLIER' })] });
    const before = known.clock.elapsed();
    // A machine that asks each second meets a terminal that is asked each ten.
    const found = await (async () => {
      for (;;) {
        const one = await known.run(known.driver.lookUp?.(inDoubt('EARLIER')));
        if (one.kind !== 'pending') return one;
        await known.clock.advance(10_000);
      }
    })();
    expect(found).toEqual({ kind: 'empty' });
    expect(known.seen.at(-1)).toBe('query EARLIER');
    expect(known.clock.elapsed() - before).toBeGreaterThanOrEqual(10_000);
  });

  it.each([
    ['none is known', undefined],
    ['it does not know an earlier one, either: another terminal, or a new memory', 'EARLIER'],
  ])('a sale that the terminal does not know is a person’s where %s', async (_what, anchor) => {
    const kit = await createKit({ query: [code(20_005)] });
    expect(await lookUp(kit, anchor)).toMatchObject({ kind: 'unavailable' });
  });

  it('a void goes the same way', async () => {
    expect(await lookUp(await createKit({ query: [voided()] }), undefined, 'void')).toMatchObject({
      kind: 'record',
      record: { kind: 'reversal', approved: true },
    });
  });

  it.each<[string, Script, number, string]>([
    [
      'nothing is open, on the terminal that it was',
      { query: [held({ outTradeNo: 'EARLIER' })], query_settlement: [code(50_012)] },
      1,
      'record',
    ],
    [
      'nothing is open, on some terminal',
      { query: [code(20_005)], query_settlement: [code(50_012)] },
      1,
      'unavailable',
    ],
    [
      'nothing is open, and nothing was',
      { query: [held({ outTradeNo: 'EARLIER' })], query_settlement: [code(50_012)] },
      0,
      'unavailable',
    ],
    [
      'a batch is open, of this day or the next',
      { query: [held({ outTradeNo: 'EARLIER' })], query_settlement: [batch(12_000)] },
      1,
      'unavailable',
    ],
    ['the terminal does not tell', { query_settlement: [code(50_001)] }, 1, 'unavailable'],
  ])('a settlement where %s', async (what, script, expected, kind) => {
    const kit = await createKit(script);
    const operation = batchStarted({ currency: 'HKD', expected: { count: expected, totalMinor: 0 } });
    const doubt = {
      operation,
      result: null,
      acknowledged: false,
      showsRecords: false,
      anchor: 'EARLIER',
    };
    const ask = () => kit.run(kit.driver.lookUp?.(doubt));
    // It may still be at it.
    if (what.startsWith('a batch')) expect((await ask()).kind).toBe('pending');
    await kit.clock.advance(60_000);
    expect((await ask()).kind).toBe(kind);
  });
});

describe('a terminal in Hong Kong', () => {
  it('takes three currencies, and no void of what was paid by Octopus', async () => {
    const { protocol } = await createKit();
    const refusal = (currency: 'HKD' | 'EUR') => protocol.refuseSale?.({ amountMinor: 100, currency });
    expect([refusal('HKD'), refusal('EUR')]).toEqual([null, expect.stringContaining('HKD, SGD, AUD')]);
    const paid = await createKit({ query: [held({ payMethod: 11 })] });
    const answer = await sell(paid);
    if (answer.kind !== 'done') throw new Error('it was not paid');
    const shown = { kind: 'unavailable', reason: '' } as const;
    expect(protocol.refuseVoid?.(answer.record, shown)).toContain('Octopus');
    expect(protocol.refuseVoid?.({ ...answer.record, schemeGroup: 'visa' }, shown)).toBeNull();
  });
});

describe('the log', () => {
  it('has every message in words, and neither secret nor key nor card number', async () => {
    const lines: string[] = [];
    const log = createNotingLog(
      (_level, message, fields) => void lines.push(JSON.stringify([message, fields])),
    );
    const kit = await createKit({ query: [pending, held({ maskedCardNumber: '4111111111111111' })] }, log);
    await sell(kit);
    const written = lines.join('\n');
    for (const said of ['"to terminal: sign-in"', '"to terminal: sale"', `outTradeNo=${number}`, '"120.00"'])
      expect(written).toContain(said);
    const { appPrivateKey, platformPublicKey } = kpayKeys;
    for (const secret of ['test-secret-not-real', appPrivateKey, platformPublicKey, '411111111111']) {
      expect(written).not.toContain(secret);
      const start = Buffer.from(secret.slice(0, 8));
      expect(written).not.toContain(start.toString('hex').replace(/..(?!$)/g, '$&:'));
    }
  });
});
