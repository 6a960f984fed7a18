/** One payment: what it is, what can be done with it, and what happened. */
import { ArrowLeft, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentDetail as Detail, PaymentView } from '../../../contract/console/index.ts';
import { Empty } from '../../components/empty.tsx';
import { Refused } from '../../components/refused.tsx';
import { PaymentStatus } from '../../components/status-mark.tsx';
import { useFormats } from '../../messages/formats.ts';
import { PaymentActions } from './payment-actions.tsx';
import { PaymentDiscrepancies } from './payment-discrepancies.tsx';
import { paymentFields } from './payment-summary.ts';
import { takenMinor } from '../../messages/taken-amount.ts';
import { Timeline } from './timeline.tsx';
import { usePaymentDetail } from './use-payment-detail.ts';
import './payment-detail.css';

export function PaymentDetail({
  transactionId,
  listHref,
  onClose,
}: {
  transactionId: string;
  /** The list as it was. */
  listHref: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { data: detail, refusal, retry } = usePaymentDetail(transactionId);
  const panel = useRef<HTMLElement>(null);

  // It was opened from the list: reading goes on here, and Tab from here.
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);

  return (
    <section
      ref={panel}
      className="card payment-detail"
      tabIndex={-1}
      aria-label={
        detail === null ? t('app.loading') : t('payments.detail', { reference: detail.payment.reference })
      }
      onKeyDown={(event) => {
        const inDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
        if (event.key !== 'Escape' || inDialog) return;
        event.preventDefault();
        onClose();
      }}
    >
      <nav className="detail-way" aria-label={t('payments.backToList')}>
        <a className="button button-quiet detail-back" href={listHref}>
          <ArrowLeft aria-hidden="true" />
          <span>{t('app.back')}</span>
        </a>
        <a
          className="icon-button detail-close"
          href={listHref}
          aria-label={t('payments.closeDetail')}
          title={t('payments.closeDetail')}
        >
          <X aria-hidden="true" />
        </a>
      </nav>
      {refusal !== null ? (
        <Refused refusal={refusal} retry={retry} />
      ) : detail === null ? (
        <Empty title={t('app.loading')} />
      ) : (
        <Shown detail={detail} retry={retry} />
      )}
    </section>
  );
}

function Shown({ detail, retry }: { detail: Detail; retry: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { payment } = detail;
  return (
    <>
      <header className="detail-head">
        <div>
          <h2>{t('payments.detail', { reference: payment.reference })}</h2>
          <p className="detail-amount">{formats.money(takenMinor(payment), payment.currency)}</p>
        </div>
        <div className="detail-status" role="status">
          <PaymentStatus status={payment.status} large />
          <p>{t(`statusMeaning.${payment.status}`)}</p>
          {payment.reason !== '' && (
            <p className="calm" lang="en">
              {payment.reason}
            </p>
          )}
          {payment.simulated && <p className="detail-simulated">{t('payments.simulated')}</p>}
        </div>
      </header>
      <PaymentDiscrepancies discrepancies={detail.discrepancies} retry={retry} />
      <PaymentActions detail={detail} retry={retry} />
      <div className="detail-known">
        <Known payment={payment} />
        {payment.receiptLines.length > 0 && (
          <figure className="slip">
            <figcaption>{t('payments.slip')}</figcaption>
            <pre tabIndex={0} aria-label={t('payments.slip')}>
              {payment.receiptLines.join('\n')}
            </pre>
          </figure>
        )}
      </div>
      <Timeline detail={detail} />
    </>
  );
}

function Known({ payment }: { payment: PaymentView }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <dl className="detail-fields">
      {paymentFields(payment, t, formats).map(({ name, label, value, instant }) => (
        <div key={name} data-field={name}>
          <dt>{label}</dt>
          <dd>
            {instant === undefined ? (
              value
            ) : (
              <time dateTime={instant} title={formats.fullTime(instant)}>
                {value}
              </time>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
