/** What the simulated ECR17 terminal does with requests and payments, seen by a till that knows the bytes alone. */
import { describe, expect, it } from 'vitest';
import { LedgerError } from '../../../src/simulator/index.ts';
import { ecr17Dialects } from '../../../src/simulator/ecr17/dialects.ts';
import { settle } from '../../support/virtual-clock.ts';
import { lastResult, part, pay, printOnTill, reprint, reverse, setUp, status, totals } from './kit.ts';
import { frameOf } from './till.ts';

const answerTo = async (kit: ReturnType<typeof setUp>, request: string) =>
  (await kit.connect().ask(request)).at(-1);

describe('a request', () => {
  it('of its state is acknowledged at once, and answered with date, state and software', async () => {
    const kit = setUp();
    const [ack, answer, ...rest] = await kit.connect().ask(status);
    expect([ack, rest]).toEqual(['ACK', []]);
    expect(answer).toMatch(/^170000010s0{10}\d{10}2TILLSIM 100$/);
  });

  it('in pieces is taken, one with a bad check byte gets NAK', async () => {
    const kit = setUp();
    const till = kit.connect();
    const frame = frameOf(status);
    till.raw(...frame.slice(0, -1), (frame.at(-1) ?? 0) ^ 0x40);
    await settle();
    expect(till.heard).toEqual(['NAK']);
    for (const byte of frame) till.raw(byte);
    await kit.clock.until(() => till.heard.length === 3, 'an answer');
  });

  it('that stops in the middle gets NAK after 3 s', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.raw(...frameOf(status).slice(0, 5));
    await kit.clock.advance(2_999);
    expect(till.heard).toEqual([]);
    await kit.clock.advance(1);
    expect(till.heard).toEqual(['NAK']);
  });

  it.each([
    ['an unknown code', '000000000Z'],
    ['a card check', `000000000H${'0'.repeat(29)}`],
    ['a last result without a till', '000000000G'],
    ['a last result that is too long', `${lastResult}0`],
    ['a till that is no number', lastResult.replace('00000001', '0000A001')],
    ['a payment of nothing', pay(0)],
    ['an amount with a point', pay(650).replace('00000650', '00006.50')],
    ['another terminal', pay(650).replace(/^0{8}/, '12345678')],
    ['a kind of card that there is not', `${pay(650).slice(0, 22)}9${pay(650).slice(23)}`],
    ['a reprint of what there is not', reprint('1', '1')],
  ])('with %s gets NAK, and nothing is done', async (_what, request) => {
    const kit = setUp();
    const till = kit.connect();
    till.send(request);
    await settle();
    expect([till.heard, kit.ledger()]).toEqual([['NAK'], []]);
  });

  it('that comes while it is busy gets NAK; the payment goes on', async () => {
    const kit = setUp({ timeScale: 1 });
    const till = kit.connect();
    till.send(pay(650));
    await kit.clock.advance(100);
    till.send(status);
    await settle();
    expect(till.heard).toEqual(['ACK', '> INSERIRE CARTA', 'NAK']);
    await kit.clock.advance(1_000);
    expect(part(till.heard.at(-1), 11, 2)).toBe('00');
  });

  it.each(['0', '1', '3', '4'])('for money gets NAK in state %s', async (state) => {
    const kit = setUp();
    kit.simulator.setStatus(state);
    const till = kit.connect();
    till.send(pay(650));
    await settle();
    expect(till.heard).toEqual(['NAK']);
    expect(part((await till.ask(status)).at(-1), 31, 1)).toBe(state);
  });
});

describe('a payment', () => {
  it('is in the ledger before it is answered, with the amount of the host where that was asked for', async () => {
    const kit = setUp();
    const till = kit.connect();
    let ledgerThen: string[] = [];
    till.reply = () => {
      ledgerThen = kit.ledger();
      return 'ack';
    };
    const answer = (await till.ask(pay(650))).at(-1);
    expect(ledgerThen).toEqual(['charged 6.50 000002']);
    expect(answer).toMatch(
      /^170000010E000{15}0019ICCA[0-9A-Z]{5}\d{7}200000000202000002000059000000006500{10}$/,
    );
    expect(answer).toHaveLength(92);
    expect(await answerTo(kit, pay(650, 'P'))).toHaveLength(71);
  });

  it.each([
    ['declined', 601, /^170000010E01CARTA RIFIUTATA {9}0{11}/],
    ['cancelled', 602, /^170000010E01OPERAZ. ANNULLATA {7}0{11}/],
  ])('that is %s is kept as a result, and takes no money', async (_what, amount, answer) => {
    const kit = setUp();
    const till = kit.connect();
    const said = (await till.ask(pay(amount))).at(-1);
    expect(said).toMatch(answer);
    expect((await till.ask(lastResult)).at(-1)).toBe(said);
    expect(part((await till.ask(totals)).at(-1), 13, 16)).toBe('0'.repeat(16));
  });

  it('that wants a card inserted, or tags, is refused', async () => {
    const kit = setUp();
    expect(part(await answerTo(kit, pay(650, 'X', { tags: '0', card: '1' })), 11, 2)).toBe('05');
    expect(part(await answerTo(kit, pay(650, 'X', { tags: '1', card: '0' })), 11, 2)).toBe('09');
    expect(kit.simulator.state().openBatch.count).toBe(0);
  });

  it('tells what it waits for', async () => {
    const kit = setUp({ timeScale: 1 });
    expect((await kit.connect().ask(pay(603))).slice(1, -1)).toEqual([
      '> INSERIRE CARTA',
      '> CARTA NON LETTA',
      '> DIGITARE PIN',
      '> ELABORAZIONE...',
    ]);
  });

  it('is told again three times in all, 3 s after one another, and stands whatever the till says', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.reply = () => 'nothing';
    const [, , , , first] = await till.ask(pay(650));
    await kit.clock.advance(60_000);
    expect(till.heard.filter((one) => one === first)).toHaveLength(3);
    till.reply = () => 'ack';
    expect((await till.ask(lastResult)).at(-1)).toBe(first);
    expect(kit.ledger()).toEqual(['charged 6.50 000002']);
  });

  it('is told again on NAK', async () => {
    const kit = setUp();
    const till = kit.connect();
    let refused = 0;
    till.reply = () => (refused++ < 1 ? 'nak' : 'ack');
    await till.ask(pay(650));
    await kit.clock.until(() => till.heard.length === 6, 'the answer again');
    expect(till.heard.at(-1)).toBe(till.heard.at(-2));
  });

  it('whose line is cut in the middle of the answer stands, and is told again only to who asks', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.send(pay(605));
    await kit.clock.until(() => till.closed, 'the cut');
    expect(till.heard.slice(1)).toEqual(['> INSERIRE CARTA', '> DIGITARE PIN', '> ELABORAZIONE...']);
    await kit.clock.advance(3_000);
    const again = kit.connect();
    await kit.clock.advance(30_000);
    expect(again.heard).toEqual([]);
    expect(part((await again.ask(lastResult)).at(-1), 75, 8)).toBe('00000605');
  });

  it('whose till connects anew meanwhile is told to nobody but who asks', async () => {
    const kit = setUp({ timeScale: 1 });
    kit.connect().send(pay(650));
    await kit.clock.advance(100);
    const again = kit.connect();
    again.send(lastResult);
    await settle();
    expect(again.heard).toEqual(['NAK']);
    await kit.clock.advance(10_000);
    expect(again.heard).toEqual(['NAK']);
    expect(part((await again.ask(lastResult)).at(-1), 60, 6)).toBe('000002');
  });

  it.each([
    ['loses power', 604, 3_000],
    ['falls silent', 609, 20_000],
  ])('whose terminal %s is not charged, and the result from before is told', async (_what, amount, outMs) => {
    const kit = setUp();
    const before = await answerTo(kit, lastResult);
    kit.connect().send(pay(amount));
    await kit.clock.advance(outMs + 100);
    expect([await answerTo(kit, lastResult), kit.ledger()]).toEqual([before, []]);
  });

  it('on a noisy line gets NAK once, then comes in pieces with a bad check byte first', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.send(pay(608));
    await settle();
    expect(till.heard).toEqual(['NAK']);
    till.send(pay(608));
    await kit.clock.until(() => !kit.simulator.state().busy && till.heard.length > 2, 'the end');
    expect(till.heard.filter((one) => one === 'bad LRC')).toHaveLength(1);
    expect(kit.ledger()).toEqual(['charged 6.08 000002']);
  });
});

describe('its memory', () => {
  it('outlives a restart: the last result is the same, byte for byte, and numbers go on', async () => {
    const kit = setUp();
    const said = await answerTo(kit, pay(650));
    await kit.restart();
    expect(await answerTo(kit, lastResult)).toBe(said);
    expect(part(await answerTo(kit, pay(700)), 60, 6)).toBe('000003');
    expect(part(await answerTo(kit, totals), 13, 16)).toBe('0000000000001350');
  });

  it('of another terminal is empty, and a ledger in another currency is refused', async () => {
    const kit = setUp();
    const said = await answerTo(kit, pay(650));
    await kit.restart({ terminalId: '17000002' });
    expect(await answerTo(kit, lastResult)).not.toBe(said);
    await expect(kit.restart({ currency: 'CHF' })).rejects.toThrow(LedgerError);
  });

  it('has no result when it was never used, where the dialect says so', async () => {
    const kit = setUp({ dialect: ecr17Dialects['never-used'] });
    const till = kit.connect();
    till.send(lastResult);
    await settle();
    expect(till.heard).toEqual(['NAK']);
  });

  it('loses its last result with the power, where the dialect says so, and no money', async () => {
    const kit = setUp({ dialect: ecr17Dialects['forgets-the-last'] });
    const before = await answerTo(kit, lastResult);
    await answerTo(kit, pay(650));
    kit.simulator.losePower(1_000);
    await kit.clock.advance(1_000);
    expect(await answerTo(kit, lastResult)).toBe(before);
    expect(part(await answerTo(kit, totals), 13, 16)).toBe('0000000000000650');
  });
});

describe('tickets', () => {
  const parts = (heard: string[]) => heard.filter((one) => one[9] === 'S').map((one) => one.slice(10));

  it('come to the till once it was asked for, in parts of 200 characters at most, for one operation', async () => {
    const kit = setUp();
    const till = kit.connect();
    till.send(printOnTill('1'));
    await till.ask(pay(650));
    await kit.clock.until(() => !kit.simulator.state().busy, 'the end');
    const got = parts(till.heard);
    expect(got.length).toBeGreaterThan(1);
    expect(Math.max(...got.map((one) => one.length))).toBeLessThanOrEqual(200);
    const tickets = got.join('').split('\u001b');
    expect(tickets).toEqual([
      expect.stringContaining('COPIA CLIENTE'),
      expect.stringContaining('COPIA ESERCENTE'),
      '',
    ]);
    for (const ticket of tickets.slice(0, 2)) expect(ticket.endsWith('}'.repeat(6))).toBe(true);
    till.heard.length = 0;
    await till.ask(pay(650));
    await settle();
    expect(parts(till.heard)).toEqual([]);
  });

  it('come again on request, to the till or on paper', async () => {
    const kit = setUp();
    const till = kit.connect();
    await till.ask(pay(650));
    till.heard.length = 0;
    till.send(reprint('0', '0'));
    await settle();
    expect(till.heard).toEqual(['ACK']);
    till.send(reprint('1', '0'));
    await kit.clock.until(() => parts(till.heard).join('').split('\u001b').length === 3, 'two tickets');
  });

  it('stand before the result where the dialect says so', async () => {
    const kit = setUp({ dialect: ecr17Dialects['tickets-first'] });
    const till = kit.connect();
    till.send(printOnTill('1'));
    const heard = await till.ask(pay(650));
    expect(parts(heard).length).toBeGreaterThan(1);
  });

  it('cannot come where the terminal prints itself', async () => {
    const kit = setUp({ dialect: ecr17Dialects['prints-itself'] });
    const till = kit.connect();
    till.send(printOnTill('1'));
    await settle();
    expect(till.heard).toEqual(['NAK']);
  });
});

describe('a dialect', () => {
  it.each(['lrc-etx', 'lrc-std', 'lrc-stx'] as const)(
    '%s takes and sends check bytes of its range alone',
    async (name) => {
      const dialect = ecr17Dialects[name];
      const kit = setUp({ dialect });
      const till = kit.connect();
      till.raw(...frameOf(status));
      await settle();
      expect(till.heard).toEqual(['NAK']);
      expect((await till.ask(status)).at(-1)).toMatch(/^170000010s/);
    },
  );

  it('hangs-up closes the connection after each command, also after that about tickets, and forgets nothing', async () => {
    const kit = setUp({ dialect: ecr17Dialects['hangs-up'] });
    const till = kit.connect();
    await till.ask(status);
    await kit.clock.until(() => till.closed, 'the end of the connection');
    const second = kit.connect();
    second.send(printOnTill('1'));
    await kit.clock.until(() => second.closed, 'the end of the connection');
    const third = kit.connect();
    await third.ask(pay(650));
    await kit.clock.until(() => third.closed, 'the end of the connection');
    expect(third.heard.some((one) => one.includes('COPIA CLIENTE'))).toBe(true);
  });

  it('hangs-up leaves a pseudo-terminal as it is', async () => {
    const kit = setUp({ dialect: ecr17Dialects['hangs-up'] });
    const till = kit.connect('pseudoTerminal');
    await till.ask(status);
    await settle();
    expect((await till.ask(status)).at(-1)).toMatch(/^170000010s/);
  });

  it('wants-its-id refuses any other', async () => {
    const kit = setUp({ dialect: ecr17Dialects['wants-its-id'] });
    const till = kit.connect();
    till.send(status);
    await settle();
    expect(till.heard).toEqual(['NAK']);
    expect((await till.ask('170000010s')).at(-1)).toMatch(/^170000010s/);
  });

  it('no-ack leaves it out where something else follows', async () => {
    const kit = setUp({ dialect: ecr17Dialects['no-ack'] });
    const till = kit.connect();
    expect((await till.ask(status))[0]).toMatch(/^170000010s/);
    expect((await till.ask(pay(650)))[0]).toBe('> INSERIRE CARTA');
    till.heard.length = 0;
    till.send(printOnTill('1'));
    await settle();
    expect(till.heard).toEqual(['ACK']);
  });

  it('plain-answers tells no amount, no-extended does not know X', async () => {
    expect(await answerTo(setUp({ dialect: ecr17Dialects['plain-answers'] }), pay(650))).toHaveLength(71);
    const kit = setUp({ dialect: ecr17Dialects['no-extended'] });
    const till = kit.connect();
    till.send(pay(650));
    await settle();
    expect(till.heard).toEqual(['NAK']);
    expect((await till.ask(pay(650, 'P'))).at(-1)).toHaveLength(71);
  });

  it('converts tells what a foreign card pays', async () => {
    const answer = await answerTo(setUp({ dialect: ecr17Dialects.converts }), pay(1_300));
    expect(answer).toHaveLength(117);
    expect([75, 83, 84, 92, 95].map((at, index) => part(answer, at, [8, 1, 8, 3, 13][index] ?? 0))).toEqual([
      '00001300',
      '1',
      '00010850',
      'USD',
      '0000000014112',
    ]);
  });

  it('short-answers leaves out the zeros at the end, and the card number', async () => {
    const kit = setUp({ dialect: ecr17Dialects['short-answers'] });
    const answer = await answerTo(kit, pay(650));
    expect([answer?.length, part(answer, 13, 19)]).toEqual([85, '0'.repeat(19)]);
    expect(await answerTo(kit, reverse('000002'))).toHaveLength(74);
    expect(await answerTo(kit, totals)).toHaveLength(28);
  });

  it('refusals-without-number uses up none', async () => {
    const kit = setUp({ dialect: ecr17Dialects['refusals-without-number'] });
    expect(part(await answerTo(kit, pay(601)), 60, 6)).toBe('000000');
    expect(part(await answerTo(kit, pay(650)), 60, 6)).toBe('000002');
  });

  it('refusals-forgotten tells the result before it again', async () => {
    const kit = setUp({ dialect: ecr17Dialects['refusals-forgotten'] });
    const before = await answerTo(kit, lastResult);
    await answerTo(kit, pay(601));
    expect(await answerTo(kit, lastResult)).toBe(before);
  });

  it.each([
    ['strict', 71, '000002'],
    ['keeps-own-sales', 92, '000002'],
    ['forgets-own-sales', 92, '000001'],
  ] as const)('%s: what was paid without a till is told so', async (name, length, stan) => {
    const kit = setUp({ dialect: ecr17Dialects[name] });
    expect(kit.simulator.payManually(650)).toBe('000002');
    const answer = await answerTo(kit, lastResult);
    expect([answer?.length, part(answer, 60, 6)]).toEqual([length, stan]);
    expect(part(await answerTo(kit, totals), 13, 16)).toBe('0000000000000650');
  });
});

describe('what a test has it do wrong', () => {
  it('loses an ACK, an answer, refuses, repeats', async () => {
    const kit = setUp({ dialect: { ...ecr17Dialects.strict, progress: false } });
    const till = kit.connect();
    kit.simulator.misbehave({ naks: 1 });
    till.send(pay(650));
    await settle();
    expect([till.heard.splice(0), kit.ledger()]).toEqual([['NAK'], []]);
    kit.simulator.misbehave({ lostAcks: 1 });
    expect(await till.ask(pay(650))).toHaveLength(1);
    kit.simulator.misbehave({ lostAnswers: 1 });
    till.heard.length = 0;
    till.send(pay(700));
    await kit.clock.advance(10_000);
    expect([till.heard.splice(0), kit.ledger().at(-1)]).toEqual([['ACK'], 'charged 7.00 000003']);
    kit.simulator.misbehave({ repeatedAnswers: 1 });
    await till.ask(pay(800));
    await kit.clock.until(() => till.heard.length === 3, 'the answer once more');
    expect(till.heard[2]).toBe(till.heard[1]);
    expect(kit.ledger()).toHaveLength(3);
  });
});
