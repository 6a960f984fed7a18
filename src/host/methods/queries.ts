/** Methods that only read: state, payments, batches, log. */
import type { JournalReading } from '../../bridge/bridge.ts';
import { canSortByAmount } from '../../contract/console/index.ts';
import { maxShownDiscrepancies } from '../../contract/discrepancy.ts';
import { createDiagnosis } from '../diagnosis/diagnose.ts';
import { done, refused, onJournal, onPayment, type MethodHandlers, type MethodContext } from './context.ts';
import { batchesResponse, paymentDetail, paymentTotals, paymentView } from '../views/payment-views.ts';
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
  const isOpen = (journal: JournalReading) => context.supervisor.running?.bridge.journal === journal;
  const byAmount = createPagesByAmount(isOpen);
  return {
    state: () => done(context.state()),
    diagnosis: createDiagnosis(context),
    today: ({ from, until }) =>
      onJournal(context, async (journal, { configuration: { currency } }) => {
        const summary = await inParts(journal.summary({ from, until }, currency), () => isOpen(journal));
        return summary === null ? refused('no_bridge', restarted) : done(summary);
      }),
    payments: ({ filter, order = 'newest', before, limit }) =>
      onJournal(context, async (journal) => {
        if (order === 'newest' || order === 'oldest') {
          const { payments, next } = journal.searchPayments({ ...filter, order, before, limit });
          return done({ payments: payments.map((row) => paymentView(row, journal)), next });
        }
        if (!canSortByAmount(filter.span)) return refused('invalid_request', needsShorterSpan);
        const page = await byAmount.page(journal, { filter, order, before, limit });
        if (page === null) return refused('no_bridge', restarted);
        return done({ payments: page.payments.map((row) => paymentView(row, journal)), next: page.next });
      }),
    paymentTotals: ({ filter, before }) =>
      onJournal(context, (journal) => done(paymentTotals(journal.paymentAmounts({ ...filter, before })))),
    payment: ({ transactionId }) =>
      onPayment(context, transactionId, (row, journal, { bridge }) =>
        done(
          paymentDetail({
            row,
            journal,
            inDoubt: bridge.payments.operationsInDoubt(),
            logStore: context.hostLog.store,
          }),
        ),
      ),
    receipt: ({ transactionId }) =>
      onPayment(context, transactionId, (row, journal) =>
        done(receiptOf(row, journal, context.printedReceipts.has(row))),
      ),
    dayReport: (request) =>
      onJournal(context, async (journal, { configuration: { currency } }) => {
        const report = await dayReport({ journal, isOpen: () => isOpen(journal), ...request, currency });
        return report === null ? refused('no_bridge', restarted) : done(report);
      }),
    batchReport: ({ operationId }) =>
      onJournal(context, (journal) => {
        const report = batchReport(journal, operationId);
        return report === null ? refused('payment_not_found', 'There is no such batch.') : done(report);
      }),
    batches: (request) =>
      onJournal(context, (journal, { configuration: { currency } }) =>
        done(batchesResponse(journal, request, currency)),
      ),
    discrepancies: ({ after }) =>
      onJournal(context, (journal) =>
        done({ discrepancies: journal.openDiscrepancies(maxShownDiscrepancies, after) }),
      ),
    logHistogram: (request) => done(context.hostLog.store?.histogram(request) ?? { span: null, bars: [] }),
    log: (request) =>
      done(context.hostLog.store?.page(request) ?? { lines: [], next: null, first: 0, last: 0, sources: [] }),
  };
}
