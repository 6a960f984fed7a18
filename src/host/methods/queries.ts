/** Methods that only read: state, payments, batches, log. */
import { maxShownDiscrepancies } from '../../contract/discrepancy.ts';
import { createDiagnosis } from '../diagnosis/diagnose.ts';
import { done, onJournal, onPayment, type MethodHandlers, type MethodContext } from './context.ts';
import { batchesResponse, paymentDetail, paymentView } from '../views/payment-views.ts';
import { receiptOf } from '../views/receipt-view.ts';

export function queries(
  context: MethodContext,
): MethodHandlers<
  'state' | 'today' | 'payments' | 'payment' | 'receipt' | 'batches' | 'log' | 'discrepancies' | 'diagnosis'
> {
  return {
    state: () => done(context.state()),
    diagnosis: createDiagnosis(context),
    today: ({ from, until }) =>
      onJournal(context, (journal, { configuration: { currency } }) =>
        done(journal.summary({ from, until }, currency)),
      ),
    payments: ({ filter, before, limit }) =>
      onJournal(context, (journal) => {
        const { payments, next } = journal.searchPayments({ ...filter, before, limit });
        return done({ payments: payments.map((row) => paymentView(row, journal)), next });
      }),
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
    batches: (request) =>
      onJournal(context, (journal, { configuration: { currency } }) =>
        done(batchesResponse(journal, request, currency)),
      ),
    discrepancies: ({ after }) =>
      onJournal(context, (journal) =>
        done({ discrepancies: journal.openDiscrepancies(maxShownDiscrepancies, after) }),
      ),
    log: (request) =>
      done(context.hostLog.store?.page(request) ?? { lines: [], next: null, first: 0, last: 0, sources: [] }),
  };
}
