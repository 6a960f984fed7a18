/**
 * A terminal that keeps operations under numbers of ours is asked once more for what was decided without its own result: that a
 * person, or the bridge, had decided too early is told.
 */
import { describe, expect, it } from 'vitest';
import type { Resolution } from '../../src/contract/operation.ts';
import { callOf, encodeAnswer } from '../../src/bridge/terminals/kpay/wire/index.ts';
import { kpayTerminal } from '../support/kpay-terminal.ts';
import { protocolCases } from '../support/protocol-cases.ts';
import { closeRigsAfterEach, terminalUp } from '../support/rigs.ts';
import type { TerminalRig } from '../support/terminal-rig.ts';

closeRigsAfterEach();

const minuteMs = 60_000;
const askedByNumber = protocolCases.filter(({ name }) => /^(transbank|ecr-edc kbtg|kpay)$/.test(name));

function decide(rig: TerminalRig, resolution: Resolution): void {
  const [doubt] = rig.payments.operationsInDoubt();
  if (doubt === undefined) throw new Error('Nothing is in doubt.');
  const decided = rig.payments.resolve({
    operationId: doubt.operationId,
    resolution,
    by: 'Kim',
    reason: 'the customer had to go',
    terminalUnreachable: true,
  });
  expect(decided).toMatchObject({ ok: true });
}

const found = (rig: TerminalRig) =>
  rig.payments.discrepancies().map(({ kind, references, message }) => ({ kind, references, message }));
const charged = (rig: TerminalRig) => rig.ledger().filter(({ event }) => event === 'charged').length;

/** The cable is pulled while B is at the terminal, which carries it out. */
async function loseAnswer(rig: TerminalRig): Promise<void> {
  expect(await rig.sell(1_200, 'A')).toBe('approved');
  await rig.ready();
  await rig.begin(3_400, 'B');
  await rig.until(() => rig.sent('sale') === 2 && rig.simulator.state().busy, 'the sale');
  rig.cable.pull();
  await rig.until(() => charged(rig) === 2, 'the charge');
  await rig.until(() => rig.payments.operationsInDoubt().length > 0, 'the doubt');
}

const ownIds: Record<string, string> = {
  transbank: 'TB000001',
  'ecr-edc kbtg': '70000001',
  kpay: 'KP000001',
};

describe.each(askedByNumber)('on $name', ({ plugIn, name }) => {
  it('a charge that a person has called none is told when the cable is back', async () => {
    const rig = await terminalUp(plugIn);
    await loseAnswer(rig);
    decide(rig, 'not-charged');
    await rig.clock.advance(2 * minuteMs);
    expect(found(rig)).toEqual([]);
    rig.cable.put();
    await rig.ready();
    await rig.clock.advance(minuteMs);
    const contradiction = {
      kind: 'contradicted_outcome',
      references: ['B'],
      message: expect.stringMatching(
        /^Payment B was recorded as failed, but the terminal shows that it was charged/,
      ),
    };
    expect(found(rig)).toEqual([contradiction]);
    // Once.
    await rig.clock.advance(20 * minuteMs);
    expect(found(rig)).toEqual([contradiction]);
  });

  it('and so is one that was decided while another terminal stood in, when the own one is back', async () => {
    const rig = await terminalUp(plugIn);
    const own = ownIds[name] ?? '';
    await loseAnswer(rig);
    await rig.until(() => !rig.simulator.state().busy, 'the end at the terminal');
    rig.simulator.replaceTerminal('70000077');
    decide(rig, 'not-charged');
    rig.cable.put();
    await rig.ready();
    await rig.clock.advance(20 * minuteMs);
    const contradictions = () => found(rig).filter(({ kind }) => kind === 'contradicted_outcome');
    expect(contradictions()).toEqual([]);
    rig.cable.pull();
    rig.simulator.replaceTerminal(own);
    await rig.clock.advance(minuteMs);
    rig.cable.put();
    await rig.ready();
    await rig.clock.advance(10 * minuteMs);
    expect(contradictions()).toMatchObject([{ references: ['B'] }]);
  });

  it('a charge that a person has called one is told nothing of', async () => {
    const rig = await terminalUp(plugIn);
    await loseAnswer(rig);
    decide(rig, 'charged');
    rig.cable.put();
    await rig.ready();
    await rig.clock.advance(10 * minuteMs);
    expect(found(rig)).toEqual([]);
    expect(await rig.sell(5_000, 'C')).toBe('approved');
    await rig.ready();
    await rig.clock.run(rig.payments.submitBatch(10 * minuteMs), 'the close');
    await rig.crash();
    rig.restart();
    await rig.ready();
    await rig.clock.advance(10 * minuteMs);
    expect(found(rig)).toEqual([]);
  });
});

it('a void on KPay that a person has called done is told when the terminal does not know it', async () => {
  let lost = false;
  const rig = await terminalUp(
    kpayTerminal({
      through: (inner) => ({
        async send(message, signal) {
          if (callOf(message.method, message.uri) !== 'void') return inner.send(message, signal);
          lost = true;
          rig.cable.pull();
          return { kind: 'no_answer', reason: 'reset' };
        },
      }),
    }),
  );
  expect(await rig.sell(1_200, 'A')).toBe('approved');
  await rig.ready();
  void rig.payments.voidPayment('A', 1);
  await rig.until(() => lost && rig.payments.operationsInDoubt().length > 0, 'the doubt');
  decide(rig, 'voided');
  rig.cable.put();
  await rig.ready();
  await rig.clock.advance(minuteMs);
  expect(found(rig)).toEqual([
    {
      kind: 'contradicted_outcome',
      references: ['A'],
      message:
        'The void of payment A was recorded as voided, but the terminal, asked for it, does not have it. It may not have happened.',
    },
  ]);
});

it('a sale that KPay knew nothing of, and carried out later, is told', async () => {
  let deliver: (() => void) | null = null;
  let soldMs = 0;
  const rig = await terminalUp(
    kpayTerminal({
      through: (inner) => ({
        async send(message, signal) {
          const call = callOf(message.method, message.uri);
          if (call === 'sale') {
            soldMs = rig.clock.elapsed();
            deliver = () => void inner.send(message, new AbortController().signal);
            return { kind: 'no_answer', reason: 'reset' };
          }
          if (call === 'query' && rig.clock.elapsed() - soldMs < 15_000)
            return {
              kind: 'response',
              status: 200,
              body: encodeAnswer({ code: 20005, message: 'not found' }),
            };
          return inner.send(message, signal);
        },
      }),
    }),
  );
  expect(await rig.sell(3_400, 'B')).toBe('failed');
  deliver!();
  await rig.clock.advance(10 * minuteMs);
  expect(charged(rig)).toBe(1);
  expect(found(rig)).toMatchObject([{ kind: 'contradicted_outcome', references: ['B'] }]);
});
