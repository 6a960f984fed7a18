/** The receipts of one payment: as the terminal sent them, or made from the journal; to look at, print and save. */
import { ArrowLeft, FileClock, TriangleAlert } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Receipt } from '../../../contract/console/index.ts';
import { ManualDecisions } from '../../components/decisions/manual-decisions.tsx';
import { OnTerminal } from '../../components/terminal-choice/index.ts';
import { Field } from '../../components/field.tsx';
import { Empty, Refused } from '../../components/notices.tsx';
import { PrintActions } from '../../components/print-actions.tsx';
import { PaymentStatus } from '../../components/status-mark.tsx';
import { useClient } from '../../store/console-context.tsx';
import { useMethod } from '../../store/queries.ts';
import { href, useRoute } from '../../store/route.ts';
import { papersOf, wantedCopies, type WantedCopies } from './papers.ts';
import { ReceiptPaper } from './receipt-paper.tsx';
import './receipt.css';

export function ReceiptPage() {
  const { id } = useRoute();
  const transactionId = id ?? '';
  const { data, refusal, retry } = useMethod(
    'receipt',
    { transactionId },
    {
      isAbout: (change) => change.kind === 'payment' && change.payment.transactionId === transactionId,
      delayMs: 80,
      everyMs: 0,
    },
  );
  const { t } = useTranslation();
  // The last payment's data stays while another one's is on its way.
  const receipt = data?.payment.transactionId === transactionId ? data : null;
  return (
    <div className="receipt">
      <nav aria-label={t('receipt.way')}>
        <a className="button button-quiet page-back" href={href('payments', transactionId)}>
          <ArrowLeft aria-hidden="true" />
          <span>{t('receipt.back')}</span>
        </a>
      </nav>
      {refusal !== null && receipt === null ? (
        <Refused refusal={refusal} retry={retry} />
      ) : receipt === null ? (
        <Empty title={t('app.loading')} />
      ) : (
        <Shown receipt={receipt} retry={retry} />
      )}
    </div>
  );
}

function Shown({ receipt, retry }: { receipt: Receipt; retry: () => void }) {
  const { t } = useTranslation();
  const { payment, slips, printedBefore } = receipt;
  const [copies, setCopies] = useState<WantedCopies>('both');
  const [printed, setPrinted] = useState(printedBefore);
  const hasSlips = slips.length > 0;
  usePrintedMark(payment.transactionId, hasSlips, () => {
    setPrinted(true);
    retry();
  });
  const isCopy = printed || printedBefore;
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{t('receipt.title', { reference: payment.reference })}</h1>
          <PaymentStatus status={payment.status} />
          <OnTerminal name={payment.onTerminal} />
        </div>
        {hasSlips && (
          <div className="toolbar receipt-tools">
            <Field label={t('receipt.copies')}>
              {(tie) => (
                <select
                  {...tie}
                  value={copies}
                  onChange={({ target }) =>
                    setCopies(wantedCopies.find((each) => each === target.value) ?? 'both')
                  }
                >
                  {wantedCopies.map((each) => (
                    <option key={each} value={each}>
                      {t(`receipt.wanted.${each}`)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <PrintActions fileName={`${t('receipt.fileName')}-${payment.reference}`} />
          </div>
        )}
      </header>
      {isCopy && hasSlips && (
        <p className="note receipt-note" role="status">
          <FileClock aria-hidden="true" />
          <span>{t('receipt.printedBefore')}</span>
        </p>
      )}
      <ManualDecisions decisions={payment.decisions} />
      {hasSlips ? (
        <div className="receipt-papers">
          {papersOf(receipt, copies).map((paper) => (
            <ReceiptPaper key={paper.key} paper={paper} payment={payment} isCopy={isCopy} />
          ))}
        </div>
      ) : (
        <NoReceipt receipt={receipt} />
      )}
    </>
  );
}

/** Nobody can tell yet what a receipt would have to say. */
function NoReceipt({ receipt: { payment } }: { receipt: Receipt }) {
  const { t } = useTranslation();
  const { status, transactionId } = payment;
  const why = status === 'unknown' ? 'inDoubt' : status === 'voiding' ? 'voiding' : 'running';
  return (
    <section className="card">
      <Empty
        icon={<TriangleAlert className="mark mark-large tone-warn" aria-hidden="true" />}
        title={t(`receipt.none.${why}`)}
        action={
          <a className="button" href={href('payments', transactionId)}>
            {t('receipt.openPayment')}
          </a>
        }
      >
        {t(`receipt.noneText.${why}`)}
      </Empty>
    </section>
  );
}

/** Whatever prints, this page's button or the browser's own menu: the next one is a copy. */
function usePrintedMark(transactionId: string, hasSlips: boolean, onPrinted: () => void): void {
  const client = useClient();
  const before = useEffectEvent(() => {
    if (hasSlips) void client.invoke('receiptPrinted', { transactionId });
  });
  const after = useEffectEvent(() => {
    if (hasSlips) onPrinted();
  });
  useEffect(() => {
    const onBefore = () => before();
    const onAfter = () => after();
    window.addEventListener('beforeprint', onBefore);
    window.addEventListener('afterprint', onAfter);
    return () => {
      window.removeEventListener('beforeprint', onBefore);
      window.removeEventListener('afterprint', onAfter);
    };
  }, []);
}
