import { describe, expect, it } from 'vitest';
import {
  callOf,
  decodeAnswer,
  decodeCommand,
  encodeAnswer,
  encodeCommand,
  isCardMethod,
  maxAmountMinor,
  payMethodGroup,
  payMethodName,
  payStateOf,
  showsBatch,
  transactionData,
  transactionOf,
  type KpayCommand,
  type KpayTransaction,
} from '../../../../../src/bridge/terminals/kpay/wire/index.ts';
import { createRandom, type Random } from '../../../../support/random.ts';

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('a command', () => {
  const commands = Array.from({ length: 200 }, (_, seed) => anyCommand(createRandom(seed)));

  it('is read as it was written', () => {
    const read = commands.map((command) => decodeCommand(encodeCommand(command)));
    expect(read).toStrictEqual(commands.map((command) => ({ ok: true, command })));
  });

  it('is read from a till that writes it in another way', () => {
    const sale = { outTradeNo: 'PAID 1-2', payAmount: '000000000100', payCurrency: 36, paymentType: '2' };
    const read = decodeCommand({
      method: 'POST',
      uri: '/v2/pos/sales',
      body: json({ ...sale, hideRetryButton: 1 }),
    });
    expect(read).toStrictEqual({
      ok: true,
      command: {
        call: 'sale',
        outTradeNo: 'PAID 1-2',
        amountMinor: 100,
        tipsMinor: 0,
        currency: 'AUD',
        paymentType: 2,
        includeReceipt: false,
        remark: null,
      },
    });
  });

  it.each([
    ['an amount of eleven digits', { payAmount: '00000000100' }],
    ['no amount', { payAmount: undefined }],
    ['an unknown currency', { payCurrency: '999' }],
    ['no currency', { payCurrency: undefined }],
    ['an empty number', { outTradeNo: '' }],
    ['a number that is too long', { outTradeNo: 'A'.repeat(33) }],
    ['a payment type that is none', { paymentType: 'card' }],
    ['a tip that is none', { tipsAmount: '1.00' }],
  ])('with %s is none', (_what, change) => {
    const fields = { outTradeNo: 'A', payAmount: '000000000100', payCurrency: '344', ...change };
    expect(decodeCommand({ method: 'POST', uri: '/v2/pos/sales', body: json(fields) })).toStrictEqual({
      ok: false,
      reason: 'bad_fields',
    });
  });

  it('that nobody knows is told from a wrong one', () => {
    expect(decodeCommand({ method: 'POST', uri: '/v2/pos/reverse', body: json({}) })).toStrictEqual({
      ok: false,
      reason: 'unknown_call',
    });
    expect(decodeCommand({ method: 'POST', uri: '/v2/pos/sales', body: null })).toStrictEqual({
      ok: false,
      reason: 'bad_fields',
    });
    // Two names that are easily mixed up.
    expect(callOf('POST', '/v2/pos/sales/cancel')).toBe('void');
    expect(callOf('POST', '/v2/pos/sales/close')).toBe('close');
    expect(callOf('GET', '/v2/pos/sales')).toBeNull();
  });

  it.each([-1, 1.5, maxAmountMinor + 1, NaN])('cannot carry an amount of %d', (amountMinor) => {
    const command = { ...anyCommand(createRandom(1), 'sale'), amountMinor } as KpayCommand;
    expect(() => encodeCommand(command)).toThrow(RangeError);
  });
});

describe('an answer', () => {
  it('says its text as message or as msg, its code as a number or as text', () => {
    expect(decodeAnswer(encodeAnswer({ code: 50_002, message: 'Terminal busy' }))).toStrictEqual({
      code: 50_002,
      message: 'Terminal busy',
      data: undefined,
    });
    expect(decodeAnswer(json({ code: '10000', msg: 'ok', data: {} }))).toStrictEqual({
      code: 10_000,
      message: 'ok',
      data: {},
    });
  });

  it.each(['', '[]', '{}', '{"code":"x"}', '{"code":1.5}', '{"code":-1}', 'null', '<html>', '{"code":10000'])(
    'is none when it is %j',
    (text) => {
      expect(decodeAnswer(Buffer.from(text))).toBeNull();
    },
  );

  it('keeps no card number in its text', () => {
    const answer = decodeAnswer(json({ code: 1, message: 'Card 4111111111111111 refused' }));
    expect(answer?.message).toBe('Card 411111******1111 refused');
  });
});

describe('the result of a transaction', () => {
  it('is read as it was written', () => {
    const transactions = Array.from({ length: 200 }, (_, seed) => anyTransaction(createRandom(seed)));
    expect(transactions.map((one) => transactionOf(transactionData(one, true)))).toStrictEqual(transactions);
  });

  it('has card and receipt only where they are wanted', () => {
    const transaction = anyTransaction(createRandom(3));
    expect(transactionData(transaction, true)).toHaveProperty('cardNo');
    const short = transactionData(transaction, false);
    for (const name of ['cardNo', 'authCode', 'traceNo', 'batchNo', 'aid', 'tc'])
      expect(short).not.toHaveProperty(name);
    expect(short).toHaveProperty('payResult');
  });

  it('takes numbers as text, and texts as numbers', () => {
    const read = transactionOf({
      outTradeNo: 7,
      payResult: '2',
      transactionType: '1',
      payAmount: 100,
      payCurrency: 36,
      payMethod: '1',
      needSignature: 'true',
      commitTime: '1774832410000',
    });
    expect(read).toMatchObject({
      outTradeNo: '7',
      state: 'succeeded',
      transactionType: 1,
      amountMinor: 100,
      currency: 'AUD',
      payMethod: 1,
      needSignature: true,
      commitTimeMs: 1_774_832_410_000,
    });
  });

  it('has nothing where nothing can be read, and reads the rest', () => {
    const read = transactionOf({
      outTradeNO: 'A',
      payAmount: '1.00',
      payCurrency: 'HKD',
      payResult: 'success',
      payMethod: { a: 1 },
      needSignature: 'maybe',
      cardNo: ['4111111111111111'],
    });
    expect(read).toMatchObject({
      outTradeNo: 'A',
      state: 'unknown',
      payResult: null,
      amountMinor: null,
      currency: null,
      payMethod: null,
      needSignature: null,
      maskedCardNumber: null,
    });
    expect(transactionOf('text')).toBeNull();
    expect(transactionOf(undefined)).toBeNull();
  });

  it.each([
    ['4111111111111111', '************1111'],
    ['411111******1111', '************1111'],
    [4_111_111_111_111_111, '************1111'],
    ['4111 1111 1111 1111', '************1111'],
    ['**** 1111', '****1111'],
    ['4111111111111111=2512', null],
    ['none', null],
  ])('keeps of the card number %j only its end', (cardNo, kept) => {
    expect(transactionOf({ cardNo })?.maskedCardNumber).toBe(kept);
  });

  it('knows how each result ended', () => {
    expect([1, 2, 3, 4, 5, 6, -1, 0, 7, null].map(payStateOf)).toStrictEqual([
      'pending',
      'succeeded',
      'failed',
      'returned',
      'cancelled',
      'cancelled',
      'timed_out',
      'unknown',
      'unknown',
      'unknown',
    ]);
  });

  it('has a name for what it was paid with, and the number of what nobody knows', () => {
    expect([1, 24, 99, null].map(payMethodName)).toStrictEqual(['Visa', 'EFTPOS', '99', null]);
    expect([3, 9, 99, null].map(payMethodGroup)).toStrictEqual(['unionpay', 'unionpay', 'other', null]);
    expect([1, 24, 11, 4, 12, 99].map(isCardMethod)).toStrictEqual([true, true, false, false, false, false]);
  });
});

it('sees a batch in whatever shows one', () => {
  expect([[{}], { extra: 1 }].map(showsBatch)).toStrictEqual([true, true]);
  expect([[], {}, null, undefined, 'x', 3].map(showsBatch)).toStrictEqual(Array(6).fill(false));
});

function word(random: Random, max: number): string {
  return Array.from({ length: random.integer(1, max) }, () =>
    random.pick(['A', 'B', 'C', 'X', 'Y', 'Z', '0', '1', '8', '9']),
  ).join('');
}

const remarks = ['Order 0001 枱3', 'a "quoted" \\ text', '&=?#%'] as const;

function anyCommand(random: Random, only?: KpayCommand['call']): KpayCommand {
  const bool = () => random.chance(0.5);
  const outTradeNo = word(random, 32);
  const call =
    only ?? random.pick(['sign_in', 'sale', 'query', 'close', 'void', 'settle', 'query_settlement'] as const);
  switch (call) {
    case 'sign_in':
      return { call, appId: outTradeNo, appSecret: word(random, 64) };
    case 'sale':
      return {
        call,
        outTradeNo,
        amountMinor: random.integer(0, maxAmountMinor),
        tipsMinor: random.integer(0, 500),
        currency: random.pick(['HKD', 'SGD', 'AUD']),
        paymentType: random.pick([null, 1, 16]),
        includeReceipt: bool(),
        remark: random.pick([null, ...remarks]),
      };
    case 'query':
      return { call, outTradeNo: random.pick([outTradeNo, 'A B&c=1']), includeReceipt: bool() };
    case 'close':
      return { call, outTradeNo };
    case 'void':
      return { call, outTradeNo, originOutTradeNo: word(random, 32), includeReceipt: bool() };
    case 'settle':
      return { call, settlementReceipt: bool(), detailsReceipt: bool(), autoSignIn: bool() };
    case 'query_settlement':
      return { call, previousBatch: bool() };
  }
}

function anyTransaction(random: Random): KpayTransaction {
  const maybe = <T>(value: T): T | null => (random.chance(0.8) ? value : null);
  const money = () => maybe(random.integer(0, maxAmountMinor));
  const payResult = random.pick([1, 2, 3, 4, 5, 6, -1, 9]);
  return {
    outTradeNo: word(random, 32),
    state: payStateOf(payResult),
    payResult,
    transactionType: maybe(random.integer(1, 8)),
    transactionNo: maybe(word(random, 20)),
    refNo: maybe(word(random, 12)),
    kpayOutTradeNo: maybe(word(random, 20)),
    amountMinor: money(),
    tipsMinor: money(),
    orderMinor: money(),
    surchargeMinor: money(),
    discountMinor: money(),
    currency: maybe(random.pick(['HKD', 'SGD', 'AUD'])),
    payMethod: maybe(random.integer(1, 24)),
    reason: maybe(random.pick(remarks)),
    needSignature: maybe(random.chance(0.5)),
    payTime: maybe(word(random, 14)),
    maskedCardNumber: '************1111',
    cardInputCode: maybe('07'),
    authCode: maybe(word(random, 6)),
    batchNo: maybe(word(random, 6)),
    traceNo: maybe(word(random, 6)),
    commitTimeMs: maybe(random.integer(0, 2_000_000_000_000)),
    deviceId: maybe(word(random, 12)),
    merchantNo: maybe(word(random, 15)),
    aid: maybe('A0000000031010'),
    aidLabel: maybe('VISA CREDIT'),
    tc: maybe(word(random, 16)),
  };
}
