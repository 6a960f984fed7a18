/** The operation on the terminal: journaled before it is claimed, and ended by the driver, by a fault or by a withdrawal. */
import { expect, it } from 'vitest';
import { JournalWriteError } from '../../../src/bridge/journal/index.ts';
import type { Journal } from '../../../src/bridge/journal/journal.ts';
import type { OperationInput } from '../../../src/bridge/payments/operation-machine.ts';
import { createOperationRunner } from '../../../src/bridge/payments/operation-runner.ts';
import type { TerminalRunner } from '../../../src/bridge/payments/terminal-runner.ts';
import type { OperationStarted } from '../../../src/contract/journal-events.ts';
import type { TerminalDriver } from '../../../src/bridge/terminals/terminal-driver.ts';
import { silentLog } from '../../../src/log/log.ts';
import { record } from '../journal/sample-events.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const sale: OperationStarted = {
  type: 'operation_started',
  kind: 'sale',
  operationId: '01a1ffe8-3316-7291-ad76-000000000001',
  reference: 'A-1',
  conditionCode: '00',
  amountMinor: 1_200,
  currency: 'EUR',
  terminal: { protocol: 'zvt', terminalId: '52500041' },
  baseline: { kind: 'empty' },
  simulated: false,
};

function setUp(noteRefusal = () => {}) {
  const seen: string[] = [];
  const applied: OperationInput[] = [];
  let claimed: Parameters<TerminalRunner['begin']>[0] | undefined;
  const operations = createOperationRunner({
    journal: { operation: () => null } as unknown as Journal,
    writer: {
      trouble: null,
      begin: () => void seen.push('journaled'),
      apply(_operationId, ...inputs) {
        applied.push(...inputs);
        return true;
      },
      append: () => true,
      read(find, otherwise) {
        try {
          return find();
        } catch (error) {
          if (error instanceof JournalWriteError) return otherwise;
          throw error;
        }
      },
    },
    terminal: {
      begin(runnable) {
        seen.push('claimed');
        claimed = runnable;
      },
    },
    recordContinuity: { noteRefusal },
    recovery: { nameUncovered() {} },
    clock: createVirtualClock(),
    log: silentLog,
    uuid: () => '',
    onAnswer() {},
    onEnd: () => void seen.push('ended'),
  });
  function begin(order: Parameters<typeof operations.begin>[1]) {
    expect(operations.begin(sale, order, undefined)).toBeNull();
    if (claimed === undefined) throw new Error('the terminal was not claimed');
    return claimed;
  }
  return { operations, begin, seen, applied };
}

const driver = {} as TerminalDriver;

it('journals an operation, then claims the terminal, and orders nothing before its turn', async () => {
  const { operations, begin, seen } = setUp();
  const claimed = begin(() => {
    seen.push('ordered');
    return Promise.resolve({ kind: 'not_started', refusedByTerminal: true, reason: 'no' });
  });
  expect(operations.current).toBe(sale);
  await Promise.resolve();
  expect(seen).toEqual(['journaled', 'claimed']);
  await claimed.carryOut(driver);
  await operations.ended;
  expect(seen).toEqual(['journaled', 'claimed', 'ordered', 'ended']);
  expect(operations.current).toBeNull();
  expect(operations.wasNeverSent(sale.operationId)).toBe(false);
});

it.each([
  [
    'at once',
    () => {
      throw new Error('a bug');
    },
  ],
  ['later', () => Promise.reject(new Error('a bug'))],
])('is in doubt after a fault in the driver, %s', async (_when, order) => {
  const { operations, begin, applied } = setUp();
  await begin(order).carryOut(driver);
  await operations.ended;
  expect(applied).toMatchObject([{ kind: 'answer', answer: { kind: 'unknown' } }]);
  expect(operations.current).toBeNull();
});

it('ends with the terminal’s refusal, also where the journal cannot be read at that moment', async () => {
  const { operations, begin, applied } = setUp(() => {
    throw new JournalWriteError('The disk is gone.');
  });
  const refusal = { reason: 'Declined.', record: record({ approved: false }), receiptLines: [] };
  await begin(() => Promise.resolve({ kind: 'declined', ...refusal })).carryOut(driver);
  await operations.ended;
  expect(applied).toMatchObject([{ kind: 'answer', answer: { kind: 'declined' } }]);
});

it('ends what is withdrawn with what is said of it, in the same turn, and the driver never hears of it', async () => {
  const { operations, begin, seen, applied } = setUp();
  const claimed = begin(() => {
    throw new Error('not in this test');
  });
  claimed.withdraw({ kind: 'not_started', refusedByTerminal: false, reason: 'The line is closed.' });
  expect(seen).toEqual(['journaled', 'claimed', 'ended']);
  expect(applied).toMatchObject([{ kind: 'answer', answer: { kind: 'not_started' } }]);
  expect(operations.current).toBeNull();
  expect(operations.wasNeverSent(sale.operationId)).toBe(true);
  await operations.ended;
});
