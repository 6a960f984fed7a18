/** Methods that only read: state, payments, batches, log. */
import type { JournalReading } from '../../bridge/bridge.ts';
import type { PaymentRow } from '../../bridge/journal/index.ts';
import { canSortByAmount } from '../../contract/console/index.ts';
import { maxShownDiscrepancies } from '../../contract/discrepancy.ts';
import { createDiagnosis } from '../diagnosis/diagnose.ts';
import {
  done,
  refused,
  onFound,
  onJournal,
  onPayment,
  type MethodHandlers,
  type MethodContext,
} from './context.ts';
import {
  batchesResponse,
  onTerminalOf,
  paymentDetail,
  paymentTotals,
  paymentView,
} from '../views/payment-views.ts';
import { batchReport } from '../views/batch-report.ts';
import { dayReport } from '../views/day-report.ts';
import { inParts } from '../views/in-parts.ts';
import { receiptOf } from '../views/receipt-view.ts';
import { createPagesByAmount, needsShorterSpan } from '../views/payments-by-amount.ts';

const restarted = 'The bridge was restarted. Try again.';

export function queries(
  context: MethodContext,
): MethodHandlers<
  | 'state'
  | 'today'
  | 'payments'
  | 'paymentTotals'
  | 'payment'
  | 'receipt'
  | 'dayReport'
  | 'batchReport'
  | 'batches'
  | 'log'
  | 'logHistogram'
  | 'discrepancies'
  | 'diagnosis'
> {
  const isOpen = (journal: JournalReading) =>
    context.supervisor.running?.bridge.terminals.some((terminal) => terminal.journal === journal) === true;
  const byAmount = createPagesByAmount(isOpen);
  return {
    state: () => done(context.state()),
    diagnosis: createDiagnosis(context),
    today: ({ terminal, from, until }) =>
      onJournal(context, terminal, async (journal, { configuration: { currency } }) => {
        const summary = await inParts(journal.summary({ from, until }, currency), () => isOpen(journal));
        return summary === null ? refused('no_bridge', restarted) : done(summary);
      }),
    payments: ({ terminal, filter, order = 'newest', before, limit }) =>
      onJournal(context, terminal, async (journal, { name }) => {
        const view = (row: PaymentRow) => ({ ...paymentView(row, journal), ...onTerminalOf(name) });
        if (order === 'newest' || order === 'oldest') {
          const { payments, next } = journal.searchPayments({ ...filter, order, before, limit });
          return done({ payments: payments.map(view), next });
        }
        if (!canSortByAmount(filter.span)) return refused('invalid_request', needsShorterSpan);
        const page = await byAmount.page(journal, { filter, order, before, limit });
        if (page === null) return refused('no_bridge', restarted);
        return done({ payments: page.payments.map(view), next: page.next });
      }),
    paymentTotals: ({ terminal, filter, before }) =>
      onJournal(context, terminal, (journal) =>
        done(paymentTotals(journal.paymentAmounts({ ...filter, before }))),
      ),
    payment: ({ transactionId }) =>
      onPayment(context, transactionId, (row, journal, { name, payments }) =>
        done(
          paymentDetail({
            row,
            journal,
            terminal: name,
            inDoubt: payments.operationsInDoubt(),
            logStore: context.hostLog.store,
          }),
        ),
      ),
    receipt: ({ transactionId }) =>
      onPayment(context, transactionId, (row, journal, terminal) => {
        const receipt = receiptOf(row, journal, context.printedReceipts(terminal).has(row));
        return done({ ...receipt, payment: { ...receipt.payment, ...onTerminalOf(terminal.name) } });
      }),
    dayReport: ({ terminal, ...request }) =>
      onJournal(context, terminal, async (journal, { configuration: { currency } }) => {
        const report = await dayReport({ journal, isOpen: () => isOpen(journal), ...request, currency });
        return report === null ? refused('no_bridge', restarted) : done(report);
      }),
    batchReport: ({ operationId }) =>
      onFound(
        context,
        'batch',
        (journal) => batchReport(journal, operationId),
        (report, _journal, { name }) =>
          done({ ...report, batch: { ...report.batch, ...onTerminalOf(name) } }),
      ),
    batches: ({ terminal, ...request }) =>
      onJournal(context, terminal, (journal, { configuration: { currency } }) =>
        done(batchesResponse(journal, request, currency)),
      ),
    discrepancies: ({ after, terminal }) =>
      onJournal(context, terminal, (journal, { name }) => {
        const found = journal.openDiscrepancies(maxShownDiscrepancies, after);
        return done({ discrepancies: found.map((one) => ({ ...one, ...onTerminalOf(name) })) });
      }),
    logHistogram: (request) => done(context.hostLog.store?.histogram(request) ?? { span: null, bars: [] }),
    log: (request) =>
      done(context.hostLog.store?.page(request) ?? { lines: [], next: null, first: 0, last: 0, sources: [] }),
  };
}
