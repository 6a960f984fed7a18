/** One payment: what it is, what can be done with it, and what happened. */
import { ArrowLeft, X, Scale } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  takenMinor,
  type PaymentDetail as Detail,
  type PaymentView,
  type ConsoleChange,
  type PaymentDetail,
} from '../../../contract/console/index.ts';
import { CardName } from '../../components/card-name.tsx';
import { Empty, Refused } from '../../components/notices.tsx';
import { ManualDecisions } from '../../components/decisions/manual-decisions.tsx';
import { useSaid } from '../../components/said.tsx';
import { PaymentStatus } from '../../components/status-mark.tsx';
import { useFormats } from '../../messages/formats.ts';
import { useRefusalMessage } from '../../messages/i18n.ts';
import { PaymentActions } from './payment-actions.tsx';
import { paymentFields } from './payment-fields.ts';
import { Timeline } from './timeline.tsx';
import type { DiscrepancyView } from '../../../contract/discrepancy.ts';
import { Button } from '../../components/button.tsx';
import { DiscrepancyDialog } from '../../components/decisions/discrepancy-dialog.tsx';
import { OnTerminal } from '../../components/terminal-choice/index.ts';
import { useConsoleState } from '../../store/console-context.tsx';
import { OfTerminal } from '../../store/terminal-context.tsx';
import { useMethod, type MethodQuery } from '../../store/queries.ts';
import './payment-detail.css';
import { BridgeText } from '../../components/bridge-text.tsx';

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
  useSaidOf(detail, refusal);
  const unknown = refusal === null ? t('app.loading') : t('operation.sale');

  // It was opened from the list: reading goes on here, and Tab from here.
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);

  return (
    <section
      ref={panel}
      className="card payment-detail"
      tabIndex={-1}
      aria-label={detail === null ? unknown : t('payments.detail', { reference: detail.payment.reference })}
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
        <OfTerminal name={detail.payment.onTerminal}>
          <Shown detail={detail} retry={retry} />
        </OfTerminal>
      )}
    </section>
  );
}

/** What has come when a payment was opened, and again what changes of it. */
function useSaidOf(detail: Detail | null, refusal: MethodQuery<'payment'>['refusal']) {
  const { t } = useTranslation();
  const formats = useFormats();
  const refusalMessage = useRefusalMessage();
  const sentencesOf = ({ payment, discrepancies }: Detail) => [
    t('payments.detail', { reference: payment.reference }),
    `${t(`status.${payment.status}`)}: ${formats.money(takenMinor(payment), payment.currency)}`,
    t(`statusMeaning.${payment.status}`),
    ...discrepancies.map(({ kind }) => t(`discrepancy.kind.${kind}`)),
  ];
  useSaid(refusal !== null ? [refusalMessage(refusal)] : detail === null ? [] : sentencesOf(detail));
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
          <OnTerminal name={payment.onTerminal} />
          <p className="detail-amount">{formats.money(takenMinor(payment), payment.currency)}</p>
        </div>
        <div className="detail-status">
          <PaymentStatus status={payment.status} large />
          <p>{t(`statusMeaning.${payment.status}`)}</p>
          {payment.reason !== '' && (
            <p className="calm">
              <BridgeText text={payment.reason} />
            </p>
          )}
          {payment.simulated && <p className="detail-simulated">{t('payments.simulated')}</p>}
        </div>
      </header>
      <PaymentDiscrepancies discrepancies={detail.discrepancies} retry={retry} />
      <ManualDecisions decisions={payment.decisions} />
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
              name === 'card' ? (
                <CardName payment={payment} />
              ) : (
                value
              )
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

/** The open discrepancies of one payment, each with the way to acknowledge it. */
function PaymentDiscrepancies({
  discrepancies,
  retry,
}: {
  discrepancies: DiscrepancyView[];
  retry: () => void;
}) {
  const { t } = useTranslation();
  const [looking, setLooking] = useState<DiscrepancyView | null>(null);
  return (
    <>
      {discrepancies.map((discrepancy) => (
        <div key={discrepancy.discrepancyId} className="note note-warn detail-discrepancy">
          <Scale aria-hidden="true" />
          <div>
            <p>
              <strong>{t(`discrepancy.kind.${discrepancy.kind}`)}</strong>
            </p>
            <p>
              <BridgeText text={discrepancy.message} />
            </p>
          </div>
          <Button onClick={() => setLooking(discrepancy)}>{t('discrepancy.look')}</Button>
        </div>
      ))}
      {looking !== null && (
        <DiscrepancyDialog
          shown={looking}
          onClose={() => {
            setLooking(null);
            retry();
          }}
        />
      )}
    </>
  );
}

/** Many journal events and frames come together: one request for all of them. */
const gatherMs = 80;

/** The payment with its timeline, fetched again whenever something happens to it. */
function usePaymentDetail(transactionId: string): MethodQuery<'payment'> {
  const query = useMethod(
    'payment',
    { transactionId },
    {
      isAbout: (change, detail) => isAbout(change, transactionId, detail),
      delayMs: gatherMs,
      everyMs: 0,
    },
  );
  useRetryOnDiscrepancies(query.data?.payment.reference ?? null, query.retry);
  return query;
}

function isAbout(change: ConsoleChange, transactionId: string, detail: PaymentDetail | null): boolean {
  if (change.kind === 'payment') return change.payment.transactionId === transactionId;
  if (change.kind !== 'log' || detail === null) return false;
  const operations = operationsOf(detail);
  return change.lines.some(({ operationId }) => operationId !== null && operations.has(operationId));
}

/** The sale, and the voids of it. */
function operationsOf({ timeline }: PaymentDetail): Set<string> {
  return new Set(
    timeline.flatMap((entry) =>
      entry.kind === 'journal_event' &&
      'operationId' in entry.stored.event &&
      entry.stored.event.operationId !== null
        ? [entry.stored.event.operationId]
        : [],
    ),
  );
}

/** What is found or acknowledged about a payment changes none of its own events: the state tells of it. */
function useRetryOnDiscrepancies(reference: string | null, retry: () => void) {
  const { discrepancies } = useConsoleState();
  const about = discrepancies
    .filter(({ references }) => reference !== null && references.includes(reference))
    .map(({ discrepancyId }) => discrepancyId)
    .join(' ');
  const seen = useRef<{ reference: string; about: string } | null>(null);
  useEffect(() => {
    if (reference === null) return;
    const isNew =
      seen.current !== null && seen.current.reference === reference && seen.current.about !== about;
    seen.current = { reference, about };
    if (isNew) retry();
  }, [reference, about, retry]);
}
