/** The ECR17 driver: what goes over the line, and what each answer, silence and damage comes to. */
import { describe, expect, it } from 'vitest';
import { encodeFrame, lrcRanges } from '../../../../src/bridge/terminals/ecr17/wire/index.ts';
import {
  answering,
  approval,
  createKit,
  frameOf,
  order,
  ready,
  refusal,
  reversed,
  sell,
  shortApproval,
  terminalId,
  totals,
  type Kit,
  type Play,
  type Terminal,
} from './driver-kit.ts';

const silent = () => {};
const refuse = (terminal: Terminal) => terminal.nak();
const poll = (kit: Kit) => kit.clock.run(kit.driver.prepare(), 'a poll', 10 * 60_000);

describe('a poll', () => {
  it('asks for the state, the last result, and once beside each result for the total, without a ticket', async () => {
    const kit = createKit();
    expect(await poll(kit)).toMatchObject({
      kind: 'ready',
      terminal: { protocol: 'ecr17', terminalId },
      lastRecord: { kind: 'record', record: { traceNumber: '000041', batchTotalMinor: 10_000 } },
    });
    expect(kit.seen).toEqual(['s', 'G', 'E', 'T', 'E']);
    await poll(kit);
    expect(kit.seen.slice(5)).toEqual(['s', 'G']);
    kit.state.last = refusal(42);
    await poll(kit);
    expect(kit.seen.slice(7)).toEqual(['s', 'G', 'E', 'T', 'E']);
  });

  it('asks for no total where the ticket of it would be printed', async () => {
    const kit = createKit();
    kit.script['E'] = [refuse, refuse, refuse];
    const readiness = await poll(kit);
    expect(readiness).toMatchObject({ kind: 'ready', lastRecord: { kind: 'record' } });
    expect(kit.seen).not.toContain('T');
    expect(JSON.stringify(readiness)).not.toContain('batchTotalMinor');
  });

  it.each([
    ['0', 'attention'],
    ['1', 'attention'],
    ['2', 'ready'],
    ['3', 'attention'],
    ['4', 'attention'],
    ['5', 'ready'],
    ['6', 'ready'],
    ['9', 'attention'],
  ])('with status %s: %s', async (status, kind) => {
    const kit = createKit();
    kit.state.status = status;
    expect((await poll(kit)).kind).toBe(kind);
  });

  it('of a terminal without a last result says that it is not known, not that there is none', async () => {
    expect(await poll(createKit(null))).toMatchObject({ kind: 'ready', lastRecord: { kind: 'unavailable' } });
  });

  it('takes a terminal that says nothing for silent, and one that refuses for busy', async () => {
    const quiet = createKit();
    quiet.script['s'] = [silent, silent, silent, silent];
    expect((await poll(quiet)).kind).toBe('silent');
    expect(quiet.seen).toEqual(['s', 's', 's', 's']);
    const busy = createKit();
    busy.script['s'] = [refuse, refuse, refuse, refuse];
    expect((await poll(busy)).kind).toBe('busy');
  });

  it.each(lrcRanges)('finds check bytes of range %s, and a sale goes out once in it', async (range) => {
    const kit = createKit();
    kit.state.range = range;
    expect((await ready(kit)).kind).toBe('ready');
    kit.script['X'] = [answering(approval(42))];
    expect((await sell(kit)).kind).toBe('done');
    expect(kit.seen).toEqual(['X']);
  });

  it('takes check bytes of no other range, once it is known', async () => {
    const kit = createKit();
    await ready(kit);
    kit.script['X'] = [
      (terminal) => {
        terminal.ack();
        terminal.say(approval(42), 'stx');
      },
    ];
    const answer = sell(kit);
    await kit.clock.advance(100);
    expect(kit.answers).toEqual(['nak']);
    kit.terminal.say(approval(42));
    expect((await answer).kind).toBe('done');
  });

  it('comes before all that moves money', async () => {
    const kit = createKit();
    await expect(sell(kit)).rejects.toThrow('harmless');
    expect(kit.seen).toEqual([]);
  });
});

describe('a sale', () => {
  async function sellTo(...play: Play[]) {
    const kit = createKit();
    await ready(kit);
    kit.script['X'] = play;
    return { kit, answer: await sell(kit) };
  }

  it('is done once the terminal says so, and acknowledged once it is on disk', async () => {
    const { kit, answer } = await sellTo((terminal) => {
      terminal.ack();
      terminal.progress('ATTENDERE PREGO');
      terminal.say(approval(42));
    });
    expect(answer).toMatchObject({
      kind: 'done',
      record: {
        kind: 'payment',
        approved: true,
        amountMinor: 650,
        currency: 'EUR',
        terminalId,
        traceNumber: '000042',
        receiptNumber: '000042',
        approvalCode: 'ABC123',
        maskedCardNumber: '****1111',
        entryMode: 'chip',
      },
    });
    await kit.clock.advance(0);
    expect([kit.seen, kit.answers, kit.progress]).toEqual([['X'], ['ack'], ['ATTENDERE PREGO']]);
    expect(kit.disk.results).toHaveLength(1);
  });

  it('with a conversion names the amount before it', async () => {
    const { hostAmount: _amount, ...values } = approval(42).values ?? {};
    const { answer } = await sellTo(
      answering({ code: 'V', values: { ...values, originalAmount: '00000650' } }),
    );
    expect(answer).toMatchObject({ kind: 'done', record: { amountMinor: 650 } });
  });

  it.each([
    ['01', 'CARTA RIFIUTATA', 'declined'],
    ['01', 'OPERAZ. ANNULLATA', 'cancelled'],
    ['01', 'ABBANDONATA', 'cancelled'],
    ['01', 'PREMUTO TASTO ROSSO', 'cancelled'],
    ['05', '', 'declined'],
    ['09', '', 'declined'],
    ['07', 'ANNULLATA', 'unknown'],
    ['99', '', 'unknown'],
  ])('with result %s "%s" is %s', async (result, description, kind) => {
    const { kit, answer } = await sellTo(answering(refusal(42, { result, description })));
    expect(answer.kind).toBe(kind);
    expect(kit.disk.results).toHaveLength(kind === 'unknown' ? 0 : 1);
  });

  it.each([
    ['another amount', approval(42, { hostAmount: '00000651' })],
    ['the answer to a reversal', reversed(42)],
  ])('that was approved with %s is in doubt, and what came is on disk', async (_what, said) => {
    const { kit, answer } = await sellTo(answering(said));
    expect(answer.kind).toBe('unknown');
    expect(kit.disk.results).toMatchObject([{ approved: true }]);
  });

  it('whose direct answer names no amount took the one that it was told', async () => {
    const { kit, answer } = await sellTo(answering(shortApproval(42)));
    expect(answer).toMatchObject({ kind: 'done', record: { amountMinor: 650, currency: 'EUR' } });
    expect(kit.disk.results).toMatchObject([{ approved: true, amountMinor: 650 }]);
  });

  it('goes out in the short form where the terminal refuses the long one, and not behind silence', async () => {
    const kit = createKit();
    await ready(kit);
    kit.script['X'] = [refuse, refuse, refuse];
    kit.script['P'] = [answering(shortApproval(42))];
    expect(await sell(kit)).toMatchObject({ kind: 'done', record: { amountMinor: 650 } });
    expect(kit.seen).toEqual(['X', 'X', 'X', 'P']);
    const { kit: quiet } = await sellTo(refuse, refuse, silent);
    expect(quiet.seen).not.toContain('P');
  });

  it('with a result that is not whole is in doubt, and nothing of it is kept', async () => {
    const whole = frameOf(approval(42));
    const { kit, answer } = await sellTo((terminal) => {
      terminal.ack();
      terminal.bytes(encodeFrame(whole.subarray(1, 60)));
    });
    expect([answer.kind, kit.disk.results]).toEqual(['unknown', []]);
  });

  it('is never sent again after silence, or behind an ACK', async () => {
    expect((await sellTo(silent)).kit.money()).toBe(1);
    const { kit, answer } = await sellTo((terminal) => {
      terminal.ack();
      terminal.nak();
    });
    expect([answer.kind, kit.money()]).toEqual(['unknown', 1]);
  });

  it('waits 5 s for the ACK, and 180 s for the result from each progress on', async () => {
    const quiet = createKit();
    await ready(quiet);
    quiet.script['X'] = [silent];
    const before = quiet.clock.elapsed();
    await sell(quiet);
    expect(quiet.clock.elapsed() - before).toBe(5_000);

    const kit = createKit();
    await ready(kit);
    const answer = sell(kit);
    await kit.clock.advance(170_000);
    kit.terminal.progress('ELABORAZIONE...');
    await kit.clock.advance(170_000);
    kit.terminal.say(approval(42));
    expect((await answer).kind).toBe('done');
  });

  it('takes a result without an ACK for both', async () => {
    const { kit, answer } = await sellTo((terminal) => terminal.say(approval(42)));
    await kit.clock.advance(0);
    expect([answer.kind, kit.money(), kit.answers]).toEqual(['done', 1, ['ack']]);
  });

  it('waits on where something came that may have been the ACK', async () => {
    const kit = createKit();
    await ready(kit);
    kit.script['X'] = [(terminal) => terminal.bytes(Uint8Array.of(0xff))];
    const answer = sell(kit);
    await kit.clock.advance(30_000);
    kit.terminal.say(approval(42));
    expect([(await answer).kind, kit.money()]).toEqual(['done', 1]);
  });

  it('is sent again after a NAK, three times in all, and then has not begun', async () => {
    expect(await sellTo(refuse, answering(approval(42)))).toMatchObject({ answer: { kind: 'done' } });
    const kit = createKit();
    await ready(kit);
    kit.script['X'] = [refuse, refuse, refuse];
    kit.script['P'] = [refuse, refuse, refuse];
    expect(await sell(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: true });
    expect(kit.seen).toEqual(['X', 'X', 'X', 'P', 'P', 'P']);
  });

  it('is in doubt where more than a NAK came', async () => {
    const damaged = frameOf(approval(42));
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    const { answer } = await sellTo(
      (terminal) => {
        terminal.bytes(damaged);
        terminal.nak();
      },
      refuse,
      refuse,
    );
    expect(answer.kind).toBe('unknown');
  });

  it('is not sent again after a NAK that may be owed to an earlier question', async () => {
    const kit = createKit();
    kit.script['s'] = [silent];
    await ready(kit);
    kit.script['X'] = [refuse, answering(approval(42))];
    expect([(await sell(kit)).kind, kit.money()]).toEqual(['unknown', 1]);
  });

  it('has its result sent again where that was damaged', async () => {
    const damaged = frameOf(approval(42));
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    const kit = createKit();
    await ready(kit);
    kit.script['X'] = [
      (terminal) => {
        terminal.ack();
        terminal.bytes(damaged);
      },
    ];
    const answer = sell(kit);
    await kit.clock.advance(100);
    expect(kit.answers).toEqual(['nak']);
    kit.terminal.say(approval(42));
    expect((await answer).kind).toBe('done');
  });

  it.each([
    ['behind the ACK', true],
    ['before it', false],
  ])('does not take the result from before for its own, told again %s', async (_when, acknowledged) => {
    const { kit, answer } = await sellTo((terminal) => {
      if (acknowledged) terminal.ack();
      terminal.say(approval(41));
      if (!acknowledged) terminal.ack();
      terminal.say(approval(42));
    });
    expect(answer).toMatchObject({ kind: 'done', record: { traceNumber: '000042' } });
    await kit.clock.advance(0);
    expect([kit.answers, kit.disk.results.length, kit.late.results]).toEqual([['ack', 'ack'], 1, []]);
  });

  it('may be given up by the customer twice, with nothing to tell the two apart', async () => {
    const givenUp = refusal(0, { description: 'ANNULLATA' });
    const kit = createKit(givenUp);
    await ready(kit);
    kit.script['X'] = [answering(givenUp)];
    expect((await sell(kit)).kind).toBe('cancelled');
  });

  it('that cannot be written is not acknowledged, and in doubt', async () => {
    const kit = createKit();
    await ready(kit);
    kit.disk.writable = false;
    kit.script['X'] = [answering(approval(42))];
    expect((await sell(kit)).kind).toBe('unknown');
    await kit.clock.advance(0);
    expect(kit.answers).toEqual([]);
  });

  it('whose result comes again is acknowledged again, and booked once', async () => {
    const { kit } = await sellTo(answering(approval(42)));
    kit.terminal.say(approval(42));
    await kit.clock.advance(10);
    expect(kit.answers).toEqual(['ack', 'ack']);
    expect([kit.disk.results.length, kit.late.results.length]).toEqual([1, 0]);
  });

  it('whose result comes after its end is offered as late, and acknowledged only if it is taken', async () => {
    const { kit } = await sellTo(silent);
    kit.terminal.say(approval(42));
    await kit.clock.advance(10);
    expect([kit.late.results.length, kit.answers]).toEqual([1, []]);
    kit.late.adopt = true;
    kit.terminal.say(approval(42));
    await kit.clock.advance(10);
    expect([kit.late.results.length, kit.answers]).toEqual([2, ['ack']]);
  });

  it('is in doubt when the line breaks behind the request, and not started where it was out before', async () => {
    const { kit, answer } = await sellTo((terminal) => terminal.unplug());
    expect(answer.kind).toBe('unknown');
    expect(await sell(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
    expect(kit.money()).toBe(1);
  });

  it('acknowledges the parts of tickets that come before its result', async () => {
    const { kit, answer } = await sellTo((terminal) => {
      terminal.ack();
      terminal.say({ code: 'S', values: { text: 'ESERCENTE' } });
      terminal.say(approval(42));
    });
    await kit.clock.advance(0);
    expect([answer.kind, kit.answers]).toEqual(['done', ['ack', 'ack']]);
  });

  it('never asks more than the places for the amount hold', async () => {
    const kit = createKit();
    await ready(kit);
    const selling = kit.driver.sale(
      { ...order, amountMinor: 100_000_000, maxAmountMinor: 100_000_000 },
      kit.watch,
    );
    expect((await kit.clock.run(selling, 'the sale')).kind).toBe('not_started');
    expect(kit.seen).toEqual([]);
  });
});

describe('a void', () => {
  const voidOrder = {
    amountMinor: 650,
    currency: 'EUR',
    receiptNumber: '000041',
    traceNumber: '000041',
    terminalId,
  } as const;
  async function reverse(kit: Kit) {
    await ready(kit);
    return kit.clock.run(kit.driver.void(voidOrder, kit.watch), 'the void', 10 * 60_000);
  }

  it('goes by the STAN of the payment, which is the last thing that the terminal did', async () => {
    const kit = createKit();
    const stans: (string | undefined)[] = [];
    kit.script['S'] = [
      (terminal, request) => {
        stans.push(request.values.stan);
        answering(reversed(42))(terminal, request);
      },
    ];
    expect(await reverse(kit)).toMatchObject({
      kind: 'done',
      record: { kind: 'reversal', amountMinor: 650, traceNumber: '000042', originalTraceNumber: '000041' },
    });
    expect([stans, kit.seen]).toEqual([['000041'], ['G', 'S']]);
  });

  it.each([
    ['another payment is the last', approval(42)],
    ['another terminal has one with its number as the last', { ...approval(41), terminalId: '37105052' }],
    ['the last has its number and another amount', approval(41, { hostAmount: '00000651' })],
    ['its own refusal is the last', refusal(41)],
    ['the last is not told', null],
  ])('is not sent where %s', async (_what, last) => {
    const kit = createKit(last);
    expect(await reverse(kit)).toMatchObject({ kind: 'not_started' });
    expect(kit.money()).toBe(0);
  });

  it.each([
    ['01', 'declined'],
    ['33', 'unknown'],
  ])('with result %s is %s', async (result, kind) => {
    const kit = createKit();
    kit.script['S'] = [answering(refusal(42, { result }))];
    expect((await reverse(kit)).kind).toBe(kind);
  });

  it('is sent where the last result names no amount', async () => {
    const kit = createKit(shortApproval(41));
    kit.script['S'] = [answering(reversed(42))];
    expect((await reverse(kit)).kind).toBe('done');
  });

  it('that another terminal answers is in doubt, and nothing of it is kept', async () => {
    const kit = createKit();
    kit.script['S'] = [answering({ ...reversed(42), terminalId: '37105052' })];
    expect(await reverse(kit)).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('37105052 instead of 37105051') as string,
    });
    expect([kit.disk.results, kit.money()]).toEqual([[], 1]);
  });

  it('is not done by the approval of a payment', async () => {
    const kit = createKit();
    kit.script['S'] = [answering(approval(42))];
    expect(await reverse(kit)).toEqual({ kind: 'unknown', reason: expect.any(String) });
    expect([kit.disk.results, kit.money()]).toEqual([[], 1]);
  });

  it('is never sent again after silence', async () => {
    const kit = createKit();
    kit.script['S'] = [silent];
    expect([(await reverse(kit)).kind, kit.money()]).toEqual(['unknown', 1]);
  });
});

describe('a close', () => {
  async function close(kit: Kit, isNew = true) {
    if (isNew) await ready(kit);
    return kit.clock.run(
      kit.driver.closeBatch({ currency: 'EUR', terminalId }, kit.watch),
      'the close',
      10 * 60_000,
    );
  }
  const closed = (posTotal: string, hostTotal: string) =>
    answering({ code: 'C', values: { result: '00', posTotal, hostTotal } });

  it('tells its total', async () => {
    const kit = createKit();
    kit.script['C'] = [closed('10000', '10000')];
    expect(await close(kit)).toMatchObject({
      kind: 'done',
      record: { kind: 'batch_close', amountMinor: 10_000, currency: 'EUR', resultText: 'Approved' },
    });
    expect(kit.seen).toEqual(['E', 'T', 'E', 's', 'C']);
  });

  it('is not sent to another terminal', async () => {
    const kit = createKit();
    await ready(kit);
    kit.script['s'] = [answering({ code: 's', terminalId: '37105052', values: { status: '2' } })];
    expect(await close(kit, false)).toMatchObject({
      kind: 'not_started',
      reason: expect.stringContaining('37105052 instead of 37105051') as string,
    });
    expect(kit.money()).toBe(0);
  });

  it('that another terminal answers is in doubt, and nothing of it is kept', async () => {
    const kit = createKit();
    kit.script['C'] = [
      answering({ code: 'C', terminalId: '37105052', values: { result: '00', posTotal: '10000' } }),
    ];
    expect(await close(kit)).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('37105052 instead of 37105051') as string,
    });
    expect([kit.disk.results, kit.money()]).toEqual([[], 1]);
  });

  it('is done with two totals that differ, and says so', async () => {
    const kit = createKit();
    kit.script['C'] = [closed('10000', '9000')];
    const answer = await close(kit);
    expect(answer).toMatchObject({ kind: 'done', record: { amountMinor: 10_000 } });
    expect(JSON.stringify(answer)).toContain('100.00 EUR and the bank 90.00 EUR');
  });

  it('that the terminal refuses is not done', async () => {
    const kit = createKit();
    kit.script['C'] = [answering({ code: 'C', values: { result: '01', description: 'SBILANCIO' } })];
    expect(await close(kit)).toMatchObject({ kind: 'declined', reason: 'SBILANCIO' });
  });

  it('is never sent again after silence', async () => {
    const kit = createKit();
    kit.script['C'] = [silent];
    expect([(await close(kit)).kind, kit.money()]).toEqual(['unknown', 1]);
  });
});

describe('a terminal that hangs up among its tickets', () => {
  const part = { code: 'S', values: { text: 'COPIA CLIENTE' } };
  const overTcp = () => createKit(approval(41), { framing: 'tcp', receipts: 'pos' });

  it('has answered, and is called again for the next command', async () => {
    const kit = overTcp();
    await ready(kit);
    const before = kit.calls();
    kit.script['X'] = [
      (terminal, request) => {
        answering(approval(42))(terminal, request);
        terminal.say(part);
        terminal.unplug();
      },
    ];
    expect((await sell(kit)).kind).toBe('done');
    kit.state.last = approval(42);
    expect([(await poll(kit)).kind, kit.ended(), kit.money()]).toEqual(['ready', null, 1]);
    expect(kit.calls()).toBeGreaterThan(before);
  });

  it('has answered, also seconds after its answer', async () => {
    const kit = overTcp();
    await ready(kit);
    kit.script['X'] = [
      (terminal, request) => {
        answering(approval(42))(terminal, request);
        terminal.say(part);
      },
    ];
    const selling = sell(kit);
    await kit.clock.until(() => kit.answers.length > 1, 'the first part');
    for (let parts = 0; parts < 3; parts += 1) {
      await kit.clock.advance(1_500);
      kit.terminal.say(part);
    }
    await kit.clock.advance(1_500);
    kit.terminal.unplug();
    expect([(await selling).kind, kit.ended()]).toEqual(['done', null]);
  });

  it('is not asked a second time for its total', async () => {
    const kit = overTcp();
    kit.script['T'] = [
      (terminal, request) => {
        answering(totals(10_000))(terminal, request);
        terminal.unplug();
      },
    ];
    await poll(kit);
    expect(kit.seen.filter((code) => code === 'T')).toHaveLength(1);
  });
});
