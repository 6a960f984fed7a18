/** What an ECR17 terminal shows of an operation in doubt, as the driver finds it, and what that proves. */
import { describe, expect, it } from 'vitest';
import { continuity, reconcile } from '../../../../src/bridge/terminals/ecr17/evidence.ts';
import { createEcr17Protocol } from '../../../../src/bridge/terminals/ecr17/index.ts';
import { resultRecord } from '../../../../src/bridge/terminals/ecr17/record.ts';
import { decodeMessage } from '../../../../src/bridge/terminals/ecr17/wire/index.ts';
import type { LookUp, OperationInDoubt } from '../../../../src/bridge/terminals/terminal-driver.ts';
import type { LastRecord, TerminalRecord } from '../../../../src/contract/terminal.ts';
import { silentLog } from '../../../../src/log/log.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';
import { batch, sale, voidOf } from '../../journal/sample-events.ts';
import {
  answering,
  approval,
  createKit,
  frameOf,
  identity,
  lookUp,
  ready,
  refusal,
  reversed,
  totals,
  type Kit,
  type Said,
} from './driver-kit.ts';

function recordOf(said: Said): TerminalRecord {
  const record = resultRecord(decodeMessage(frameOf(said).slice(1, -2), 'from_terminal'));
  if (record === null) throw new Error('no result');
  return record;
}
const shown = (said: Said, batchTotalMinor?: number): LastRecord => ({
  kind: 'record',
  record: { ...recordOf(said), ...(batchTotalMinor === undefined ? {} : { batchTotalMinor }) },
});
const baseline = shown(approval(41), 10_000);
const sold = sale({ amountMinor: 650, terminal: identity, baseline });
const voided = voidOf(sold, { terminal: identity, receiptNumber: '000041', traceNumber: '000041', baseline });

function doubtOf(part: Partial<OperationInDoubt> = {}): OperationInDoubt {
  return { operation: sold, result: null, acknowledged: false, showsRecords: true, ...part };
}
/** What recovery makes of it: the driver looks, and the rules say what that proves. */
async function recover(kit: Kit, inDoubt: OperationInDoubt) {
  const found = await lookUp(kit, inDoubt);
  return found.kind === 'pending' ? found : reconcile(inDoubt, identity, found);
}
async function connected(last: Said | null = approval(41)): Promise<Kit> {
  const kit = createKit(last);
  await ready(kit);
  return kit;
}

describe('a sale in doubt', () => {
  it.each<[string, Said, string]>([
    ['the next result approves it', approval(42), 'done'],
    ['the next result refuses it', refusal(42), 'not_done'],
    ['the next result is of another amount', approval(42, { hostAmount: '00000600' }), 'needs_decision'],
    ['the next result names no amount', { ...approval(42), length: 71 }, 'needs_decision'],
    ['the next result is a reversal', reversed(42), 'needs_decision'],
    ['the next result has a code that nobody knows', refusal(42, { result: '33' }), 'needs_decision'],
    ['a number is missing between', approval(43), 'needs_decision'],
    ['a number is missing before a refusal', refusal(43), 'needs_decision'],
    ['a refusal has no number', refusal(0), 'needs_decision'],
    ['the same number has another end', refusal(41), 'needs_decision'],
  ])('where %s', async (_what, said, kind) => {
    const values = { ...said.values };
    if (said.length === 71) {
      delete values.actionCode;
      delete values.hostAmount;
    }
    const kit = await connected({ ...said, values });
    expect((await recover(kit, doubtOf())).kind).toBe(kind);
    expect(kit.money()).toBe(0);
  });

  it('is not done where nothing has changed, twice, 10 s apart', async () => {
    const kit = await connected();
    const inDoubt = doubtOf();
    const looks: string[] = [];
    for (const pauseMs of [0, 9_000, 900, 100]) {
      await kit.clock.advance(pauseMs);
      looks.push((await recover(kit, inDoubt)).kind);
    }
    expect(looks).toEqual(['pending', 'pending', 'pending', 'not_done']);
  });

  it.each<[string, (kit: Kit) => void]>([
    ['its total has changed', (kit) => void (kit.state.total = 10_650)],
    [
      'it does not tell its total',
      (kit) => void (kit.script['T'] = [(one) => one.nak(), (one) => one.nak(), (one) => one.nak()]),
    ],
    ['it may have to be updated first', (kit) => void (kit.state.status = '6')],
    [
      'it refuses the total',
      (kit) => void (kit.script['T'] = [answering({ ...totals(0), values: { result: '01' } })]),
    ],
  ])('is a person’s where nothing has changed, but %s', async (_what, change) => {
    const kit = await connected();
    expect((await recover(kit, doubtOf())).kind).toBe('pending');
    await kit.clock.advance(11_000);
    change(kit);
    expect((await recover(kit, doubtOf())).kind).toBe('needs_decision');
  });

  it('is a person’s where nothing has changed, and the total from before is not known', async () => {
    const kit = await connected();
    const operation = { ...sold, baseline: shown(approval(41)) };
    expect((await recover(kit, doubtOf({ operation }))).kind).toBe('needs_decision');
  });

  it('begins the 10 s anew after a change, and for another operation', async () => {
    const kit = await connected();
    await recover(kit, doubtOf());
    await kit.clock.advance(11_000);
    const other = doubtOf({ operation: { ...sold, operationId: 'another' } });
    expect((await recover(kit, other)).kind).toBe('pending');
    kit.state.total = 1;
    await recover(kit, other);
    await kit.clock.advance(11_000);
    kit.state.total = 10_000;
    expect((await recover(kit, other)).kind).toBe('pending');
  });

  it('waits 3 min for a terminal that does not tell its last result, and then for a person', async () => {
    const kit = await connected();
    kit.state.last = null;
    const looks: LookUp['kind'][] = [];
    for (const pauseMs of [0, 100_000, 79_000, 1_000]) {
      await kit.clock.advance(pauseMs);
      looks.push((await lookUp(kit, doubtOf())).kind);
    }
    expect(looks).toEqual(['pending', 'pending', 'pending', 'unavailable']);
  });

  it('is a person’s by the last result alone, or where nothing was known before', () => {
    expect(reconcile(doubtOf(), identity, shown(approval(41))).kind).toBe('needs_decision');
    const unknown = { ...sold, baseline: { kind: 'unavailable', reason: 'no' } } as const;
    expect(reconcile(doubtOf({ operation: unknown }), identity, shown(approval(42))).kind).toBe(
      'needs_decision',
    );
  });

  it('is not decided by another terminal', () => {
    const elsewhere = { protocol: 'ecr17', terminalId: '99999999' } as const;
    const there: LastRecord = {
      kind: 'record',
      record: { ...recordOf(approval(42)), terminalId: '99999999' },
    };
    expect(reconcile(doubtOf(), elsewhere, there).kind).toBe('other_terminal');
  });

  it.each<[string, Said, LastRecord, string]>([
    ['approval, told again', approval(42), shown(approval(42)), 'done'],
    ['approval, with others since', approval(42), shown(approval(44)), 'done'],
    ['approval, and the result from before is shown', approval(42), baseline, 'needs_decision'],
    ['approval, and nothing has changed', approval(42), { kind: 'empty' }, 'needs_decision'],
    ['approval of another amount', approval(42, { hostAmount: '1' }), shown(approval(42)), 'needs_decision'],
    ['refusal', refusal(42), shown(approval(44)), 'not_done'],
    ['refusal, and nothing has changed', refusal(42), { kind: 'empty' }, 'not_done'],
  ])('with our own result on disk: %s', (_what, said, last, kind) => {
    expect(reconcile(doubtOf({ result: recordOf(said) }), identity, last).kind).toBe(kind);
  });
});

describe('a void in doubt', () => {
  it('is done by the next result, and then names amount and payment', async () => {
    const kit = await connected(reversed(42));
    expect(await recover(kit, doubtOf({ operation: voided }))).toMatchObject({
      kind: 'done',
      record: { kind: 'reversal', amountMinor: 650, originalTraceNumber: '000041', traceNumber: '000042' },
    });
  });

  it.each<[string, Said, string]>([
    ['a payment is next', approval(42), 'needs_decision'],
    ['a refusal is next', refusal(42), 'not_done'],
    ['a reversal is later', reversed(43), 'needs_decision'],
  ])('where %s', async (_what, said, kind) => {
    const kit = await connected(said);
    expect((await recover(kit, doubtOf({ operation: voided }))).kind).toBe(kind);
  });

  it('is not done where nothing has changed, twice', async () => {
    const kit = await connected();
    await recover(kit, doubtOf({ operation: voided }));
    await kit.clock.advance(10_000);
    expect((await recover(kit, doubtOf({ operation: voided }))).kind).toBe('not_done');
  });
});

describe('a close in doubt', () => {
  const closing = (before: number | undefined, expectedMinor = 10_000) =>
    doubtOf({
      operation: batch({
        terminal: identity,
        baseline: shown(approval(41), before),
        expected: { count: 1, totalMinor: expectedMinor },
      }),
    });

  it.each<[string, number | undefined, number, string]>([
    ['the total is gone', 10_000, 0, 'done'],
    ['the total is gone, and only ours from before are known', undefined, 0, 'done'],
    ['the total is another one', 10_000, 500, 'needs_decision'],
    ['there was no total before', 0, 0, 'needs_decision'],
    ['the total was below zero', -100, 0, 'needs_decision'],
  ])('where %s', async (_what, before, now, kind) => {
    const kit = await connected();
    kit.state.total = now;
    expect((await recover(kit, closing(before))).kind).toBe(kind);
    expect(kit.money()).toBe(0);
  });

  it('is not done where the total is as before, twice', async () => {
    const kit = await connected();
    const inDoubt = closing(10_000);
    expect((await recover(kit, inDoubt)).kind).toBe('pending');
    await kit.clock.advance(10_000);
    expect((await recover(kit, inDoubt)).kind).toBe('not_done');
  });

  it('keeps the totals of a result that had come', async () => {
    const kit = await connected();
    const result = { ...recordOf(approval(42)), kind: 'batch_close', amountMinor: 10_000 } as const;
    expect(await recover(kit, { ...closing(10_000), result })).toMatchObject({
      kind: 'done',
      record: { amountMinor: 10_000 },
    });
  });
});

describe('the order of results', () => {
  it.each<[string, LastRecord, LastRecord, string]>([
    ['the same', shown(approval(41)), shown(approval(41), 5), 'same'],
    ['the next', shown(approval(41)), shown(refusal(42)), 'next'],
    ['the next behind the highest', shown(approval(999_999)), shown(approval(1)), 'next'],
    ['a later one', shown(approval(41)), shown(approval(43)), 'gap'],
    ['the same number with another end', shown(approval(41)), shown(refusal(41)), 'gap'],
    ['one without a number', shown(approval(41)), shown(refusal(0)), 'unknown'],
    ['one without a number, total as before', shown(approval(41), 5), shown(refusal(0), 5), 'unknown'],
    ['one without a number, another total', shown(approval(41), 5), shown(refusal(0), 0), 'gap'],
    ['two without a number, another total', shown(refusal(0), 5), shown(refusal(0), 0), 'gap'],
    ['none that was told', shown(approval(41)), { kind: 'unavailable', reason: 'no' }, 'unknown'],
  ])('%s', (_what, before, now, expected) => {
    expect(continuity(before, now)).toBe(expected);
  });
});

describe('what the protocol cannot do', () => {
  const protocol = createEcr17Protocol({ clock: createVirtualClock(), log: silentLog });
  it('is refused before anything is journaled', () => {
    const refused = (amountMinor: number, currency: 'EUR' | 'CHF') =>
      protocol.refuseSale?.({ amountMinor, currency });
    expect(refused(99_999_999, 'EUR')).toBeNull();
    expect(refused(100_000_000, 'EUR')).toContain('99999999');
    expect(refused(100, 'CHF')).toContain('euros');
    expect(protocol.cannotCancel).toContain('red key');
  });

  it('is a void of anything but the last that the terminal did', () => {
    const payment = recordOf(approval(41));
    expect(protocol.refuseVoid?.(payment, shown(approval(41), 10_000))).toBeNull();
    for (const last of [shown(approval(42)), shown(refusal(42)), { kind: 'empty' } as const])
      expect(protocol.refuseVoid?.(payment, last)).toContain('only what it did last');
  });
});
