/** The ECR-EDC driver: what goes over the line, and what each answer, silence and damage comes to. */
import { describe, expect, it } from 'vitest';
import { createMemoryPair } from '../../../../src/bridge/lines/memory.ts';
import { createEcrEdcProtocol } from '../../../../src/bridge/terminals/ecr-edc/index.ts';
import { createFrameParser, decodeMessage } from '../../../../src/bridge/terminals/ecr-edc/wire/index.ts';
import { silentLog } from '../../../../src/log/log.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';
import { lineProtocol, settingsWith } from '../../capture/recording.ts';
import { watchDriver } from '../driver-watch.ts';
import {
  approval,
  createKit,
  frameOf,
  inDoubt,
  lookUp,
  order,
  reference1,
  withReference,
  type Kit,
  type Play,
  type Terminal,
} from './driver-kit.ts';

type Say = Parameters<Terminal['say']>;
const silent: Play = () => {};
const acking: Play = (terminal) => terminal.ack();
const answering =
  (...said: Say): Play =>
  (terminal) => {
    terminal.ack();
    terminal.say(...said);
  };
const sell = (kit: Kit, more = {}) =>
  kit.clock.run(kit.driver.sale({ ...order, ...more }, kit.watch), 'the sale', 20 * 60_000);
const requests = (kit: Kit) => kit.seen.filter((one) => !['ACK', 'NAK'].includes(one));
const protocolOf = (profile?: string) =>
  createEcrEdcProtocol({
    ...(profile === undefined ? {} : { profile }),
    currency: 'THB',
    clock: createVirtualClock(),
    log: silentLog,
  });

describe('the protocol', () => {
  it('is that of the profile: what can be asked, stopped and taken', () => {
    const [generic, kbtg] = [protocolOf(), protocolOf('kbtg')];
    expect([generic.terminalReferenceLength, kbtg.terminalReferenceLength]).toEqual([undefined, 12]);
    expect([generic.cannotCancel === undefined, kbtg.cannotCancel]).toEqual([false, undefined]);
    expect(generic.hasNoLastRecord && kbtg.hasNoLastRecord).toBe(true);
    expect(generic.refuseSale?.({ amountMinor: 100, currency: 'MYR' })).toBeNull();
    expect(generic.refuseSale?.({ amountMinor: 100, currency: 'JPY' })).toContain('two decimals');
    expect(kbtg.refuseSale?.({ amountMinor: 100, currency: 'THB' })).toBeNull();
    expect(kbtg.refuseSale?.({ amountMinor: 100, currency: 'MYR' })).toContain('THB');
  });

  it.each(['ktb', 'none'])('drives no terminal by the profile %s', (profile) => {
    expect(() => protocolOf(profile)).toThrow(profile);
  });

  it.each([
    ['kbtg', 7, '6000000007'],
    ['kbtg', undefined, '6000000000'],
    ['generic', 7, '6000000000'],
  ])('of %s with the device %s has the header %s', async (profile, device, header) => {
    const settings = settingsWith({ protocol: 'ecr-edc', currency: 'THB', 'ecr-edc': { profile, device } });
    const clock = createVirtualClock();
    const [near, far] = createMemoryPair();
    const headers: string[] = [];
    const parser = createFrameParser(false);
    far.onData((bytes) => {
      for (const event of parser.push(bytes))
        if (event.kind === 'message') headers.push(decodeMessage(event.message).transport);
    });
    const { owner, watch } = watchDriver();
    const driver = (await lineProtocol('ecr-edc', settings, clock)).attach(near, owner);
    await clock.run(driver.sale(order, watch), 'the sale', 20 * 60_000);
    expect(new Set(headers)).toEqual(new Set([header]));
  });

  it('voids nothing of which the terminal has told no number', async () => {
    const kit = createKit('generic', answering('20', approval), answering('20', [['01', '178570']]));
    await sell(kit);
    await sell(kit);
    const refused = kit.disk.results.map((record) =>
      protocolOf().refuseVoid?.(record, { kind: 'unavailable', reason: '' }),
    );
    expect(refused).toEqual([null, expect.stringContaining('no invoice number')]);
  });

  it('voids nothing whose number the terminal has given to a later payment', async () => {
    const kit = createKit('generic', answering('20', approval));
    await sell(kit);
    const refused = kit.disk.results.map((record) =>
      protocolOf().refuseVoid?.(record, { kind: 'unavailable', reason: '' }, [
        { ...record, receiptNumber: '92' },
      ]),
    );
    expect(refused).toEqual([expect.stringContaining('later payment')]);
  });
});

describe('a poll', () => {
  it('of a terminal that cannot be asked says no more than that the line is open', async () => {
    const kit = createKit('generic');
    expect(await kit.clock.run(kit.driver.prepare(), 'a poll')).toMatchObject({
      kind: 'ready',
      terminal: { protocol: 'ecr-edc', terminalId: null },
      lastRecord: { kind: 'unavailable' },
    });
    expect(kit.seen).toEqual([]);
    kit.terminal.unplug();
    await kit.clock.advance(0);
    expect(await kit.clock.run(kit.driver.probe(), 'a poll')).toMatchObject({ kind: 'silent' });
  });

  it('of one that can be is a question without an amount', async () => {
    const kit = createKit(
      'kbtg',
      answering('D0'),
      answering('D0', [], { responseCode: 'NA' }),
      silent,
      silent,
      silent,
    );
    for (const kind of ['ready', 'ready', 'silent'])
      expect(await kit.clock.run(kit.driver.probe(), 'a poll')).toMatchObject({ kind });
    expect(requests(kit)).toEqual(['D0', 'D0', 'D0', 'D0', 'D0']);
  });

  it('does not wait long for a terminal that acknowledges and says no more', async () => {
    const kit = createKit('kbtg', acking);
    const began = kit.clock.elapsed();
    expect(await kit.clock.run(kit.driver.probe(), 'a poll')).toMatchObject({ kind: 'silent' });
    expect(kit.clock.elapsed() - began).toBe(30_000);
  });
});

describe.each([
  ['generic', '20', approval],
  ['kbtg', `20 ${reference1}`, withReference],
] as const)('a sale on %s', (profile, sent, fields) => {
  it('is done once the terminal says so, and acknowledged once it is on disk', async () => {
    const kit = createKit(profile, answering('20', fields));
    expect(await sell(kit)).toMatchObject({
      kind: 'done',
      record: {
        kind: 'payment',
        approved: true,
        resultCode: '00',
        amountMinor: 1_250,
        currency: 'THB',
        terminalId: '70000111',
        merchantId: '000002200123456',
        receiptNumber: '000092',
        approvalCode: '178570',
        maskedCardNumber: '****0119',
        cardScheme: 'VISA',
        schemeGroup: 'visa',
        batchNumber: '000007',
      },
    });
    await kit.clock.advance(0);
    expect(kit.seen).toEqual([sent, 'ACK']);
    expect(kit.disk.results).toHaveLength(1);
  });

  it.each([
    ['ND', 'declined'],
    ['01', 'declined'],
    ['NA', 'declined'],
    ['NB', 'declined'],
    ['Y1', 'unknown'],
    ['11', 'unknown'],
    ['CN', 'cancelled'],
    ['\0\0', 'cancelled'],
    ['TO', 'unknown'],
    ['EN', 'unknown'],
    ['\0A', 'unknown'],
  ])('with code %j is %s, whatever else it tells', async (responseCode, kind) => {
    const kit = createKit(profile, answering('20', fields, { responseCode }));
    expect(await sell(kit)).toMatchObject(kind === 'cancelled' ? { kind, by: 'customer' } : { kind });
    // What the terminal is not sure of leaves nothing that stands against what is found out later.
    expect(kit.disk.results).toMatchObject(kind === 'unknown' ? [] : [{ approved: false }]);
  });

  it('is in doubt when it was approved without an approval code', async () => {
    const kit = createKit(
      profile,
      answering(
        '20',
        fields.filter(([type]) => type !== '01'),
      ),
    );
    expect(await sell(kit)).toMatchObject({ kind: 'unknown' });
    expect(kit.disk.results).toEqual([]);
  });

  const asked: [string, string] = ['40', '000000001250'];
  const tip: [string, string] = ['41', '000000000100'];

  it.each<[string, [string, string][], string, number | null]>([
    ['the amount', [asked], 'done', 1_250],
    ['another amount', [['40', '000000001260']], 'unknown', 1_260],
    ['a lower amount', [['40', '000000001240']], 'unknown', 1_240],
    ['a tip and no amount', [tip], 'unknown', 1_350],
    ['a tip beside what was asked for', [asked, tip], 'unknown', 1_350],
    ['a tip that is in the amount', [['40', '000000001350'], tip], 'unknown', 1_350],
    ['cash paid out', [['42', '000000010000']], 'unknown', 11_250],
    ['no tip', [['41', '000000000000']], 'done', 1_250],
    ['an amount that nobody can read', [['40', '00000001250-']], 'unknown', null],
    ['a tip that nobody can read', [['41', '00000000100-']], 'unknown', null],
  ])('that tells %s', async (_what, more, kind, amountMinor) => {
    const kit = createKit(profile, answering('20', [...fields, ...more]));
    expect((await sell(kit)).kind).toBe(kind);
    // What is kept is what was taken, so that it is not taken for what was asked for later.
    expect(kit.disk.results).toMatchObject([{ approved: true, amountMinor }]);
    const [result = null] = kit.disk.results;
    const nothing = { kind: 'unavailable', reason: '' } as const;
    expect(
      protocolOf(profile).reconcile(
        inDoubt('sale', result),
        { protocol: 'ecr-edc', terminalId: null },
        nothing,
      ),
    ).toMatchObject({ kind: kind === 'done' ? 'done' : 'needs_decision' });
  });

  it.each([
    ['beside the amount', [asked, tip]],
    ['alone', [tip]],
    ['in the amount', [['40', '000000001350'] as [string, string], tip]],
  ])('takes more where tips are allowed, told %s', async (_where, more) => {
    const kit = createKit(profile, answering('20', [...fields, ...more]));
    expect(await sell(kit, { maxAmountMinor: 1_500 })).toMatchObject({
      kind: 'done',
      record: { amountMinor: 1_350 },
    });
  });

  it('goes out once, whatever the silence', async () => {
    const kit = createKit(profile, silent);
    expect((await sell(kit)).kind).toBe('unknown');
    await kit.clock.advance(600_000);
    expect(kit.seen).toEqual([sent]);
  });

  it('goes out again after a NAK, three times in all', async () => {
    const refuse: Play = (terminal) => terminal.nak();
    const kit = createKit(profile, refuse, refuse, refuse);
    expect((await sell(kit)).kind).toBe('unknown');
    expect(kit.seen).toEqual([sent, sent, sent]);
  });

  it('has its response sent again where that was damaged', async () => {
    const damaged = frameOf('20', fields);
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    const kit = createKit(profile, (terminal) => {
      terminal.ack();
      terminal.bytes(damaged);
    });
    const answer = sell(kit);
    await kit.clock.advance(100);
    expect(kit.seen).toEqual([sent, 'NAK']);
    kit.terminal.say('20', fields);
    expect((await answer).kind).toBe('done');
  });

  it('that cannot be written is not acknowledged, and in doubt', async () => {
    const kit = createKit(profile, answering('20', fields));
    kit.disk.writable = false;
    expect((await sell(kit)).kind).toBe('unknown');
    await kit.clock.advance(0);
    expect(kit.seen).toEqual([sent]);
  });

  it('whose response comes again is acknowledged again, and booked once', async () => {
    const kit = createKit(profile, answering('20', fields));
    await sell(kit);
    kit.terminal.say('20', fields);
    await kit.clock.advance(10);
    expect(kit.seen).toEqual([sent, 'ACK', 'ACK']);
    expect([kit.disk.results.length, kit.late.results.length]).toEqual([1, 0]);
  });

  it('is in doubt when the cable is pulled behind the ACK, and not started where it was out before', async () => {
    const kit = createKit(profile, (terminal) => {
      terminal.ack();
      terminal.unplug();
    });
    expect((await sell(kit)).kind).toBe('unknown');
    expect(await sell(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
    expect(kit.seen).toEqual([sent]);
  });

  it('is offered the answer that comes when nobody waits for it any more', async () => {
    const kit = createKit(profile, silent);
    await sell(kit);
    kit.late.adopt = true;
    kit.terminal.say('20', fields);
    await kit.clock.advance(10);
    // With the amount: the terminal does not tell it, and it decides whose answer it is.
    expect(kit.late.results).toMatchObject([{ approved: true, amountMinor: 1_250, receiptNumber: '000092' }]);
    expect(kit.seen).toEqual([sent, 'ACK']);
    // Which payment it is of, it says only by the reference.
    const ofOurs = profile === 'kbtg' ? [true, false] : [undefined, undefined];
    const { isKeptUnder } = kit.late;
    expect([order.terminalReference, 'ZZZZZZZZZZZZ'].map((ours) => isKeptUnder?.(ours))).toEqual(ofOurs);
  });

  it('is not offered an answer that decides nothing', async () => {
    const kit = createKit(profile, silent);
    await sell(kit);
    kit.terminal.say('20', [...fields, ['40', '000000009999']]);
    kit.terminal.say('20', fields, { responseCode: 'TO' });
    await kit.clock.advance(10);
    expect(kit.late.results).toEqual([]);
  });

  it('leaves no card data in the log, though the terminal sends it whole', async () => {
    const kit = createKit(profile, answering('20', fields));
    await sell(kit);
    const log = kit.logged.join('\n');
    expect(log).toContain('from terminal: payment');
    expect(log).toContain('•••• 0119');
    for (const secret of ['4761739001010119', '34:37:36:31:37:33', 'SOMCHAI', '2512', '32:35:31:32'])
      expect(log).not.toContain(secret);
  });
});

describe('an answer that nothing of ours waits for', () => {
  it('is not acknowledged where it tells of money, and is said', async () => {
    const kit = createKit('generic');
    kit.terminal.say('20', approval);
    kit.terminal.say('50');
    await kit.clock.advance(10);
    expect(kit.seen).toEqual([]);
    // Whose it is nobody says, and a refusal would not matter.
    expect(kit.late.results).toMatchObject([{ approved: true, amountMinor: null, receiptNumber: '000092' }]);
    expect(kit.late.isKeptUnder).toBeUndefined();
    expect(kit.logged.filter((line) => line.includes('nothing that the bridge waits for'))).toHaveLength(2);
  });

  it('is nobody’s matter where it is a refusal, or not sure', async () => {
    const kit = createKit('generic');
    kit.terminal.say('20', approval, { responseCode: 'ND' });
    kit.terminal.say('20', approval, { responseCode: 'TO' });
    await kit.clock.advance(10);
    expect([kit.seen, kit.late.results]).toEqual([[], []]);
  });

  it('is acknowledged where it moves none', async () => {
    const kit = createKit('generic');
    kit.terminal.say('D0', [], { requestResponse: '0' });
    await kit.clock.advance(10);
    expect(kit.seen).toEqual(['ACK']);
  });

  it('belongs to a sale of an earlier connection once that was looked up', async () => {
    const kit = createKit('generic');
    await lookUp(kit);
    kit.terminal.say('20', approval);
    await kit.clock.advance(10);
    expect(kit.late.results).toMatchObject([{ approved: true, amountMinor: 1_250 }]);
  });
});

describe('a sale on kbtg', () => {
  it('tells what the terminal waits for', async () => {
    const kit = createKit('kbtg', (terminal) => {
      terminal.ack();
      for (const notice of ['C0', 'P1', 'P2']) terminal.say(notice, [], { more: '1' });
      terminal.say('20', withReference, { more: '1' });
    });
    expect((await sell(kit)).kind).toBe('done');
    expect(kit.progress).toEqual(['Waiting for the card', 'Waiting for the PIN', 'PIN entered']);
  });

  it('takes the answer with another reference for none of its own', async () => {
    const kit = createKit('kbtg', (terminal) => {
      terminal.ack();
      terminal.say('20', [...approval, ['R1', 'TILLBRDGZZZZZZZZZZZZ']]);
      terminal.say('20', withReference, { responseCode: 'ND' });
    });
    expect((await sell(kit)).kind).toBe('declined');
    expect(kit.disk.results).toMatchObject([{ approved: false }]);
    // It may be that of an earlier payment, which somebody has decided meanwhile. The amount is not told.
    expect(kit.late.results).toMatchObject([{ approved: true, amountMinor: null, receiptNumber: '000092' }]);
    const isOf = (ours: string) => kit.late.isKeptUnder?.(ours);
    expect(['ZZZZZZZZZZZZ', order.terminalReference].map(isOf)).toEqual([true, false]);
  });

  it('leaves the late answer to another to that one', async () => {
    const kit = createKit('kbtg', silent);
    await sell(kit);
    kit.terminal.say('20', [...approval, ['R1', 'TILLBRDGZZZZZZZZZZZZ']]);
    await kit.clock.advance(10);
    expect([requests(kit), kit.seen.length]).toEqual([[`20 ${reference1}`], 1]);
    expect(kit.late.isKeptUnder?.(order.terminalReference)).toBe(false);
    // One that the terminal is not sure of says nothing of anybody.
    kit.terminal.say('20', [...approval, ['R1', 'TILLBRDGZZZZZZZZZZZZ']], { responseCode: 'TO' });
    await kit.clock.advance(10);
    expect(kit.late.results).toHaveLength(1);
  });

  it('has been looked at by the terminal where a late answer names it, though that decides nothing', async () => {
    const kit = createKit('kbtg', silent, silent, silent, silent, answering('74', withReference));
    await sell(kit);
    kit.terminal.say('20', withReference, { responseCode: 'TO' });
    await kit.clock.advance(10);
    expect((await lookUp(kit)).kind).not.toBe('pending');
  });

  it('takes its own answer before the ACK, though an earlier one may be owed', async () => {
    const kit = createKit('kbtg', (terminal) => terminal.say('20', withReference));
    expect((await sell(kit)).kind).toBe('done');
  });

  it('can be stopped, and was stopped by the cashier', async () => {
    const kit = createKit('kbtg', acking, (terminal) => {
      terminal.ack();
      terminal.say('D1', [], { responseCode: '\0\0' });
      terminal.say('20', [], { responseCode: '\0\0' });
    });
    const answer = sell(kit);
    await kit.clock.advance(1_000);
    kit.driver.cancel();
    expect(await answer).toMatchObject({ kind: 'cancelled', by: 'cashier' });
    expect(requests(kit)).toEqual([`20 ${reference1}`, 'D1']);
  });

  it('is stopped also where the cashier was faster than the question before it', async () => {
    const kit = createKit('kbtg', silent, acking, answering('20', [], { responseCode: 'CN' }));
    const poll = kit.driver.probe();
    const answer = kit.driver.sale(order, kit.watch);
    await kit.clock.advance(100);
    kit.driver.cancel();
    kit.terminal.ack();
    kit.terminal.say('D0');
    expect(await kit.clock.run(poll, 'the poll')).toMatchObject({ kind: 'ready' });
    expect(await kit.clock.run(answer, 'the sale')).toMatchObject({ kind: 'cancelled', by: 'cashier' });
    expect(requests(kit)).toEqual(['D0', `20 ${reference1}`, 'D1']);
  });

  it('that was approved all the same is done', async () => {
    const kit = createKit('kbtg', acking, answering('20', withReference));
    const answer = sell(kit);
    await kit.clock.advance(1_000);
    kit.driver.cancel();
    expect((await answer).kind).toBe('done');
  });
});

describe('a sale on generic', () => {
  it('cannot be stopped, and whoever stops it is the customer', async () => {
    const kit = createKit('generic', acking);
    const answer = sell(kit);
    await kit.clock.advance(1_000);
    kit.driver.cancel();
    await kit.clock.advance(1_000);
    kit.terminal.say('20', [], { responseCode: 'CN' });
    expect(await answer).toMatchObject({ kind: 'cancelled', by: 'customer' });
    expect(requests(kit)).toEqual(['20']);
  });
});

describe('a void', () => {
  const voidOrder = {
    amountMinor: 1_250,
    currency: 'THB',
    receiptNumber: '000092',
    traceNumber: null,
    terminalId: null,
    originalApprovalCode: '178570',
  } as const;
  const withoutId = approval.filter(([type]) => type !== '16');
  /** The terminal tells no id, and has taken the payment on this connection. */
  const paidOn = async (profile: 'generic' | 'kbtg', ...play: Play[]) => {
    const kit = createKit(profile, answering('20', withoutId), ...play);
    await sell(kit);
    await kit.clock.advance(0);
    kit.seen.splice(0);
    kit.disk.results.splice(0);
    return kit;
  };
  const reverse = (kit: Kit, more = {}) =>
    kit.clock.run(kit.driver.void({ ...voidOrder, ...more }, kit.watch), 'the void', 20 * 60_000);

  it.each(['generic', 'kbtg'] as const)('goes by the invoice number on %s', async (profile) => {
    const kit = await paidOn(
      profile,
      answering('26', [
        ['65', '92'],
        ['01', '200001'],
      ]),
    );
    expect(await reverse(kit)).toMatchObject({
      kind: 'done',
      record: { kind: 'reversal', approved: true, amountMinor: 1_250, approvalCode: '200001' },
    });
    expect(requests(kit)).toEqual(['26 000092']);
  });

  it.each([
    ['ND', 'declined'],
    ['NB', 'declined'],
    ['\0\0', 'declined'],
    ['TO', 'unknown'],
  ])('with code %j is %s', async (responseCode, kind) => {
    const kit = await paidOn('generic', answering('26', [['65', '000092']], { responseCode }));
    expect((await reverse(kit)).kind).toBe(kind);
  });

  it('is in doubt when the terminal tells of another invoice', async () => {
    const kit = await paidOn('generic', answering('26', [['65', '000093']]));
    expect((await reverse(kit)).kind).toBe('unknown');
    expect([kit.disk.results, kit.late.results]).toEqual([[], []]);
  });

  it('goes out once', async () => {
    const kit = await paidOn('generic', silent);
    expect((await reverse(kit)).kind).toBe('unknown');
    expect(kit.seen).toEqual(['26 000092']);
  });

  it.each([
    ['the terminal was connected since', []],
    ['it has taken another one under the same number since', [['01', '178571'] as [string, string]]],
  ])('of a payment without a terminal id is not sent where %s', async (_where, code) => {
    const kit = createKit(
      'generic',
      ...code.map((field) => answering('20', [...withoutId.filter(([type]) => type !== '01'), field])),
    );
    if (code.length > 0) await sell(kit);
    expect(await reverse(kit)).toMatchObject({
      kind: 'not_started',
      reason: expect.stringContaining('has not told its id') as string,
    });
    expect(requests(kit)).not.toContain('26 000092');
  });

  const reversal: [string, string][] = [
    ['65', '000092'],
    ['01', '200001'],
  ];

  it('is not sent where the terminal has not told since it was connected that it is the one of the payment', async () => {
    const kit = createKit('generic');
    expect(await reverse(kit, { terminalId: '70000111' })).toMatchObject({
      kind: 'not_started',
      reason: expect.stringContaining('has not told its id') as string,
    });
    expect(kit.seen).toEqual([]);
  });

  it('is sent to the terminal that told the payment’s id, whatever it told besides', async () => {
    const ofAnotherHost = approval.map(([type, value]): [string, string] => [
      type,
      type === '16' ? '70000222' : value,
    ]);
    const kit = createKit(
      'generic',
      answering('20', approval),
      answering('20', ofAnotherHost),
      answering('26', reversal),
    );
    await sell(kit);
    await sell(kit);
    expect((await reverse(kit, { terminalId: '70000111' })).kind).toBe('done');
  });

  it.each<[string, [string, string], number]>([
    ['another terminal', ['16', '70000112'], 0],
    ['the terminal with another amount', ['40', '000000000500'], 1],
    ['the terminal with another batch', ['50', '000008'], 0],
  ])('that is answered by %s is in doubt', async (_what, field, results) => {
    const kit = createKit('generic', answering('20', approval), answering('26', [...reversal, field]));
    await sell(kit);
    const ours = { terminalId: '70000111', originalBatchNumber: '000007' };
    expect((await reverse(kit, ours)).kind).toBe('unknown');
    expect(kit.disk.results).toHaveLength(1 + results);
  });

  describe('on kbtg, by a terminal that is asked for the payment first,', () => {
    const original = {
      terminalId: '70000111',
      originalTerminalReference: order.terminalReference,
      originalBatchNumber: '000007',
    };
    const R1: [string, string] = ['R1', reference1];

    it('is sent where it knows it', async () => {
      const kit = createKit('kbtg', answering('74', withReference), answering('26', reversal));
      expect((await reverse(kit, original)).kind).toBe('done');
      expect(requests(kit)).toEqual([`74 ${reference1}`, '26 000092']);
    });

    it.each<[string, Play]>([
      ['does not find it', answering('74', [['02', 'RECORD NOT FOUND'], R1], { responseCode: 'ND' })],
      ['says nothing', silent],
      ['does not say which payment it tells of', answering('74', approval.slice(0, 2))],
      [
        'knows it under another number',
        answering('74', [...withReference.filter(([type]) => type !== '65'), ['65', '000093']]),
      ],
      [
        'knows it in another batch',
        answering('74', [...withReference.filter(([type]) => type !== '50'), ['50', '000008']]),
      ],
      [
        'knows it with another id',
        answering('74', [...withReference.filter(([type]) => type !== '16'), ['16', '70000112']]),
      ],
    ])('is not sent where it %s', async (_what, play) => {
      const kit = createKit('kbtg', play);
      expect((await reverse(kit, original)).kind).toBe('not_started');
      expect(requests(kit).filter((one) => one.startsWith('26'))).toEqual([]);
    });

    it('is sent where its answer is not clear and it has told the payment’s id', async () => {
      const kit = createKit(
        'kbtg',
        answering('20', withReference),
        answering('74', approval),
        answering('26', reversal),
      );
      await sell(kit);
      expect((await reverse(kit, original)).kind).toBe('done');
    });
  });
});

describe('a batch close', () => {
  const close = (kit: Kit) =>
    kit.clock.run(kit.driver.closeBatch({ currency: 'THB', terminalId: null }, kit.watch), 'the close');
  const hosts =
    (...parts: [code: string, sum: string | null][]): Play =>
    (terminal) => {
      terminal.ack();
      for (const [index, [responseCode, sum]] of parts.entries())
        terminal.say('50', sum === null ? [] : [['H2', sum]], {
          responseCode,
          more: index < parts.length - 1 ? '1' : '0',
        });
    };

  it.each<[string, [string, string | null][], string, boolean | null, number | null]>([
    ['of one host', [['00', '000000002500']], 'done', true, 2_500],
    ['without a sum', [['00', null]], 'done', true, null],
    ['of nothing', [['NB', null]], 'done', true, 0],
    [
      'of two hosts',
      [
        ['00', '2500'],
        ['00', '1000'],
      ],
      'done',
      true,
      3_500,
    ],
    [
      'of two hosts, one without payments',
      [
        ['NB', null],
        ['00', '1000'],
      ],
      'done',
      true,
      1_000,
    ],
    [
      'of two hosts, one without a sum',
      [
        ['00', null],
        ['00', '1000'],
      ],
      'done',
      true,
      null,
    ],
    ['that is refused', [['ND', null]], 'declined', false, null],
    [
      'that is refused by both',
      [
        ['ND', null],
        ['NA', null],
      ],
      'declined',
      false,
      null,
    ],
    [
      'that one host refuses',
      [
        ['00', '2500'],
        ['ND', null],
      ],
      'unknown',
      null,
      null,
    ],
    [
      'that one host refuses and the other leaves open',
      [
        ['ND', null],
        ['TO', null],
      ],
      'unknown',
      null,
      null,
    ],
    ['that timed out', [['TO', null]], 'unknown', null, null],
    [
      'that timed out at one host',
      [
        ['00', '2500'],
        ['TO', null],
      ],
      'unknown',
      null,
      null,
    ],
  ])('%s', async (_what, parts, kind, approved, amountMinor) => {
    const kit = createKit('generic', hosts(...parts));
    expect((await close(kit)).kind).toBe(kind);
    expect(kit.disk.results).toMatchObject(
      approved === null ? [] : [{ kind: 'batch_close', approved, amountMinor }],
    );
    await kit.clock.advance(0);
    expect(kit.seen).toEqual(['50', ...parts.map(() => 'ACK')]);
  });

  it.each([
    ['69000041', 'done', 1],
    ['69000042', 'unknown', 0],
  ])('of terminal 69000041 that is answered by %s is %s', async (terminalId, kind, results) => {
    const kit = createKit('generic', answering('50', [['16', terminalId]]));
    const order = { currency: 'THB', terminalId: '69000041' } as const;
    expect((await kit.clock.run(kit.driver.closeBatch(order, kit.watch), 'the close')).kind).toBe(kind);
    expect(kit.disk.results).toHaveLength(results);
  });

  it.each([
    ['70000111', 'done'],
    ['70000222', 'done'],
    ['70000333', 'unknown'],
  ])('of terminal %s, of whose hosts each knows it by another id, is %s', async (terminalId, kind) => {
    const kit = createKit('generic', (terminal) => {
      terminal.ack();
      terminal.say(
        '50',
        [
          ['16', '70000111'],
          ['H2', '2500'],
        ],
        { more: '1' },
      );
      terminal.say('50', [
        ['16', '70000222'],
        ['H2', '1000'],
      ]);
    });
    const order = { currency: 'THB', terminalId } as const;
    expect((await kit.clock.run(kit.driver.closeBatch(order, kit.watch), 'the close')).kind).toBe(kind);
    expect(kit.disk.results).toMatchObject(
      kind === 'done' ? [{ approved: true, amountMinor: 3_500, terminalId }] : [],
    );
  });

  it('is whole where more was announced and does not come', async () => {
    const kit = createKit('generic', answering('50', [['H2', '2500']], { more: '1' }));
    expect(await close(kit)).toMatchObject({ kind: 'done', record: { amountMinor: 2_500 } });
  });

  it('is in doubt when the line is lost between two hosts', async () => {
    const kit = createKit('generic', (terminal) => {
      terminal.ack();
      terminal.say('50', [['H2', '2500']], { more: '1' });
      terminal.unplug();
    });
    expect((await close(kit)).kind).toBe('unknown');
    expect(kit.disk.results).toEqual([]);
  });
});

describe('what is in doubt on generic', () => {
  it('is nobody’s to decide before the terminal has had its time, and then a person’s', async () => {
    const kit = createKit('generic', silent);
    await sell(kit);
    expect(await lookUp(kit)).toMatchObject({ kind: 'pending' });
    await kit.clock.advance(176_000);
    expect(await lookUp(kit)).toMatchObject({ kind: 'pending' });
    await kit.clock.advance(2_000);
    const found = await lookUp(kit);
    expect(found).toMatchObject({ kind: 'unavailable' });
    expect(kit.seen).toEqual(['20']);
  });

  it('may still be at the terminal when it has just been connected', async () => {
    const kit = createKit('generic');
    for (const kind of ['sale', 'void', 'batch_close'] as const)
      expect(await lookUp(kit, kind)).toMatchObject({ kind: 'pending' });
    await kit.clock.advance(180_000);
    for (const kind of ['sale', 'void', 'batch_close'] as const)
      expect(await lookUp(kit, kind)).toMatchObject({ kind: 'unavailable' });
    expect(kit.seen).toEqual([]);
  });

  it('comes with the last invoice number that is known, as a hint', async () => {
    const kit = createKit('generic', answering('20', approval), silent);
    await sell(kit);
    await sell(kit);
    await kit.clock.advance(180_000);
    expect(await lookUp(kit)).toMatchObject({ reason: expect.stringContaining('000092') as string });
  });

  it('may still be at the terminal where an answer came that was taken for another', async () => {
    const kit = createKit('generic', silent);
    await sell(kit);
    kit.terminal.say('20', approval);
    await kit.clock.advance(10);
    expect(kit.late.results).toHaveLength(1);
    expect(await lookUp(kit)).toMatchObject({ kind: 'pending' });
  });

  it('needs no waiting where the answer has come meanwhile', async () => {
    const kit = createKit('generic', silent);
    await sell(kit);
    kit.late.adopt = true;
    kit.terminal.say('20', approval);
    await kit.clock.advance(10);
    expect(await lookUp(kit, 'sale', kit.late.results[0] ?? null)).toMatchObject({ kind: 'unavailable' });
  });
});

describe('a sale in doubt on kbtg', () => {
  const R1: [string, string] = ['R1', reference1];
  const refusedWith = (text: string, ...fields: [string, string][]) =>
    answering('74', [['02', text.padEnd(40)], ...fields], { responseCode: 'ND' });

  it('is found by its reference', async () => {
    const kit = createKit('kbtg', answering('74', withReference));
    expect(await lookUp(kit)).toMatchObject({
      kind: 'record',
      record: { kind: 'payment', approved: true, receiptNumber: '000092', maskedCardNumber: '****0119' },
    });
    await kit.clock.advance(0);
    expect(kit.seen).toEqual([`74 ${reference1}`, 'ACK']);
  });

  it.each(['41', '42'])('is found with what came on top of it (field %s)', async (type) => {
    const kit = createKit('kbtg', answering('74', [...withReference, [type, '000000000100']]));
    const shown = await lookUp(kit);
    expect(shown).toMatchObject({ kind: 'record', record: { amountMinor: 1_350 } });
    const terminal = { protocol: 'ecr-edc', terminalId: null } as const;
    if (shown.kind === 'pending') throw new Error('it is still asked');
    expect(protocolOf('kbtg').reconcile(inDoubt(), terminal, shown)).toMatchObject({
      kind: 'needs_decision',
      explanation: expect.stringContaining('13.50') as string,
    });
  });

  const unknownToIt = refusedWith('RECORD NOT FOUND', R1);
  const known = 'BEFORE000001';
  const knownToIt = answering('74', [...approval, ['R1', `TILLBRDG${known}`]]);

  it('did not happen where the terminal does not know it, once it has had its time', async () => {
    const kit = createKit('kbtg', unknownToIt, unknownToIt, unknownToIt, knownToIt);
    expect(await lookUp(kit)).toMatchObject({ kind: 'pending' });
    // It may print its answer, so it is not asked each second.
    await kit.clock.advance(5_000);
    expect(await lookUp(kit)).toMatchObject({ kind: 'pending' });
    expect(requests(kit)).toHaveLength(1);
    await kit.clock.advance(6_000);
    expect(await lookUp(kit)).toMatchObject({ kind: 'pending' });
    expect(requests(kit)).toHaveLength(2);
    await kit.clock.advance(180_000);
    expect(await lookUp(kit, 'sale', null, known)).toEqual({ kind: 'empty' });
    expect(requests(kit).slice(2)).toEqual([`74 ${reference1}`, `74 TILLBRDG${known}`]);
  });

  it('is a person’s where the terminal does not know any other payment either: it may be another terminal', async () => {
    const nothing = refusedWith('RECORD NOT FOUND', ['R1', `TILLBRDG${known}`]);
    const kit = createKit('kbtg', unknownToIt, nothing, unknownToIt);
    await kit.clock.advance(180_000);
    expect(await lookUp(kit, 'sale', null, known)).toMatchObject({ kind: 'unavailable' });
    expect(await lookUp(kit)).toMatchObject({ kind: 'unavailable' });
  });

  it.each<[string, Play]>([
    ['without the reference', answering('74', approval)],
    ['that does not know it, without the reference', refusedWith('RECORD NOT FOUND')],
    ['that was refused with another text', refusedWith('DECLINED', R1)],
    ['that did not find something else', refusedWith('HOST NOT FOUND', R1)],
    ['that timed out', answering('74', withReference, { responseCode: 'TO' })],
    ['without an approval code', answering('74', [R1])],
    ['of NULs', answering('74', withReference, { responseCode: '\0\0' })],
    ['that does not come', acking],
  ])('is not decided by an answer %s', async (_what, play) => {
    const kit = createKit('kbtg', play);
    await kit.clock.advance(180_000);
    expect(await lookUp(kit)).toMatchObject({ kind: 'unavailable' });
  });

  it('is not decided by an answer about another payment', async () => {
    const kit = createKit('kbtg', answering('74', [...approval, ['R1', 'TILLBRDGZZZZZZZZZZZZ']]));
    await kit.clock.advance(180_000);
    expect(await lookUp(kit)).toMatchObject({ kind: 'unavailable' });
  });

  it('is answered twice where it is asked twice', async () => {
    const kit = createKit('kbtg', answering('74', withReference), answering('74', withReference));
    await lookUp(kit);
    expect(await lookUp(kit)).toMatchObject({ kind: 'record' });
  });

  it('is not asked for when its result is known', async () => {
    const kit = createKit('kbtg', answering('20', withReference));
    await sell(kit);
    const [result = null] = kit.disk.results;
    expect(await lookUp(kit, 'sale', result)).toMatchObject({ kind: 'unavailable' });
    expect(
      protocolOf('kbtg').reconcile(
        inDoubt('sale', result),
        { protocol: 'ecr-edc', terminalId: null },
        { kind: 'unavailable', reason: '' },
      ),
    ).toMatchObject({ kind: 'done' });
    expect(requests(kit)).toHaveLength(1);
  });
});
