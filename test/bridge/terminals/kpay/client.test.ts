import { describe, expect, it } from 'vitest';
import { createKpayClient } from '../../../../src/bridge/terminals/kpay/client.ts';
import type {
  KpayRequest,
  KpayTransport,
  TransportResult,
} from '../../../../src/bridge/terminals/kpay/transport.ts';
import {
  canonicalText,
  encodeAnswer,
  isSignatureOf,
  publicKeyOf,
  readPrivateKey,
  type KpayCommand,
} from '../../../../src/bridge/terminals/kpay/wire/index.ts';
import { seededChance } from '../../../support/random.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';
import { kpayKeys } from './kpay-keys.ts';

const { appPrivateKey, platformPublicKey } = kpayKeys;
const signedIn = answer({ code: 10_000, data: { appPrivateKey, platformPublicKey } });
const accepted = answer({ code: 10_000, data: {} });
const keysGone = answer({ code: 40_004, message: 'Working key does not exist, please re-sign in' });

const sale: KpayCommand & { call: 'sale' } = {
  call: 'sale',
  outTradeNo: 'TB000001',
  amountMinor: 100,
  tipsMinor: 0,
  currency: 'HKD',
  paymentType: null,
  includeReceipt: true,
  remark: null,
};
const query = { call: 'query', outTradeNo: 'TB000001', includeReceipt: true } as const;

function answer(content: { code: number; message?: string; data?: unknown }): TransportResult {
  return { kind: 'response', status: 200, body: encodeAnswer(content) };
}

/** A client whose terminal gives these results, one after the other. */
function play(...results: readonly TransportResult[]) {
  const clock = createVirtualClock();
  const left = [...results];
  const sent: (KpayRequest & { atMs: number })[] = [];
  const traced: string[] = [];
  const transport: KpayTransport = {
    async send(message) {
      sent.push({ ...message, atMs: clock.elapsed() });
      const result = left.shift();
      if (result === undefined) throw new Error(`nobody expected ${message.uri}`);
      return result;
    },
  };
  const client = createKpayClient({
    appId: '202600000000001',
    appSecret: 'test-secret-not-real',
    transport,
    clock,
    chance: seededChance(clock, 1),
    trace: ({ direction, name }) => void traced.push(`${direction} ${name}`),
  });
  return {
    clock,
    client,
    sent,
    traced,
    send: (command: Parameters<typeof client.send>[0]) => clock.run(client.send(command), command.call),
    paths: () => sent.map(({ uri }) => uri.split('?')[0]),
  };
}

describe('a client of KPay', () => {
  it('signs in first, and then signs each request with the bytes that it sends', async () => {
    const { send, sent, paths, traced } = play(signedIn, accepted, accepted);
    expect(await send(sale)).toMatchObject({ kind: 'answered', answer: { code: 10_000 } });
    expect(await send(query)).toMatchObject({ kind: 'answered' });
    expect(paths()).toStrictEqual(['/v2/pos/sign', '/v2/pos/sales', '/v2/pos/query']);
    const [signIn, ...signed] = sent;
    expect(signIn?.headers).not.toHaveProperty('signature');
    expect(signIn?.headers).not.toHaveProperty('appId');
    const key = readPrivateKey(appPrivateKey);
    if (key === null) throw new Error('no key');
    for (const { method, uri, body, headers } of signed) {
      const { timestamp = '', nonceStr = '', signature = '' } = headers;
      const text = canonicalText({ method, uri, body, timestamp, nonceStr });
      expect(isSignatureOf(signature, text, publicKeyOf(key))).toBe(true);
      expect(headers['appId']).toBe('202600000000001');
      expect(nonceStr).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(Number(timestamp)).toBe(Date.UTC(2024, 5, 3, 10, 20, 30));
    }
    expect(new Set(sent.map(({ headers }) => headers['nonceStr'])).size).toBe(3);
    expect(traced).toStrictEqual([
      'to_terminal sign-in',
      'from_terminal answer',
      'to_terminal sale',
      'from_terminal answer',
      'to_terminal query',
      'from_terminal answer',
    ]);
  });

  it('signs in and signs anew when the keys are gone, and sends the same body', async () => {
    const { send, sent, paths } = play(signedIn, keysGone, signedIn, accepted);
    expect(await send(sale)).toMatchObject({ kind: 'answered', answer: { code: 10_000 } });
    expect(paths()).toStrictEqual(['/v2/pos/sign', '/v2/pos/sales', '/v2/pos/sign', '/v2/pos/sales']);
    const [, first, , second] = sent;
    expect(second?.body).toStrictEqual(first?.body);
    expect(second?.headers['nonceStr']).not.toBe(first?.headers['nonceStr']);
    expect(second?.headers['signature']).not.toBe(first?.headers['signature']);
  });

  it('gives up after two sign-ins for one command', async () => {
    const { send, sent } = play(signedIn, keysGone, signedIn, keysGone);
    expect(await send(sale)).toMatchObject({ kind: 'answered', answer: { code: 40_004 } });
    expect(sent).toHaveLength(4);
  });

  it('signs in once more where that may help, and not again', async () => {
    const { send, paths } = play(
      signedIn,
      accepted,
      answer({ code: 40_008 }),
      signedIn,
      answer({ code: 40_008 }),
    );
    await send(query);
    expect(await send(sale)).toMatchObject({ kind: 'answered', answer: { code: 40_008 } });
    expect(paths()).toStrictEqual([
      '/v2/pos/sign',
      '/v2/pos/query',
      '/v2/pos/sales',
      '/v2/pos/sign',
      '/v2/pos/sales',
    ]);
  });

  it.each([
    ['no answer', { kind: 'no_answer', reason: 'the answer broke off' }],
    ['another HTTP status', { kind: 'response', status: 500, body: encodeAnswer({ code: 10_000 }) }],
    ['no JSON', { kind: 'response', status: 200, body: Buffer.from('<html>') }],
  ] as const)('sends nothing a second time when a sale gets %s', async (_what, result) => {
    const { send, paths } = play(signedIn, result);
    expect(await send(sale)).toMatchObject({ kind: 'no_answer' });
    expect(paths()).toStrictEqual(['/v2/pos/sign', '/v2/pos/sales']);
  });

  it.each([
    [answer({ code: 40_007 }), { code: 40_007, reason: 'The application id or its secret is wrong' }],
    [answer({ code: 50_001 }), { code: 50_001 }],
    [answer({ code: 10_000, data: {} }), { code: null, reason: 'the terminal gave no keys that work' }],
    [{ kind: 'no_answer', reason: 'it is silent' } as const, { code: null, reason: 'it is silent' }],
    [{ kind: 'not_sent', reason: 'refused' } as const, { code: null, reason: 'refused' }],
  ])('has not sent a sale when the sign-in before it failed (%j)', async (result, expected) => {
    const { send, paths } = play(result);
    expect(await send(sale)).toMatchObject({ kind: 'not_sent', ...expected });
    expect(paths()).toStrictEqual(['/v2/pos/sign']);
  });

  it('has not started a sale that was refused for its keys, when the sign-in after it failed', async () => {
    const { send } = play(signedIn, keysGone, { kind: 'no_answer', reason: 'it is silent' });
    expect(await send(sale)).toStrictEqual({ kind: 'not_sent', reason: 'it is silent', code: null });
  });

  it('keeps a second between two requests to the same path, whatever their query', async () => {
    const { send, sent } = play(signedIn, accepted, accepted, accepted);
    await send(query);
    await send({ ...query, outTradeNo: 'TB000002' });
    await send(sale);
    expect(sent.map(({ atMs }) => atMs)).toStrictEqual([0, 0, 1_000, 1_000]);
  });

  it('repeats what came too fast after a second, three times at most', async () => {
    const tooFast = answer({ code: 50_004 });
    const { send, sent } = play(signedIn, tooFast, accepted, tooFast, tooFast, tooFast, tooFast);
    expect(await send(query)).toMatchObject({ kind: 'answered', answer: { code: 10_000 } });
    expect(await send(query)).toMatchObject({ kind: 'answered', answer: { code: 50_004 } });
    expect(sent.map(({ atMs }) => atMs)).toStrictEqual([0, 0, 1_000, 2_000, 3_000, 4_000, 5_000]);
  });

  it('does not know what became of a sale that came too fast when then nobody can be reached any more', async () => {
    const { send } = play(signedIn, answer({ code: 50_004 }), { kind: 'not_sent', reason: 'refused' });
    expect(await send(sale)).toStrictEqual({ kind: 'no_answer', reason: 'refused' });
  });

  it.each([keysGone, answer({ code: 40_008 })])(
    'gives no second copy of a sale to a terminal that may be another one, which a question may go to',
    async (refusal) => {
      const tooFast = answer({ code: 50_004 });
      const sold = play(signedIn, tooFast, refusal);
      expect(await sold.send(sale)).toMatchObject({ kind: 'answered', repeated: true });
      expect(sold.paths()).toStrictEqual(['/v2/pos/sign', '/v2/pos/sales', '/v2/pos/sales']);
      const asked = play(signedIn, accepted, tooFast, refusal, signedIn, accepted);
      await asked.send(query);
      expect(await asked.send(query)).toMatchObject({ kind: 'answered', answer: { code: 10_000 } });
    },
  );

  it('settles nothing under keys that nothing was asked under', async () => {
    const { send, sent } = play();
    const settle = {
      call: 'settle',
      settlementReceipt: true,
      detailsReceipt: false,
      autoSignIn: true,
    } as const;
    expect(await send(settle)).toMatchObject({ kind: 'not_sent' });
    expect(sent).toHaveLength(0);
  });

  it('repeats a sign-in that came too fast', async () => {
    const { send, sent } = play(answer({ code: 50_004 }), signedIn, accepted);
    expect(await send(query)).toMatchObject({ kind: 'answered', answer: { code: 10_000 } });
    expect(sent.map(({ atMs }) => atMs)).toStrictEqual([0, 1_000, 1_000]);
  });

  it('sends nothing for somebody who no longer wants it', async () => {
    const { client, clock, sent } = play(signedIn, accepted);
    const stop = new AbortController();
    await clock.run(client.send(query), 'first query');
    const second = client.send(query, stop.signal);
    stop.abort();
    expect(await clock.run(second, 'second query')).toMatchObject({ kind: 'not_sent' });
    expect(sent).toHaveLength(2);
  });

  it('sends one request at a time, in their order', async () => {
    const { client, clock, paths } = play(signedIn, accepted, accepted, accepted);
    const close = { call: 'close', outTradeNo: 'TB000001' } as const;
    const all = [client.send(sale), client.send(query), client.send(close)];
    await clock.run(Promise.all(all), 'all');
    expect(paths()).toStrictEqual(['/v2/pos/sign', '/v2/pos/sales', '/v2/pos/query', '/v2/pos/sales/close']);
  });
});
