import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicKey } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createKpayClient, type KpayOutcome } from '../../../src/bridge/terminals/kpay/client.ts';
import type { KpayTransport } from '../../../src/bridge/terminals/kpay/transport.ts';
import { transactionOf, type KpayCommand } from '../../../src/bridge/terminals/kpay/wire/index.ts';
import { kpayDialects, type KpayDialect, type KpayScenario } from '../../../src/simulator/kpay/dialects.ts';
import { createKpaySimulator } from '../../../src/simulator/kpay/kpay-simulator.ts';
import { kpayKeys } from '../../bridge/terminals/kpay/kpay-keys.ts';
import { readLedger } from '../../support/ledger.ts';
import { seededChance } from '../../support/random.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const { appPrivateKey, platformPublicKey } = kpayKeys;
const appPublicKey = createPublicKey({
  key: Buffer.from(appPrivateKey, 'base64'),
  format: 'der',
  type: 'pkcs8',
} as never);

function open(
  dialect?: KpayDialect,
  folder = tempFolder('kpay'),
  clock: VirtualClock = createVirtualClock(),
) {
  if (!folders.includes(folder)) folders.push(folder);
  const ledgerFile = join(folder, 'ledger.jsonl');
  const simulator = createKpaySimulator({
    ledgerFile,
    currency: 'HKD',
    appId: 'app',
    appSecret: 'secret',
    timeScale: 1,
    clock,
    newKeys: async () => ({ appPublicKey, appPrivateKey, platformPublicKey }),
    ...(dialect === undefined ? {} : { dialect }),
  });
  const asTill = (change: (headers: Record<string, string>) => void = () => {}, appSecret = 'secret') => {
    const transport: KpayTransport = {
      async send({ method, uri, headers, body }) {
        const changed = { ...headers };
        change(changed);
        const flat = Object.fromEntries(
          Object.entries(changed).map(([name, value]) => [name.toLowerCase(), value]),
        );
        if (!simulator.accepting) return { kind: 'not_sent', reason: 'refused' };
        const reply = await simulator.handle({ method, uri, headers: flat, body: body ?? new Uint8Array() });
        return reply === null ? { kind: 'no_answer', reason: 'reset' } : { kind: 'response', ...reply };
      },
    };
    return createKpayClient({ appId: 'app', appSecret, transport, clock, chance: seededChance(clock, 1) });
  };
  const till = asTill();
  const send = (command: Exclude<KpayCommand, { call: 'sign_in' }>, client = till) =>
    clock.run(client.send(command), command.call);
  return {
    clock,
    folder,
    simulator,
    asTill,
    send,
    sale: (outTradeNo: string, amountMinor: number, scenario?: KpayScenario) => {
      if (scenario !== undefined) simulator.queueScenario(scenario);
      const rest = { tipsMinor: 0, currency: 'HKD', paymentType: null, includeReceipt: true } as const;
      return send({ call: 'sale', outTradeNo, amountMinor, remark: null, ...rest });
    },
    reverse: (outTradeNo: string, originOutTradeNo: string) =>
      send({ call: 'void', outTradeNo, originOutTradeNo, includeReceipt: false }),
    result: async (outTradeNo: string) => {
      const outcome = await send({ call: 'query', outTradeNo, includeReceipt: true });
      return outcome.kind === 'answered'
        ? (transactionOf(outcome.answer.data) ?? outcome.answer.code)
        : outcome.kind;
    },
    settle: () => send({ call: 'settle', settlementReceipt: true, detailsReceipt: false, autoSignIn: true }),
    ledger: () =>
      readLedger(ledgerFile)
        .filter(({ event }) => ['charged', 'reversed', 'settled'].includes(event))
        .map(({ event, amount, total }) => `${event} ${amount ?? total}`),
  };
}

function codeOf(outcome: KpayOutcome): number | string {
  return outcome.kind === 'answered' ? outcome.answer.code : outcome.kind;
}

describe('a simulated KPay terminal', () => {
  it('takes a sale, charges it after a second, and shows card and receipt', async () => {
    const { sale, result, clock, ledger } = open();
    expect(codeOf(await sale('A1', 10_000))).toBe(10_000);
    expect(await result('A1')).toMatchObject({
      state: 'pending',
      amountMinor: 10_000,
      maskedCardNumber: null,
    });
    expect(ledger()).toStrictEqual([]);
    await clock.advance(2_000);
    expect(await result('A1')).toMatchObject({
      outTradeNo: 'A1',
      state: 'succeeded',
      transactionType: 1,
      amountMinor: 10_000,
      currency: 'HKD',
      maskedCardNumber: '************1111',
      authCode: 'A00001',
    });
    expect(ledger()).toStrictEqual(['charged 100.00']);
  });

  it('refuses a wrong signature, a wrong secret, and the same path too soon', async () => {
    const { asTill, send } = open();
    const query = { call: 'query', outTradeNo: 'A1', includeReceipt: false } as const;
    const forged = asTill((headers) => void (headers['nonceStr'] = 'x'.repeat(32)));
    expect(codeOf(await send(query, forged))).toBe(40_002);
    expect(await send(query, asTill(undefined, 'other'))).toMatchObject({ kind: 'not_sent', code: 40_007 });
    const { simulator } = open();
    const request = { method: 'GET', uri: '/v2/pos/query?outTradeNo=A', headers: {}, body: new Uint8Array() };
    const codes = [await simulator.handle(request), await simulator.handle(request)].map(
      (reply) => (JSON.parse(Buffer.from(reply?.body ?? []).toString()) as { code: number }).code,
    );
    expect(codes).toStrictEqual([40_004, 50_004]);
  });

  it('knows each number once, and does one thing at a time', async () => {
    const { sale, reverse, clock, ledger } = open();
    await sale('A1', 10_007);
    expect(codeOf(await sale('A1', 10_007))).toBe(20_001);
    expect(codeOf(await sale('A2', 20_000))).toBe(50_002);
    expect(codeOf(await reverse('V1', 'A1'))).toBe(50_002);
    await clock.advance(40_000);
    expect(codeOf(await sale('A1', 10_007))).toBe(20_001);
    expect(codeOf(await reverse('A1', 'A1'))).toBe(20_001);
    expect(codeOf(await sale('A2', 20_000))).toBe(10_000);
    await clock.advance(2_000);
    expect(ledger()).toStrictEqual(['charged 100.07', 'charged 200.00']);
  });

  it.each<[number, KpayScenario | undefined, unknown, string[]]>([
    [10_001, undefined, { state: 'failed', reason: 'Declined' }, []],
    [10_002, undefined, { state: 'cancelled' }, []],
    [10_003, undefined, { state: 'succeeded' }, ['charged 100.03']],
    [10_004, undefined, { state: 'failed' }, []],
    [10_005, undefined, { state: 'succeeded' }, ['charged 100.05']],
    [10_006, undefined, { state: 'succeeded' }, ['charged 100.06']],
    [10_007, undefined, { state: 'succeeded' }, ['charged 100.07']],
    [10_009, undefined, { state: 'failed' }, []],
    [10_000, 'answer_dropped', { state: 'succeeded' }, ['charged 100.00']],
    [10_000, 'answer_late', { state: 'succeeded' }, ['charged 100.00']],
    [10_000, 'http_500', { state: 'succeeded' }, ['charged 100.00']],
    [10_000, 'pending_for_ever', { state: 'pending' }, []],
    [10_000, 'paid_after_all', { state: 'succeeded' }, ['charged 100.00']],
    [10_000, 'other_amount', { state: 'succeeded', amountMinor: 10_100 }, ['charged 101.00']],
    [10_000, 'keys_killed', { state: 'succeeded' }, ['charged 100.00']],
  ])('ends a sale of %d (%s) as the scenario says', async (amountMinor, scenario, expected, charges) => {
    const { sale, result, clock, ledger } = open();
    await sale('A1', amountMinor, scenario);
    await clock.advance(120_000);
    expect(await result('A1')).toMatchObject(expected as object);
    expect(ledger()).toStrictEqual(charges);
  });

  it.each<[number, KpayScenario | undefined, string | number]>([
    [10_005, undefined, 'no_answer'],
    [10_006, undefined, 10_000],
    [10_009, undefined, 'no_answer'],
    [10_000, 'answer_dropped', 'no_answer'],
    [10_000, 'answer_late', 10_000],
    [10_000, 'http_500', 'no_answer'],
  ])('answers a sale of %d (%s) as the scenario says', async (amountMinor, scenario, expected) => {
    const { sale } = open();
    expect(codeOf(await sale('A1', amountMinor, scenario))).toBe(expected);
  });

  it('stops a running sale, and says what can no longer be stopped', async () => {
    const { sale, send, result, clock, ledger } = open();
    const close = (outTradeNo: string) => send({ call: 'close', outTradeNo });
    await sale('A1', 10_007);
    expect(codeOf(await close('A1'))).toBe(10_000);
    expect(await result('A1')).toMatchObject({ state: 'cancelled' });
    expect(codeOf(await close('A1'))).toBe(20_010);
    expect(codeOf(await close('A9'))).toBe(20_005);
    await clock.advance(60_000);
    expect(ledger()).toStrictEqual([]);
  });

  it('voids a sale of today that is not settled, once', async () => {
    const { sale, reverse, result, clock, ledger } = open();
    expect(codeOf(await reverse('V0', 'A1'))).toBe(20_005);
    await sale('A1', 10_000);
    await clock.advance(2_000);
    expect(codeOf(await reverse('V1', 'A1'))).toBe(10_000);
    await clock.advance(2_000);
    const sold = await result('A1');
    expect(sold).toMatchObject({ state: 'returned', refNo: '555555000001' });
    expect(await result('V1')).toMatchObject({
      state: 'succeeded',
      transactionType: 6,
      refNo: '555555000001',
    });
    expect(codeOf(await reverse('V2', 'A1'))).toBe(20_024);
    expect(codeOf(await reverse('V3', 'V1'))).toBe(20_012);
    await sale('A2', 20_000);
    await clock.advance(86_400_000);
    expect(codeOf(await reverse('V4', 'A2'))).toBe(20_007);
    expect(ledger()).toStrictEqual(['charged 100.00', 'reversed 100.00', 'charged 200.00']);
  });

  it('settles, forgets its keys, and then voids nothing of that batch', async () => {
    const { sale, reverse, settle, send, clock, ledger } = open();
    const totals = (previousBatch: boolean) => send({ call: 'query_settlement', previousBatch });
    // A question first: a settlement is never sent along with a sign-in.
    expect(codeOf(await totals(true))).toBe(50_011);
    expect(codeOf(await settle())).toBe(50_012);
    await sale('A1', 10_007);
    expect(codeOf(await settle())).toBe(50_002);
    await clock.advance(40_000);
    expect(codeOf(await settle())).toBe(10_000);
    // The client signs in again by itself.
    expect(await totals(true)).toMatchObject({ answer: { data: [{ count: 1, amount: 10_007 }] } });
    expect(codeOf(await totals(false))).toBe(50_012);
    expect(codeOf(await reverse('V1', 'A1'))).toBe(20_006);
    expect(ledger()).toStrictEqual(['charged 100.07', 'settled 100.07']);
  });

  it('has nothing of another terminal’s memory, and its own again when it is back', async () => {
    const { sale, result, clock, simulator } = open();
    await sale('A1', 10_000);
    expect(() => simulator.replaceTerminal('KP000002')).toThrow('busy');
    await clock.advance(2_000);
    simulator.replaceTerminal('KP000002');
    expect(await result('A1')).toBe(20_005);
    expect(codeOf(await sale('A1', 12_000))).toBe(10_000);
    await clock.advance(2_000);
    expect(await result('A1')).toMatchObject({ amountMinor: 12_000, deviceId: 'KP000002' });
    simulator.replaceTerminal('KP000001');
    expect(await result('A1')).toMatchObject({ amountMinor: 10_000, deviceId: 'KP000001' });
  });

  it('remembers numbers and payments when it starts again; what ran has failed', async () => {
    const before = open();
    await before.sale('A1', 10_000);
    await before.clock.advance(2_000);
    await before.sale('A2', 10_000);
    before.simulator.close();
    const { sale, result, ledger } = open(undefined, before.folder, before.clock);
    expect(await result('A1')).toMatchObject({ state: 'succeeded' });
    expect(await result('A2')).toMatchObject({ state: 'failed', reason: 'Power lost' });
    expect(codeOf(await sale('A2', 10_000))).toBe(20_001);
    expect(ledger()).toStrictEqual(['charged 100.00']);
  });

  it.each(['strict', 'old-build', 'escaped-keys', 'text-numbers'] as const)(
    'is understood in the dialect %s',
    async (name) => {
      const { sale, result, clock } = open(kpayDialects[name]);
      await sale('A1', 10_000);
      expect(await sale('A1', 10_000)).toMatchObject({
        answer: { message: 'Transaction number already exists' },
      });
      await clock.advance(2_000);
      expect(await result('A1')).toMatchObject({ outTradeNo: 'A1', state: 'succeeded' });
    },
  );
});
