/**
 * The bridge as a whole against a KPay terminal, in what goes wrong there only: its belief is held against the ledger. What
 * can happen to every terminal is in `accidents.test.ts`.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { JournalWriteError } from '../../src/bridge/journal/journal.ts';
import { decodeAnswer, encodeAnswer } from '../../src/bridge/terminals/kpay/wire/index.ts';
import { kpayDialects } from '../../src/simulator/kpay/dialects.ts';
import type { KpaySimulator } from '../../src/simulator/kpay/kpay-simulator.ts';
import type { CoreRigOptions } from '../support/core-rig.ts';
import { createLosses, kpayTerminal, type KpayTerminalOptions } from '../support/kpay-terminal.ts';
import { createNotingLog } from '../support/noting-log.ts';
import { createTerminalRig, type TerminalRig } from '../support/terminal-rig.ts';

type KpayRig = TerminalRig<KpaySimulator>;

const rigs: KpayRig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

function newRig(terminal: KpayTerminalOptions = {}, options: CoreRigOptions = {}): KpayRig {
  const rig = createTerminalRig(kpayTerminal(terminal), options);
  rigs.push(rig);
  return rig;
}

async function rigUp(...options: Parameters<typeof newRig>): Promise<KpayRig> {
  const rig = newRig(...options);
  await rig.ready();
  return rig;
}

/** What moved money, and what settled it. */
const money = (rig: KpayRig) =>
  rig
    .ledger()
    .filter(({ event }) => ['charged', 'reversed', 'settled'].includes(event))
    .map(({ event, amount, total }) => `${event} ${event === 'settled' ? total : amount}`);

async function stopped(rig: KpayRig, amountMinor: number) {
  await rig.begin(amountMinor, 'R1');
  await rig.until(() => rig.simulator.state().busy, 'the sale at the terminal');
  return rig.payments.cancelPayment('R1');
}

describe('a sale that meets', () => {
  it.each([
    ['nothing', 12_400, 'approved', 'approved', 1],
    ['an issuer that says no', 12_401, 'declined', 'declined', 0],
    ['a customer who cancels', 12_402, 'cancelled', 'cancelled', 0],
    ['a card that cannot be read once', 12_403, 'approved', 'approved', 1],
    ['a loss of power', 12_404, 'declined', 'declined', 0],
    ['a network that is away before the answer', 12_405, 'approved', 'approved', 1],
    ['a network that is away behind it', 12_406, 'approved', 'approved', 1],
    ['a slow host', 12_407, 'approved', 'approved', 1],
    ['an answer that never comes', 12_408, 'approved', 'approved', 1],
    ['silence', 12_409, 'declined', 'declined', 0],
  ] as const)('%s', async (_, amount, first, last, charges) => {
    const rig = await rigUp();
    expect(await rig.sell(amount, 'R1')).toBe(first);
    await rig.ready();
    expect([rig.status('R1'), money(rig).length]).toEqual([last, charges]);
    expect(rig.sent('sale')).toBe(1);
  });

  it.each([
    ['keys that are gone in the middle of it', 'keys_killed', 'approved', 1],
    ['an answer that comes too late', 'answer_late', 'approved', 1],
    ['a server that has failed', 'http_500', 'approved', 1],
    ['time that runs out for a card', 'card_timed_out', 'cancelled', 0],
    ['a QR code that is paid when its time has run out', 'paid_after_all', 'approved', 1],
  ] as const)('%s', async (_, scenario, last, charges) => {
    const rig = await rigUp();
    rig.simulator.queueScenario(scenario);
    await rig.sell(12_400, 'R1');
    await rig.ready();
    expect([rig.status('R1'), money(rig).length, rig.sent('sale')]).toEqual([last, charges, 1]);
    expect(rig.payments.operationsInDoubt()).toEqual([]);
  });

  it('a terminal that never ends it is left to a person, in words', async () => {
    const rig = await rigUp();
    await rig.sell(12_300, 'R0');
    await rig.ready();
    rig.simulator.queueScenario('pending_for_ever');
    expect(await rig.sell(12_400, 'R1')).toBe('unknown');
    // Nothing else that moves money begins until that is decided.
    const unresolved = { ok: false, refusal: { code: 'payment_unresolved' } };
    const other = { amountMinor: 100, reference: 'R2', conditionCode: '00' };
    expect(await rig.payments.createPayment(other)).toMatchObject(unresolved);
    expect(await rig.payments.voidPayment('R0', 1_000)).toMatchObject(unresolved);
    expect(await rig.payments.submitBatch(1_000)).toMatchObject(unresolved);
    await rig.ready();
    expect(rig.asked()).toEqual([expect.stringContaining('Look at its display')]);
    expect([rig.sent('sale'), rig.sent('void'), rig.sent('batch_close')]).toEqual([2, 0, 0]);
  });

  it('another amount than was asked for is left to a person, in words', async () => {
    const rig = await rigUp();
    rig.simulator.queueScenario('other_amount');
    expect(await rig.sell(12_400, 'R1')).toBe('unknown');
    await rig.ready();
    expect(rig.asked()).toEqual([expect.stringContaining('another amount: 125.00 HKD')]);
    expect(money(rig)).toEqual(['charged 125.00']);
  });

  it('an answer that is lost and a network that brings the sale again: the number is known, and it is asked for', async () => {
    const answers: (number | undefined)[] = [];
    const rig = await rigUp({
      through: (transport) => ({
        async send(message, signal) {
          const isSale = message.uri === '/v2/pos/sales';
          if (isSale) {
            await transport.send(message, signal);
            // One that comes sooner is told that it came too fast.
            await new Promise<void>((resolve) => rig.clock.after(2_000, resolve));
          }
          const result = await transport.send(message, signal);
          if (isSale && result.kind === 'response') answers.push(decodeAnswer(result.body)?.code);
          return result;
        },
      }),
    });
    expect(await rig.sell(12_400, 'R1')).toBe('approved');
    expect([answers, money(rig)]).toEqual([[20_001], ['charged 124.00']]);
  });
});

describe('a sale that is stopped', () => {
  it('is cancelled, and moves no money', async () => {
    const rig = await rigUp();
    expect(await stopped(rig, 12_407)).toMatchObject({ ok: true });
    expect([rig.status('R1'), money(rig)]).toEqual(['cancelled', []]);
  });

  it('and whose QR code is paid all the same, is approved', async () => {
    const rig = await rigUp();
    rig.simulator.queueScenario('paid_after_close');
    expect(await stopped(rig, 12_400)).toMatchObject({ ok: false, refusal: { code: 'cancel_too_late' } });
    expect([rig.status('R1'), money(rig)]).toEqual(['approved', ['charged 124.00']]);
  });

  it.each(['request', 'answer'] as const)('though the %s to stop it was lost', async (what) => {
    const { lose, through } = createLosses();
    const rig = await rigUp({ through });
    lose('close', what);
    expect(await stopped(rig, 12_407)).toMatchObject({ ok: true });
    expect([rig.status('R1'), money(rig)]).toEqual(['cancelled', []]);
  });

  it('where only somebody at the terminal can do that, goes on', async () => {
    const rig = await rigUp({ simulator: { dialect: kpayDialects['stopped-at-terminal'] } });
    expect(await stopped(rig, 12_407)).toMatchObject({ ok: false });
    await rig.ready();
    expect([rig.status('R1'), money(rig)]).toEqual(['approved', ['charged 124.07']]);
  });
});

describe('a terminal that', () => {
  it('refuses the application says so, and takes payments once its secret is right', async () => {
    const rig = newRig({ appSecret: 'wrong' });
    await rig.until(() => rig.payments.status().terminal.connection === 'attention', 'attention');
    expect(rig.payments.status().terminal.text).toContain('secret');
    expect(rig.sent('sale')).toBe(0);
  });

  it('was settled by hand asks for a new sign-in, and the payment is not voided any more', async () => {
    const rig = await rigUp();
    await rig.sell(12_400, 'R1');
    await rig.ready();
    rig.simulator.closeDayManually();
    expect(await rig.payments.voidPayment('R1', 60_000)).toMatchObject({
      ok: false,
      refusal: { code: 'void_declined' },
    });
    expect(rig.status('R1')).toBe('approved');
    expect(await rig.sell(12_500, 'R2')).toBe('approved');
    expect(money(rig)).toEqual(['charged 124.00', 'settled 124.00', 'charged 125.00']);
  });

  it('has voided a payment by hand tells so when the bridge voids it, and a person decides', async () => {
    const rig = await rigUp();
    await rig.sell(12_400, 'R1');
    await rig.ready();
    rig.simulator.reverseManually('000001');
    await rig.payments.voidPayment('R1', 60_000);
    await rig.ready();
    expect(rig.status('R1')).toBe('voiding');
    expect(rig.asked()).toHaveLength(1);
    expect(money(rig)).toEqual(['charged 124.00', 'reversed 124.00']);
  });
});

it('nobody is called for a sale in doubt while the terminal’s app wants a person first', async () => {
  let away = false;
  const notInBackground = { kind: 'response', status: 200, body: encodeAnswer({ code: 50_005 }) } as const;
  const rig = await rigUp({
    through: (transport) => ({
      send: async (message, signal) => (away ? notInBackground : transport.send(message, signal)),
    }),
  });
  await rig.begin(12_400, 'R1');
  await rig.until(() => rig.simulator.state().busy, 'the sale at the terminal');
  away = true;
  await rig.until(() => rig.payments.status().terminal.connection === 'attention', 'attention');
  expect([rig.status('R1'), rig.asked()]).toEqual(['unknown', []]);
  away = false;
  await rig.ready();
  expect([rig.status('R1'), money(rig), rig.asked()]).toEqual(['approved', ['charged 124.00'], []]);
});

describe('a sale in doubt, after a crash,', () => {
  /** The sale gets lost on its way, and then the bridge is killed. `before`: what was sold before. */
  async function lostSale(before: readonly string[]) {
    const { lose, seen, through } = createLosses();
    const rig = await rigUp({ through });
    for (const reference of before) {
      await rig.sell(12_400, reference);
      await rig.ready();
    }
    lose('sale', 'request');
    seen.length = 0;
    await rig.begin(12_500, 'R2');
    await rig.until(() => seen.includes('sale'), 'the sale on its way');
    await rig.crash();
    rig.restart();
    await rig.ready();
    return rig;
  }

  it('never happened, if the terminal does not know it and knows an earlier one', async () => {
    const rig = await lostSale(['R1']);
    expect(rig.status('R2')).toBe('failed');
  });

  it('is left to a person, if nothing shows that it is the terminal that was asked', async () => {
    const rig = await lostSale([]);
    expect([rig.status('R2'), rig.asked()]).toEqual(['unknown', [expect.stringContaining('same terminal')]]);
  });

  it('is left to a person, if the earlier one was paid on a connection before', async () => {
    const { lose, seen, through } = createLosses();
    const rig = await rigUp({ through });
    await rig.sell(12_400, 'R1');
    await rig.ready();
    await rig.crash();
    rig.restart();
    await rig.ready();
    lose('sale', 'request');
    seen.length = 0;
    await rig.begin(12_500, 'R2');
    await rig.until(() => seen.includes('sale'), 'the sale on its way');
    await rig.crash();
    rig.restart();
    await rig.ready();
    expect([rig.status('R2'), rig.asked()]).toEqual(['unknown', [expect.stringContaining('same terminal')]]);
  });

  it('is left to a person, if another terminal had it and the one before it is back', async () => {
    const rig = await rigUp();
    await rig.sell(12_400, 'R1');
    await rig.ready();
    // It asks for a sign-in, and takes the sale.
    rig.simulator.replaceTerminal('KP000002');
    await rig.begin(12_500, 'R2');
    await rig.until(() => rig.simulator.state().busy, 'the sale at the terminal');
    await rig.crash();
    await rig.until(() => !rig.simulator.state().busy, 'the charge');
    rig.simulator.replaceTerminal('KP000001');
    rig.restart();
    await rig.ready();
    expect(money(rig)).toEqual(['charged 124.00', 'charged 125.00']);
    expect([rig.status('R2'), rig.asked()]).toEqual(['unknown', [expect.stringContaining('same terminal')]]);
  });
});

it('a sale is not given to a terminal that may be another one, when that cannot be written', async () => {
  let full = false;
  const rig = await rigUp(
    {},
    {
      wrapJournal: (journal) => ({
        ...journal,
        append(...events) {
          if (full && events[0]?.type === 'terminal_lost') throw new JournalWriteError('disk full');
          return journal.append(...events);
        },
      }),
    },
  );
  await rig.sell(12_400, 'R1');
  await rig.ready();
  full = true;
  rig.simulator.replaceTerminal('KP000002');
  const sold = rig.sell(12_500, 'R2').catch(() => 'the journal is full');
  expect(await sold).not.toBe('approved');
  full = false;
  await rig.ready();
  expect([rig.status('R2'), money(rig)]).toEqual(['failed', ['charged 124.00']]);
  expect(await rig.sell(12_600, 'R3')).toBe('approved');
});

it('a batch is not settled on another terminal that has come in the place of its own', async () => {
  const rig = await rigUp();
  await rig.sell(12_400, 'R1');
  await rig.ready();
  rig.simulator.replaceTerminal('KP000002');
  expect(await rig.payments.submitBatch(120_000)).toMatchObject({
    ok: false,
    refusal: { message: expect.stringContaining('is another one') },
  });
  expect([rig.status('R1'), rig.sent('batch_close'), money(rig)]).toEqual([
    'approved',
    0,
    ['charged 124.00'],
  ]);
  rig.simulator.replaceTerminal('KP000001');
  expect(await rig.payments.submitBatch(120_000)).toMatchObject({ ok: true });
  expect(rig.status('R1')).toBe('settled');
});

it('a batch is not settled where the payments in it are those of another terminal', async () => {
  const rig = await rigUp();
  await rig.sell(12_400, 'R1');
  await rig.ready();
  rig.simulator.replaceTerminal('KP000002');
  await rig.sell(12_500, 'R2');
  await rig.ready();
  rig.simulator.replaceTerminal('KP000001');
  expect(await rig.payments.submitBatch(120_000)).toMatchObject({ ok: false });
  expect([rig.status('R1'), money(rig)]).toEqual(['approved', ['charged 124.00', 'charged 125.00']]);
});

describe.each(['strict', 'voids-as-type-6'] as const)('a payment that was voided by hand, on %s,', (name) => {
  const dialect = kpayDialects[name];

  it.each([
    ['the older of two', '000001', 'R1', 'R2'],
    ['the newest', '000002', 'R2', 'R1'],
  ])('is told and not settled where it is %s', async (_what, receipt, undone, standing) => {
    const rig = await rigUp({ simulator: { dialect } });
    await rig.sell(12_400, 'R1');
    await rig.sell(12_500, 'R2');
    await rig.ready();
    rig.simulator.reverseManually(receipt);
    expect(await rig.payments.submitBatch(120_000)).toMatchObject({ ok: true });
    expect([rig.status(undone), rig.status(standing)]).toEqual(['approved', 'settled']);
    expect(rig.payments.discrepancies()).toMatchObject([
      { kind: 'unexplained_reversal', references: [undone], amountMinor: undone === 'R1' ? 12_400 : 12_500 },
    ]);
  });

  it('is told and not settled where the settlement is lost with the bridge', async () => {
    const { lose, seen, through } = createLosses();
    const rig = await rigUp({ simulator: { dialect }, through });
    await rig.sell(12_400, 'R1');
    await rig.sell(12_500, 'R2');
    await rig.ready();
    rig.simulator.reverseManually('000002');
    lose('settle', 'answer');
    void rig.payments.submitBatch(120_000);
    await rig.until(() => seen.includes('settle'), 'the settlement on its way');
    await rig.crash();
    rig.restart();
    await rig.ready();
    expect([rig.status('R1'), rig.status('R2')]).toEqual(['settled', 'approved']);
    expect(rig.payments.discrepancies()).toMatchObject([
      { kind: 'unexplained_reversal', references: ['R2'] },
    ]);
  });
});

describe('a payment of which a tip was changed at the terminal,', () => {
  async function changed(part: object) {
    const { lose, seen, through } = createLosses();
    let isChanged = false;
    const rig = await rigUp({
      through: (transport) =>
        through({
          async send(message, signal) {
            const result = await transport.send(message, signal);
            const isIt = isChanged && message.uri.startsWith('/v2/pos/query?') && result.kind === 'response';
            const answer = isIt ? decodeAnswer(result.body) : null;
            const data = answer?.data as { payAmount?: string } | undefined;
            // R1; R2 is as it was.
            if (!isIt || data?.payAmount !== '000000012400') return result;
            const body = encodeAnswer({ code: 10_000, data: { ...data, ...part } });
            return { ...result, body };
          },
        }),
    });
    await rig.sell(12_400, 'R1');
    await rig.sell(12_500, 'R2');
    await rig.ready();
    isChanged = true;
    return { rig, lose, seen };
  }

  it.each<[object, string]>([
    [{ payAmount: '000000015400' }, '154.00 HKD'],
    [{ tipsAmount: '000000003000' }, '154.00 HKD'],
    [{ payCurrency: '702' }, '124.00 SGD'],
  ])('is told and not settled: %j', async (part, amount) => {
    const { rig } = await changed(part);
    expect(await rig.payments.submitBatch(120_000)).toMatchObject({ ok: true });
    await rig.ready();
    expect([rig.status('R1'), rig.status('R2')]).toEqual(['approved', 'settled']);
    expect(rig.payments.discrepancies()).toMatchObject([
      {
        kind: 'amount_differs',
        references: ['R1'],
        message: expect.stringContaining(`now holds payment R1 at ${amount} instead of 124.00 HKD`),
      },
    ]);
  });

  it('is told and not settled where the settlement is lost with the bridge', async () => {
    const { rig, lose, seen } = await changed({ payAmount: '000000015400' });
    lose('settle', 'answer');
    void rig.payments.submitBatch(120_000);
    await rig.until(() => seen.includes('settle'), 'the settlement on its way');
    await rig.crash();
    rig.restart();
    await rig.ready();
    expect([rig.status('R1'), rig.status('R2')]).toEqual(['approved', 'settled']);
    expect(rig.payments.discrepancies()).toMatchObject([{ kind: 'amount_differs', references: ['R1'] }]);
  });
});

describe('a settlement of which nothing is heard for a minute, and behind which somebody pays by hand,', () => {
  /** `daysBefore`: what was settled on each. */
  async function unheard(daysBefore: readonly number[], arrives: boolean) {
    let hears = true;
    const isInDoubt = () =>
      rig.payments
        .operationsInDoubt()
        .some(({ facts }) => facts.some(({ event }) => event.type === 'operation_in_doubt'));
    const rig: KpayRig = newRig({
      through: (transport) => ({
        async send(message, signal) {
          if (message.uri === '/v2/pos/settlement') hears = false;
          else if (!hears && isInDoubt()) {
            hears = true;
            rig.simulator.payManually(500);
          }
          const result = hears || arrives ? await transport.send(message, signal) : null;
          return hears && result !== null
            ? result
            : { kind: 'no_answer', reason: 'the connection was reset' };
        },
      }),
    });
    await rig.ready();
    for (const amountMinor of daysBefore) {
      rig.simulator.payManually(amountMinor);
      rig.simulator.closeDayManually();
      await rig.ready();
    }
    await rig.sell(12_400, 'R1');
    await rig.ready();
    void rig.payments.submitBatch(120_000);
    await rig.until(isInDoubt, 'the doubt');
    await rig.ready();
    return rig;
  }

  it.each([[[]], [[500]]])('is done, as the batch that was settled last shows (%j before)', async (days) => {
    const rig = await unheard(days, true);
    expect([rig.status('R1'), rig.asked()]).toEqual(['settled', []]);
  });

  it.each([[[]], [[500]]])('is not done where that is still the one from before (%j)', async (days) => {
    const rig = await unheard(days, false);
    expect([rig.status('R1'), rig.asked(), rig.payments.operationsInDoubt()]).toEqual(['approved', [], []]);
  });

  it.each([true, false])('is left to a person where both read the same (arrived: %s)', async (arrives) => {
    const rig = await unheard([12_400], arrives);
    expect([rig.status('R1'), rig.asked()]).toEqual(['approved', [expect.stringContaining('not empty')]]);
  });
});

describe('a settlement that never reaches its terminal, in whose place another one comes,', () => {
  it.each([
    ['settled a batch of its own before', true],
    ['is new', false],
  ])('is left to a person where that one %s', async (_what, isUsed) => {
    let isReplaced = false;
    const rig: KpayRig = newRig({
      through: (transport) => ({
        async send(message, signal) {
          if (isReplaced || message.uri !== '/v2/pos/settlement') return transport.send(message, signal);
          isReplaced = true;
          rig.simulator.replaceTerminal('KP000002');
          return { kind: 'no_answer', reason: 'the connection was reset' };
        },
      }),
    });
    await rig.ready();
    if (isUsed) {
      rig.simulator.replaceTerminal('KP000002');
      rig.simulator.payManually(500);
      rig.simulator.closeDayManually();
      rig.simulator.replaceTerminal('KP000001');
      await rig.ready();
    }
    await rig.sell(12_400, 'R1');
    await rig.ready();
    expect(await rig.payments.submitBatch(120_000)).toMatchObject({ ok: false });
    await rig.ready();
    expect([isReplaced, rig.status('R1'), rig.asked()]).toEqual([
      true,
      'approved',
      [expect.stringContaining('Look at the last settlement report')],
    ]);
  });
});

describe('a dialect', () => {
  const names = Object.keys(kpayDialects) as (keyof typeof kpayDialects)[];
  it.each(names.filter((name) => name !== 'surcharge' && name !== 'forgets-settled'))(
    '%s: sale, lost answer, void, and a settlement whose answer is lost',
    async (name) => {
      const { lose, through } = createLosses();
      const rig = await rigUp({ simulator: { dialect: kpayDialects[name] }, through });
      expect(await rig.sell(12_400, 'R1')).toBe('approved');
      await rig.ready();
      lose('sale', 'answer');
      await rig.sell(12_500, 'R2');
      await rig.ready();
      expect(rig.status('R2')).toBe('approved');
      lose('void', 'answer');
      expect(await rig.payments.voidPayment('R1', 60_000)).toMatchObject({ ok: true });
      await rig.ready();
      lose('settle', 'answer');
      expect(await rig.payments.submitBatch(120_000)).toMatchObject({ ok: true });
      await rig.ready();
      expect(money(rig)).toEqual(['charged 124.00', 'charged 125.00', 'reversed 124.00', 'settled 125.00']);
      expect([rig.status('R1'), rig.status('R2'), rig.payments.operationsInDoubt()]).toEqual([
        'voided',
        'settled',
        [],
      ]);
      expect([rig.sent('sale'), rig.sent('void'), rig.sent('batch_close')]).toEqual([2, 1, 1]);
    },
  );

  describe('timed-totals: behind a batch that was settled before,', () => {
    async function close(through: KpayTerminalOptions['through']) {
      const simulator = { dialect: kpayDialects['timed-totals'] };
      const rig = await rigUp({ simulator, ...(through === undefined ? {} : { through }) });
      await rig.sell(12_400, 'R1');
      await rig.ready();
      rig.simulator.closeDayManually();
      await rig.sell(12_500, 'R2');
      await rig.ready();
      const { ok } = await rig.clock.run(rig.payments.submitBatch(600_000), 'the close');
      await rig.ready();
      return { rig, ok };
    }

    const answered =
      (code: number): KpayTerminalOptions['through'] =>
      (transport) => ({
        send: async (message, signal) =>
          message.uri === '/v2/pos/settlement'
            ? { kind: 'response', status: 200, body: encodeAnswer({ code }) }
            : transport.send(message, signal),
      });

    it.each<[string, () => KpayTerminalOptions['through']]>([
      [
        'is lost',
        () => {
          const { lose, through } = createLosses();
          lose('settle', 'request');
          return through;
        },
      ],
      ['gets an answer that says nothing', () => answered(50_001)],
      ['is taken and comes to nothing', () => answered(10_000)],
    ])(
      'a settlement that %s is left to a person, though its totals read otherwise',
      async (_what, through) => {
        const { rig, ok } = await close(through());
        expect(ok).toBe(false);
        expect(money(rig)).toEqual(['charged 124.00', 'settled 124.00', 'charged 125.00']);
        expect([rig.status('R2'), rig.asked()]).toEqual([
          'approved',
          [expect.stringContaining('Look at its last settlement report')],
        ]);
      },
    );

    it('a settlement is done', async () => {
      const { rig, ok } = await close(undefined);
      expect([ok, rig.status('R2')]).toEqual([true, 'settled']);
      expect(money(rig).at(-1)).toBe('settled 125.00');
    });
  });

  it('forgets-settled: a settlement whose answer is lost is left to a person, as on a terminal that never had it', async () => {
    const { lose, through } = createLosses();
    const rig = await rigUp({ simulator: { dialect: kpayDialects['forgets-settled'] }, through });
    await rig.sell(12_400, 'R1');
    await rig.ready();
    expect(await rig.payments.submitBatch(120_000)).toMatchObject({ ok: true });
    await rig.ready();
    expect(rig.status('R1')).toBe('settled');
    await rig.sell(12_500, 'R2');
    await rig.ready();
    lose('settle', 'answer');
    expect(await rig.payments.submitBatch(120_000)).toMatchObject({ ok: false });
    await rig.ready();
    expect([rig.status('R2'), rig.asked()]).toEqual([
      'approved',
      [expect.stringContaining('Look at the last settlement report')],
    ]);
  });

  it('forgets-settled: a payment that was settled by hand is told and not settled again with the next batch', async () => {
    const rig = await rigUp({ simulator: { dialect: kpayDialects['forgets-settled'] } });
    await rig.sell(12_400, 'R1');
    await rig.ready();
    rig.simulator.closeDayManually();
    await rig.sell(12_500, 'R2');
    await rig.ready();
    expect(await rig.payments.submitBatch(120_000)).toMatchObject({ ok: true });
    expect([rig.status('R1'), rig.status('R2')]).toEqual(['approved', 'settled']);
    expect(rig.payments.discrepancies()).toMatchObject([{ kind: 'batch_differs', references: ['R1'] }]);
  });

  it('surcharge: is approved with what was taken where that is allowed, and else left to a person', async () => {
    const options = { simulator: { dialect: kpayDialects.surcharge } };
    const allowed = await rigUp(options, { maxTipPercent: 5 });
    expect(await allowed.sell(10_000, 'R1')).toBe('approved');
    expect(money(allowed)).toEqual(['charged 102.00']);
    const answer = allowed.payments.queryPayment('R1');
    expect(answer.ok ? answer.value.result?.amountMinor : null).toBe(10_200);
    const forbidden = await rigUp(options);
    expect(await forbidden.sell(10_000, 'R1')).toBe('unknown');
  });

  it('unknown-is-10001: a sale that never arrived is left to a person', async () => {
    const { lose, through } = createLosses();
    const rig = await rigUp({ simulator: { dialect: kpayDialects['unknown-is-10001'] }, through });
    lose('sale', 'request');
    expect(await rig.sell(12_400, 'R1')).toBe('unknown');
    await rig.ready();
    expect(rig.asked()).toEqual([expect.stringContaining('does not tell what became')]);
  });
});

it('has neither secret nor keys in its log', async () => {
  const lines: string[] = [];
  const log = createNotingLog(
    (_level, message, fields) => void lines.push(JSON.stringify([message, fields])),
  );
  const rig = await rigUp({}, { log });
  await rig.sell(12_400, 'R1');
  await rig.ready();
  const written = lines.join('\n');
  expect(written).toContain('"to terminal: sale"');
  expect(written).not.toMatch(/"secret"|PRIVATE|MII[A-Za-z0-9+/]{40}/);
});
