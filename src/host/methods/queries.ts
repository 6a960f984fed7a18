/** Methods that only read: state, payments, batches, log. */
import { maxShownDiscrepancies } from '../../contract/discrepancy.ts';
import { createDiagnosis } from '../diagnosis/diagnose.ts';
import { done, refused, onJournal, type MethodHandlers, type MethodContext } from './context.ts';
import { batchesResponse, paymentDetail, paymentView } from '../views/payment-views.ts';

export function queries(
  context: MethodContext,
): MethodHandlers<
  'state' | 'today' | 'payments' | 'payment' | 'batches' | 'log' | 'discrepancies' | 'diagnosis'
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
        return done({ payments: payments.map(paymentView), next });
      }),
    payment: ({ transactionId }) =>
      onJournal(context, (journal, { bridge }) => {
        const row = journal.payment(transactionId);
        if (row === null) return refused('payment_not_found', 'There is no such payment.');
        return done(
          paymentDetail({
            row,
            journal,
            inDoubt: bridge.payments.operationsInDoubt(),
            logStore: context.hostLog.store,
          }),
        );
      }),
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
