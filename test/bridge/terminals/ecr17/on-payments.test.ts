/**
 * Payments on an ECR17 terminal: real journal, payments and driver, and a terminal that the test plays, which keeps what it
 * did whatever happens to the line. What it charged is the truth that the bridge is held against.
 */
import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../../../src/bridge/journal/index.ts';
import { openWithBackoff, type Line } from '../../../../src/bridge/lines/index.ts';
import { createMemoryPair } from '../../../../src/bridge/lines/memory.ts';
import { createPayments } from '../../../../src/bridge/payments/index.ts';
import { createEcr17Protocol } from '../../../../src/bridge/terminals/ecr17/index.ts';
import {
  createParser,
  decodeMessage,
  encodeAnswer,
  type Ecr17Message,
} from '../../../../src/bridge/terminals/ecr17/wire/index.ts';
import { overLine } from '../../../../src/bridge/terminals/over-line.ts';
import { silentLog } from '../../../../src/log/log.ts';
import { seededChance } from '../../../support/random.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { createVirtualClock, onClock } from '../../../support/virtual-clock.ts';
import { approval, frameOf, refusal, reversed, totals, type Said } from './driver-kit.ts';

/** What happens to the next command that moves money. */
type Fault = 'cut_before' | 'cut_after' | 'refuse' | 'refuse_without_number' | 'foreign_sale';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** `keepsTotals`: it can send its tickets to the till, so it may be asked for its total. */
function createTerminal({ keepsTotals = true } = {}) {
  const terminal = {
    stan: 41,
    last: approval(41),
    total: 0,
    fault: null as Fault | null,
    charges: [] as number[],
    money: [] as string[],
  };

  function sell(request: Ecr17Message) {
    const cents = Number(request.values.amount);
    terminal.stan += 1;
    terminal.charges.push(cents);
    terminal.total += cents;
    return (terminal.last = approval(terminal.stan, { hostAmount: String(cents) }));
  }
  function reverse(request: Ecr17Message) {
    const isLast = Number(request.values.stan) === terminal.stan && terminal.last.values?.result === '00';
    terminal.stan += 1;
    if (!isLast) return (terminal.last = refusal(terminal.stan));
    terminal.total -= terminal.charges.pop() ?? 0;
    return (terminal.last = reversed(terminal.stan));
  }
  /** Somebody at the terminal reverses its last payment. */
  function reverseByHand() {
    terminal.stan += 1;
    terminal.total -= terminal.charges.pop() ?? 0;
    terminal.last = reversed(terminal.stan);
  }
  function close(): Said {
    const posTotal = String(terminal.total);
    terminal.total = 0;
    return { code: 'C', values: { result: '00', posTotal, hostTotal: posTotal } };
  }

  const line: Line = {
    name: 'memory:ecr17',
    async open() {
      const [near, far] = createMemoryPair();
      const parser = createParser();
      const say = (said: Said) => void far.write(frameOf(said));
      const answer = (request: Ecr17Message) => {
        const { code } = request;
        if (code === 's') return say({ code, values: { status: '2', dateTime: '3107262122' } });
        if (code === 'G') return say(terminal.last);
        if (code === 'T') return say(totals(terminal.total));
        if (!['X', 'S', 'C'].includes(code)) return;
        const { fault } = terminal;
        terminal.fault = null;
        if (fault === 'cut_before') return void far.close();
        if (fault === 'refuse_without_number') return say((terminal.last = refusal(0)));
        if (fault === 'refuse') {
          terminal.stan += 1;
          return say((terminal.last = refusal(terminal.stan)));
        }
        const said = code === 'X' ? sell(request) : code === 'S' ? reverse(request) : close();
        if (fault === 'foreign_sale') sell(request);
        if (fault !== null) return void far.close();
        say(said);
      };
      far.onData((bytes) => {
        for (const event of parser.push(bytes)) {
          if (event.kind !== 'frame') continue;
          const request = decodeMessage(event.data, 'to_terminal');
          if (['X', 'S', 'C'].includes(request.code)) terminal.money.push(request.code);
          if (request.code === 'E' && !keepsTotals) {
            far.write(encodeAnswer('nak'));
            continue;
          }
          far.write(encodeAnswer('ack'));
          answer(request);
        }
      });
      return near;
    },
  };
  return { state: terminal, reverseByHand, line };
}

async function createRig(options?: Parameters<typeof createTerminal>[0]) {
  const folder = tempFolder('ecr17-payments');
  const clock = createVirtualClock();
  const chance = seededChance(clock);
  const log = silentLog;
  const { state, reverseByHand, line } = createTerminal(options);
  const opened = openJournal({ folder, clock, log, version: 'test' });
  if (opened.kind !== 'opened') throw new Error(opened.message);
  const { journal } = opened;
  const payments = createPayments({
    journal,
    clock,
    chance,
    log,
    currency: 'EUR',
    simulated: true,
    maxTipPercent: 0,
    runner: { heartbeatMs: 30_000 },
    stopTimeoutMs: 60_000,
    environment: {
      lineName: line.name,
      lockLine: () => ({ kind: 'held', release() {} }),
      ...overLine(createEcr17Protocol({ clock, log }), (signal, onFailure) =>
        openWithBackoff(line, { clock, signal, onFailure, random: chance.fraction }),
      ),
      clock,
      log,
    },
  });
  const watched = [journal.subscribe(() => clock.recheck()), payments.subscribe(() => clock.recheck())];
  payments.start();
  open.push(async () => {
    watched.forEach((end) => end());
    await clock.run(payments.stop(), 'the end of the bridge');
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const onTime = onClock(clock, payments);
  const rig = {
    terminal: state,
    reverseByHand,
    payments: onTime,
    clock,
    found: () =>
      journal
        .eventsAfter(0, 1_000)
        .flatMap(({ event }) => (event.type === 'discrepancy_found' ? [event] : [])),
    ready: () =>
      clock.until(() => {
        const { terminal, currentOperation } = payments.status();
        const decided = payments.operationsInDoubt().every(({ needsDecision }) => needsDecision);
        return terminal.connection === 'ready' && currentOperation === null && decided;
      }, 'a ready terminal'),
    status(reference: string) {
      const answer = payments.queryPayment(reference);
      if (!answer.ok) throw new Error(answer.refusal.message);
      return answer.value.status;
    },
    async sale(reference: string, amountMinor = 650) {
      const answer = await onTime.createPayment({ amountMinor, reference, conditionCode: '00' });
      if (!answer.ok) throw new Error(`${answer.refusal.code}: ${answer.refusal.message}`);
      await rig.ready();
      return rig.status(reference);
    },
  };
  await rig.ready();
  return rig;
}

describe('payments on an ECR17 terminal', () => {
  it('are charged once each, voided while they are the last, and settled', async () => {
    const rig = await createRig();
    expect(await rig.sale('R-1')).toBe('approved');
    expect(await rig.sale('R-2', 700)).toBe('approved');
    expect(await rig.payments.voidPayment('R-1', 60_000)).toMatchObject({
      ok: false,
      refusal: { code: 'payment_not_voidable' },
    });
    expect(await rig.payments.voidPayment('R-2', 60_000)).toMatchObject({ ok: true });
    await rig.ready();
    expect(rig.terminal.charges).toEqual([650]);
    expect(await rig.payments.submitBatch(60_000)).toMatchObject({ ok: true });
    await rig.ready();
    expect([rig.status('R-1'), rig.status('R-2')]).toEqual(['settled', 'voided']);
    expect(rig.terminal.money).toEqual(['X', 'X', 'S', 'C']);
  });

  it.each<[Fault, string, number]>([
    ['cut_after', 'approved', 1],
    ['cut_before', 'failed', 0],
    ['refuse', 'declined', 0],
    ['foreign_sale', 'unknown', 2],
  ])('with %s end as %s, without a second command', async (fault, status, charges) => {
    const rig = await createRig();
    await rig.sale('R-1');
    rig.terminal.fault = fault;
    expect(await rig.sale('R-2', 700)).toBe(status);
    expect(rig.terminal.money).toEqual(['X', 'X']);
    expect(rig.terminal.charges.filter((cents) => cents === 700)).toHaveLength(charges);
  });

  it('are a person’s to decide where the terminal does not tell its total, and nothing has changed', async () => {
    const rig = await createRig({ keepsTotals: false });
    rig.terminal.fault = 'cut_before';
    expect(await rig.sale('R-1')).toBe('unknown');
    expect(rig.terminal.money).toEqual(['X']);
  });

  it('that somebody reverses at the terminal are named, because it reverses only its last', async () => {
    const rig = await createRig();
    await rig.sale('R-1');
    rig.reverseByHand();
    await rig.clock.advance(60_000);
    await rig.ready();
    expect(rig.found().map(({ references }) => references)).toEqual([['R-1']]);
  });

  it('are named at once by the total, where a refusal without a number hides the reversal', async () => {
    const rig = await createRig();
    await rig.sale('R-1');
    rig.reverseByHand();
    rig.terminal.fault = 'refuse_without_number';
    expect(await rig.sale('R-2', 700)).toBe('declined');
    expect(rig.found()).toMatchObject([{ kind: 'unseen_records', references: ['R-1'] }]);
    expect(await rig.sale('R-3', 800)).toBe('approved');
    expect(rig.found()).toHaveLength(1);
  });

  it('are named by the next number where the terminal does not tell its total', async () => {
    const rig = await createRig({ keepsTotals: false });
    await rig.sale('R-1');
    rig.reverseByHand();
    rig.terminal.fault = 'refuse_without_number';
    await rig.sale('R-2', 700);
    expect(rig.found()).toEqual([]);
    expect(await rig.sale('R-3', 800)).toBe('approved');
    expect(rig.found()).toMatchObject([{ kind: 'unseen_records', references: ['R-1'] }]);
  });

  it('are named where the reversal came between two refusals that look alike', async () => {
    const rig = await createRig();
    await rig.sale('R-1');
    rig.terminal.fault = 'refuse_without_number';
    await rig.sale('R-2', 700);
    rig.reverseByHand();
    rig.terminal.fault = 'refuse_without_number';
    await rig.sale('R-3', 700);
    expect(rig.found()).toMatchObject([{ kind: 'unseen_records', references: ['R-1'] }]);
  });

  it('are nobody’s business where refusals without a number change nothing', async () => {
    const rig = await createRig();
    for (const [index, fault] of (
      [null, 'refuse_without_number', 'refuse_without_number', null] as const
    ).entries()) {
      rig.terminal.fault = fault;
      await rig.sale(`R-${index}`, 700);
    }
    expect(rig.found()).toEqual([]);
  });

  it.each<[Fault, string, string[]]>([
    ['cut_after', 'voided', ['X', 'S']],
    ['cut_before', 'approved', ['X', 'S']],
  ])('whose void is lost (%s) end as %s', async (fault, status, money) => {
    const rig = await createRig();
    await rig.sale('R-1');
    rig.terminal.fault = fault;
    await rig.payments.voidPayment('R-1', 60_000);
    await rig.ready();
    expect([rig.status('R-1'), rig.terminal.money, rig.found()]).toEqual([status, money, []]);
  });

  it.each<[Fault, string]>([
    ['cut_after', 'settled'],
    ['cut_before', 'approved'],
  ])('whose close is lost (%s) end as %s', async (fault, status) => {
    const rig = await createRig();
    await rig.sale('R-1');
    rig.terminal.fault = fault;
    await rig.payments.submitBatch(60_000);
    await rig.ready();
    expect([rig.status('R-1'), rig.terminal.money]).toEqual([status, ['X', 'C']]);
  });
});
