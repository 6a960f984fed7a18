/** One payment of any shop, with all that its journal says of it. To open it is an entry of the audit log. */
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, BookText, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { FoundPayment, PaymentWithTimeline, TimelineEvent } from '../../../contract/office-page.ts';
import { journalEventSchema } from '../../../contract/journal-events.ts';
import { transactionStatusSchema } from '../../../contract/operation.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Button } from '../../components/button.tsx';
import { EventText } from '../../components/event-text.tsx';
import { useDayText } from '../../components/money-status.tsx';
import { Empty } from '../../components/notices.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { askOffice, RefusedError } from '../office-client.ts';
import { moneyText } from '../parts/money-text.ts';
import { NotThere } from '../parts/refused.tsx';
import { ShopLink } from '../parts/shop-link.tsx';
import { StatusOf } from '../parts/status.tsx';
import { lastSearch } from '../parts/search-query.ts';
import { officeHref } from '../route.ts';
import { askedOf } from '../session.tsx';

export function PaymentView({ paymentId }: { paymentId: string }) {
  const { t } = useTranslation();
  // Never asked for again by itself: each time is one more reading in the log.
  const query = useQuery({
    queryKey: ['payment', paymentId],
    queryFn: () => askOffice<PaymentWithTimeline>(`/payments/${encodeURIComponent(paymentId)}`),
  });
  const asked = askedOf(query);
  return (
    <>
      <div className="office-way">
        <a className="button button-quiet page-back" href={officeHref('search', undefined, lastSearch())}>
          <ArrowLeft aria-hidden="true" />
          <span>{t('office.payment.back')}</span>
        </a>
        <Button
          look="quiet"
          busy={query.isFetching}
          icon={<RefreshCw aria-hidden="true" />}
          onClick={asked.retry}
        >
          {t('office.again')}
        </Button>
      </div>
      {asked.data !== null ? (
        <Payment found={asked.data} />
      ) : query.error instanceof RefusedError && query.error.code === 'not_found' ? (
        // It may be in the file of an archive: the office says so.
        <Empty title={t('office.payment.notThere')}>
          <BridgeText text={query.error.message} />
        </Empty>
      ) : (
        <NotThere asked={asked} />
      )}
    </>
  );
}

function Payment({ found: { payment, events, archived } }: { found: PaymentWithTimeline }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  const { reference, taken_minor, amount_minor, currency, status, reason, simulated, not_in_journal } =
    payment;
  const known = transactionStatusSchema.safeParse(status);
  return (
    <section className="card office-payment" aria-labelledby="payment">
      <header className="office-payment-head">
        <div>
          <h1 id="payment">{t('office.payment.title', { reference })}</h1>
          <p className="office-amount">{moneyText(formats, taken_minor ?? amount_minor, currency)}</p>
        </div>
        <div>
          <StatusOf status={status} large />
          {known.success && <p>{t(`statusMeaning.${known.data}`)}</p>}
          {reason !== '' && (
            <p className="calm">
              <BridgeText text={reason} />
            </p>
          )}
        </div>
      </header>
      {simulated && <p className="note note-warn">{t('office.payment.simulated')}</p>}
      {not_in_journal && <p className="note note-bad">{t('office.payment.notInJournal')}</p>}
      <PaymentFields payment={payment} />
      <h2>{t('office.payment.timeline')}</h2>
      {archived.length > 0 && (
        <p className="note note-warn">
          {t('office.payment.archived', { days: archived.map(dayText).join(', ') })}
        </p>
      )}
      <ol className="office-timeline">
        {events.map((event, index) => (
          <TimelineItem key={`${event.seq}-${index}`} item={event} />
        ))}
      </ol>
    </section>
  );
}

function PaymentFields({ payment }: { payment: FoundPayment }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { card_scheme, card_digits, taken_minor, amount_minor, currency } = payment;
  const card = [card_scheme, card_digits === null ? null : `•••• ${card_digits}`].filter(
    (part) => part !== null,
  );
  const differs = taken_minor !== null && taken_minor !== amount_minor;
  const fields: [label: string, value: React.ReactNode][] = [
    [t('office.payment.shop'), <ShopLink key="shop" place={payment} />],
    [t('payments.field.requestedAmount'), differs ? moneyText(formats, amount_minor, currency) : null],
    [t('payments.field.startedAt'), <Time key="started" at={payment.created_at} show="dateTime" />],
    [
      t('payments.field.completedAt'),
      payment.completed_at && <Time key="completed" at={payment.completed_at} show="dateTime" />,
    ],
    [t('payments.field.card'), card.length === 0 ? null : card.join(' ')],
    [t('payments.field.approvalCode'), payment.approval_code],
    [t('payments.field.receiptNumber'), payment.receipt_number],
    [t('payments.field.traceNumber'), payment.trace_number],
    [t('payments.field.batchNumber'), payment.batch_number],
    [t('payments.field.terminal'), payment.terminal_id ?? payment.protocol.toUpperCase()],
    [t('office.payment.decidedBy'), payment.decided_by],
    [t('payments.field.transactionId'), payment.payment_id],
  ];
  return (
    <dl className="office-fields">
      {fields
        .filter(([, value]) => value !== null && value !== '')
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function TimelineItem({ item: { at, in_journal, event } }: { item: TimelineEvent }) {
  const { t } = useTranslation();
  // A newer bridge may tell of things that are not known here.
  const known = journalEventSchema.safeParse(event);
  return (
    <li data-lost={!in_journal}>
      <Time at={at} show="dateTime" />
      <BookText className={in_journal ? 'tone-calm' : 'tone-bad'} aria-hidden="true" />
      <div>
        {known.success ? (
          <EventText event={known.data} />
        ) : (
          <p>{t('office.payment.unknownEvent', { type: String(event['type']) })}</p>
        )}
        {!in_journal && <p className="tone-bad">{t('office.payment.lostEvent')}</p>}
      </div>
    </li>
  );
}
