/** What each command comes to by what is known: the pure decisions, case by case. The way around them is in admission.test.ts. */
import { describe, expect, it } from 'vitest';
import type { OperationRow, PaymentRow, TerminalState } from '../../../src/bridge/journal/index.ts';
import { decideCancel, endOfCancel } from '../../../src/bridge/payments/commands/cancel.ts';
import type { CommandView, Decision, JournalView } from '../../../src/bridge/payments/commands/decision.ts';
import { decideSale } from '../../../src/bridge/payments/commands/sale.ts';
import { decideVoid } from '../../../src/bridge/payments/commands/void.ts';
import { moneyState } from '../../../src/bridge/payments/money-state.ts';
import type { OperationWatch, TerminalDriver } from '../../../src/bridge/terminals/terminal-driver.ts';
import type { MoneyCommand } from '../../../src/bridge/payments/payments-api.ts';
import type { DiscrepancyKind, DiscrepancyView } from '../../../src/contract/discrepancy.ts';
import { transactionStatusSchema, type TransactionStatus } from '../../../src/contract/operation.ts';
import { batch, record, sale, terminal, voidOf } from '../journal/sample-events.ts';

const started = sale({ reference: 'A-1', operationId: 'operation-1' });

function payment(change: Partial<PaymentRow> = {}): PaymentRow {
  return {
    position: 1,
    transactionId: started.operationId,
    reference: 'A-1',
    conditionCode: '00',
    amountMinor: 1_200,
    currency: 'EUR',
    status: 'approved',
    simulated: false,
    terminal,
    epoch: 3,
    createdAt: '2026-01-02T03:04:05.000Z',
    updatedAt: '2026-01-02T03:04:05.000Z',
    completedAt: null,
    reason: '',
    result: record({ receiptNumber: '0007', traceNumber: '000021' }),
    receiptLines: [],
    resolvedBy: null,
    batchNumber: null,
    ...change,
  };
}

function row(change: Partial<OperationRow>): OperationRow {
  return { operationId: 'operation-9', kind: 'sale', reference: 'B-1', ...change } as OperationRow;
}

function discrepancy(kind: DiscrepancyKind, change: Partial<DiscrepancyView> = {}): DiscrepancyView {
  return {
    seq: 1,
    foundAt: '2026-01-02T03:04:05.000Z',
    acknowledged: null,
    discrepancyId: '00000000-0000-4000-8000-000000000001',
    kind,
    operationId: null,
    references: [],
    amountMinor: 1_200,
    currency: 'EUR',
    record: null,
    message: 'They differ.',
    ...change,
  };
}

interface Known {
  payments?: PaymentRow[];
  open?: OperationRow[];
  discrepancies?: DiscrepancyView[];
  state?: Partial<TerminalState>;
}

function journalOf({ payments = [], open = [], discrepancies = [], state = {} }: Known): JournalView {
  const journal: Partial<JournalView> = {
    operation: () => null,
    paymentByReference: (reference) => payments.find((one) => one.reference === reference) ?? null,
    openOperations: () => open,
    unsettledPayments: () => payments.filter(({ status }) => status === 'approved'),
    openDiscrepancies: (_limit, after = 0) => discrepancies.filter(({ seq }) => seq > after),
    discrepanciesOf: () => discrepancies,
    terminalState: () => ({ terminal, lastRecord: { kind: 'empty' }, epoch: 3, batchEpoch: 3, ...state }),
  };
  return journal as JournalView;
}

function viewOf(known: Known, change: Partial<CommandView> = {}): CommandView {
  return {
    journal: journalOf(known),
    currency: 'EUR',
    maxTipPercent: 0,
    protocol: {},
    terminal: { kind: 'free' },
    inDoubt: [],
    current: null,
    elsewhere: () => null,
    stopping: false,
    journalTrouble: null,
    newOperation: () => ({
      operationId: 'operation-2',
      terminal,
      baseline: { kind: 'empty' },
      simulated: false,
    }),
    randomInteger: () => 1,
    ...change,
  };
}

/** The kind of a decision, or the code of a refusal. */
function codeOf(decision: Decision<unknown> | { kind: 'stop' }): string {
  return decision.kind === 'refuse' ? decision.refused.refusal.code : decision.kind;
}

/** What the driver is given. */
function orderOf(decision: Decision<unknown>): unknown {
  if (decision.kind !== 'begin') throw new Error(decision.kind);
  let given: unknown;
  const take = (order: unknown) => {
    given = order;
    return Promise.resolve({ kind: 'unknown', reason: '' } as const);
  };
  void decision.order({ sale: take, void: take } as unknown as TerminalDriver, {} as OperationWatch);
  return given;
}

const request = { amountMinor: 1_200, reference: 'A-1', conditionCode: '00' };
const busy: Partial<CommandView> = { terminal: { kind: 'operating' }, current: started };

describe('a sale', () => {
  it.each<[string, Known, Partial<CommandView>, string]>([
    ['begins on a free terminal', {}, {}, 'begin'],
    ['waits for a terminal that is being polled', {}, { terminal: { kind: 'free_soon' } }, 'wait'],
    ['is refused while another is at the terminal', {}, busy, 'terminal_busy'],
    [
      'is refused where only a batch close may run',
      {},
      { terminal: { kind: 'free_for_batch_close', text: 'The batch is full.' } },
      'terminal_unavailable',
    ],
    [
      'is refused without a terminal',
      {},
      { terminal: { kind: 'unavailable', text: 'It is away.' } },
      'terminal_unavailable',
    ],
    [
      'is refused with the journal’s trouble where that keeps the terminal away',
      {},
      { terminal: { kind: 'unavailable', text: 'It is away.' }, journalTrouble: 'disk full' },
      'journal_unavailable',
    ],
    ['is refused while the bridge stops', {}, { stopping: true }, 'terminal_unavailable'],
    ['is refused while anything is in doubt', {}, { inDoubt: [row({})] }, 'payment_unresolved'],
    ['that is known is answered', { payments: [payment()] }, {}, 'answer'],
    ['that is known is answered while the terminal is busy', { payments: [payment()] }, busy, 'answer'],
    [
      'that is known is answered while it is in doubt itself',
      { payments: [payment({ status: 'unknown' })] },
      { inDoubt: [row({ reference: 'A-1' })] },
      'answer',
    ],
    ['with another amount', { payments: [payment({ amountMinor: 1_201 })] }, {}, 'reference_conflict'],
    ['with another condition', { payments: [payment({ conditionCode: '01' })] }, {}, 'reference_conflict'],
    ['in another currency', { payments: [payment({ currency: 'CHF' })] }, {}, 'reference_conflict'],
  ])('%s', (_what, known, change, expected) => {
    expect(codeOf(decideSale(viewOf(known, change), request))).toBe(expected);
  });

  it.each<[DiscrepancyKind, Partial<DiscrepancyView>, string]>([
    ['unexplained_payment', {}, 'payment_unresolved'],
    ['unexplained_payment', { amountMinor: 1_201 }, 'begin'],
    ['unexplained_payment', { currency: 'CHF' }, 'begin'],
    ['unexplained_payment', { currency: null }, 'payment_unresolved'],
    ['contradicted_outcome', {}, 'payment_unresolved'],
    ['journal_loss', { amountMinor: null }, 'payment_unresolved'],
    ['unexplained_reversal', {}, 'begin'],
    ['batch_differs', {}, 'begin'],
  ])('beside an open %s %o: %s', (kind, change, expected) => {
    const view = viewOf({ discrepancies: [discrepancy(kind, change)] });
    expect(codeOf(decideSale(view, request))).toBe(expected);
  });

  it.each([
    [0, 1_999, undefined],
    [10, 1_999, 2_198],
    [10, 9, undefined],
  ])('with tips of %i per cent allows of %i at most %s', (maxTipPercent, amountMinor, most) => {
    const decision = decideSale(viewOf({}, { maxTipPercent }), { ...request, amountMinor });
    if (decision.kind !== 'begin' || decision.operation.kind !== 'sale') throw new Error(decision.kind);
    expect(decision.operation.maxAmountMinor).toBe(most);
  });
});

describe('a protocol that has a number for what it does', () => {
  const protocol = { terminalReferenceLength: 6 };
  const digits = [35, 0, 10, 9, 1, 2, 34, 3, 11, 8, 4, 5];
  const drawing = () => {
    const left = [...digits];
    return { protocol, randomInteger: () => left.shift() ?? 0 };
  };
  it('has a sale journaled and ordered under a new one', () => {
    const decision = decideSale(viewOf({}, drawing()), request);
    expect(decision).toMatchObject({ operation: { kind: 'sale', terminalReference: 'Z0A912' } });
    expect(orderOf(decision)).toMatchObject({ terminalReference: 'Z0A912' });
  });

  it('has a void ordered under a new one, with that of the payment', () => {
    const row = { started: sale({ terminalReference: 'OLD001' }) } as OperationRow;
    const view = viewOf({ payments: [payment()] }, drawing());
    const decision = decideVoid({ ...view, journal: { ...view.journal, operation: () => row } }, 'A-1');
    expect(decision).toMatchObject({ operation: { kind: 'void', terminalReference: 'Z0A912' } });
    expect(decision).not.toHaveProperty('operation.originalTerminalReference');
    expect(orderOf(decision)).toMatchObject({
      terminalReference: 'Z0A912',
      originalTerminalReference: 'OLD001',
    });
  });
});

describe('a protocol that cannot do it', () => {
  const refuseSale = ({ amountMinor }: { amountMinor: number }) =>
    amountMinor > 1_000 ? 'is too much' : null;
  it.each<[string, Known, number, string]>([
    ['refuses the amount before anything is journaled', {}, 1_200, 'invalid_request'],
    ['takes another', {}, 1_000, 'begin'],
    ['answers what is known all the same', { payments: [payment()] }, 1_200, 'answer'],
  ])('%s', (_what, known, amountMinor, expected) => {
    const view = viewOf(known, { protocol: { refuseSale } });
    expect(codeOf(decideSale(view, { ...request, amountMinor }))).toBe(expected);
  });

  it('refuses the void of what it no longer has, and says why', () => {
    const protocol = { refuseVoid: () => 'it is not the last one.' };
    const decision = decideVoid(viewOf({ payments: [payment()] }, { protocol }), 'A-1');
    expect(decision).toMatchObject({
      refused: {
        refusal: {
          code: 'payment_not_voidable',
          message: expect.stringMatching(/A-1 .*it is not the last one/),
        },
      },
    });
  });
});

describe('a void', () => {
  it.each<[string, Partial<PaymentRow> | null, string]>([
    ['begins for an approved payment', {}, 'begin'],
    ['of an unknown reference is refused', null, 'payment_not_found'],
    ['of a voided payment is answered', { status: 'voided' }, 'answer'],
    ['joins the one that runs', { status: 'voiding' }, 'join'],
    ['of a settled payment is refused', { status: 'settled', batchNumber: '4' }, 'payment_already_settled'],
    ['of a declined payment is refused', { status: 'declined' }, 'payment_not_voidable'],
    ['of a payment in doubt is refused', { status: 'unknown' }, 'payment_not_voidable'],
    ['without a result is refused', { result: null }, 'payment_not_voidable'],
    [
      'without a receipt number is refused',
      { result: record({ receiptNumber: null }) },
      'payment_not_voidable',
    ],
    [
      'on another terminal is refused',
      { terminal: { ...terminal, terminalId: '68000002' } },
      'payment_not_voidable',
    ],
    ['behind a boundary that nobody saw is refused', { epoch: 2 }, 'payment_not_voidable'],
  ])('%s', (_what, change, expected) => {
    const open = [row({ kind: 'void', paymentId: started.operationId })];
    const view = viewOf({ payments: change === null ? [] : [payment(change)], open });
    expect(codeOf(decideVoid(view, 'A-1'))).toBe(expected);
  });

  it('reverses what was taken, under the numbers of its own result', () => {
    const result = record({ amountMinor: 1_300, receiptNumber: '0007', traceNumber: '000021' });
    expect(decideVoid(viewOf({ payments: [payment({ result })] }), 'A-1')).toMatchObject({
      operation: { kind: 'void', amountMinor: 1_300, receiptNumber: '0007', traceNumber: '000021' },
    });
  });
});

describe('a cancel', () => {
  it.each([
    ['nothing', null, 'A-1', 'no_payment_in_progress'],
    ['a void', voidOf(started), 'A-1', 'no_payment_in_progress'],
    ['a batch close', batch(), null, 'no_payment_in_progress'],
    ['the payment that it names', started, 'A-1', 'stop'],
    ['some payment, and it names none', started, null, 'stop'],
    ['another payment', started, 'A-2', 'reference_mismatch'],
  ])('while %s is at the terminal: %s', (_what, current, reference, expected) => {
    expect(codeOf(decideCancel({ current, protocol: {}, sent: true }, reference))).toBe(expected);
  });

  it.each([
    [true, 'A-1', 'cancel_not_possible'],
    [true, 'A-2', 'reference_mismatch'],
    [false, 'A-1', 'stop'],
  ])('of a protocol without one; sent: %s, of %s: %s', (sent, reference, expected) => {
    const protocol = { cannotCancel: 'press the red key.' };
    expect(codeOf(decideCancel({ current: started, protocol, sent }, reference))).toBe(expected);
  });

  const ends: Record<TransactionStatus, string> = {
    cancelled: 'ok',
    declined: 'ok',
    failed: 'ok',
    in_progress: 'terminal_timeout',
    unknown: 'terminal_timeout',
    approved: 'cancel_too_late',
    voiding: 'cancel_too_late',
    voided: 'cancel_too_late',
    settled: 'cancel_too_late',
  };
  it.each(Object.entries(ends))('after which the payment is %s comes to %s', (status, expected) => {
    const end = endOfCancel(payment({ status: transactionStatusSchema.parse(status) }));
    expect(end.ok ? 'ok' : end.refusal.code).toBe(expected);
  });
});

describe('after a command that failed the money', () => {
  /** Statuses for which the failed command certainly moved nothing. */
  const notStarted: Record<Exclude<MoneyCommand, 'SubmitBatch'>, TransactionStatus[]> = {
    CreatePayment: ['declined', 'cancelled', 'failed'],
    VoidPayment: ['declined', 'cancelled', 'failed', 'approved', 'settled', 'in_progress', 'unknown'],
  };
  const cases = (['CreatePayment', 'VoidPayment'] as const).flatMap((command) =>
    transactionStatusSchema.options.map((status) => [command, status] as const),
  );
  it.each(cases)('of %s for a payment that is %s', (command, status) => {
    const journal = journalOf({ payments: [payment({ status })] });
    const expected = notStarted[command].includes(status) ? 'not_started' : 'unknown';
    expect(moneyState(journal, command, 'A-1')).toBe(expected);
  });

  it.each<[string, Known, MoneyCommand, string | null, string]>([
    ['without a reference is unknown', {}, 'CreatePayment', null, 'unknown'],
    ['of a reference that is not known was not moved', {}, 'CreatePayment', 'A-1', 'not_started'],
    [
      'is unknown while the terminal says otherwise',
      { payments: [payment({ status: 'failed' })], discrepancies: [discrepancy('contradicted_outcome')] },
      'CreatePayment',
      'A-1',
      'unknown',
    ],
    [
      'of a batch is unknown while it runs',
      { open: [row({ kind: 'batch_close' })] },
      'SubmitBatch',
      null,
      'unknown',
    ],
    ['of a batch was not moved beside a sale', { open: [row({})] }, 'SubmitBatch', null, 'not_started'],
  ])('%s', (_what, known, command, reference, expected) => {
    expect(moneyState(journalOf(known), command, reference)).toBe(expected);
  });
});
