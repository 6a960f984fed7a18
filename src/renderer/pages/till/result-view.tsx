/** A result that has just come, as large as the amount that was asked for: what became of it, and what can be done next. */
import { Printer, ReceiptText } from 'lucide-react';
import { useEffect, type FocusEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { takenMinor, type LastEnded, type PaymentView } from '../../../contract/console/index.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { CardName } from '../../components/card-name.tsx';
import { Mark, outcomeShape } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { outcomeMeaning } from '../../messages/outcome.ts';
import { useTillEvents } from '../../store/console-context.tsx';
import { href } from '../../store/route.ts';

/** `payment`: what a sale or a void was about; null for a batch close, and where the journal cannot be read. */
export function ResultView({ ended, payment }: { ended: LastEnded; payment: PaymentView | null }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const shape = outcomeShape(ended.outcome);
  const amount = payment === null ? null : formats.money(takenMinor(payment), payment.currency);
  const says = payment !== null && tellsReason(ended);
  return (
    <div className="till-result" data-outcome={ended.outcome}>
      <div className="till-result-head">
        <Mark shape={shape} large />
        <p role="status" className={`till-title tone-${shape.tone}`}>
          {t(`outcome.${ended.outcome}`)}
          {amount !== null && <span className="visually-hidden">: {amount}</span>}
        </p>
        <Time at={ended.at} />
      </div>
      {amount !== null && (
        <p className="till-amount" style={{ '--characters': amount.length }}>
          {amount}
        </p>
      )}
      <div>
        {payment !== null && <Line payment={payment} />}
        <p className="till-text">{t(outcomeMeaning[ended.outcome])}</p>
        {says && (
          <p className="till-own">
            <BridgeText text={payment.reason} />
          </p>
        )}
      </div>
      {payment !== null && <Actions payment={payment} printable={ended.outcome === 'approved'} />}
    </div>
  );
}

/** Card and reference; and what was asked for, where the terminal took another amount. */
function Line({ payment }: { payment: PaymentView }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { amountMinor, currency, reference } = payment;
  return (
    <p className="till-result-line">
      <CardName payment={payment} />
      {takenMinor(payment) !== amountMinor && (
        <strong>{t('till.result.asked', { amount: formats.money(amountMinor, currency) })}</strong>
      )}
      <span className="calm">{reference}</span>
    </p>
  );
}

function Actions({ payment, printable }: { payment: PaymentView; printable: boolean }) {
  const { t } = useTranslation();
  const events = useTillEvents();
  // With the keyboard on the way to a button, the buttons stay. A pointer may rest here all day.
  const hold = ({ target }: FocusEvent) => events.hold(target.matches(':focus-visible'));
  const release = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) events.hold(false);
  };
  useEffect(() => () => events.hold(false), [events]);
  return (
    <div className="till-actions" onFocus={hold} onBlur={release}>
      {printable && (
        <a
          className="button button-plain"
          href={href('payments', payment.transactionId, undefined, 'receipt')}
        >
          <Printer aria-hidden="true" />
          <span>{t('till.result.print')}</span>
        </a>
      )}
      <a className="button button-plain" href={href('payments', payment.transactionId)}>
        <ReceiptText aria-hidden="true" />
        <span>{t('till.result.details')}</span>
      </a>
    </div>
  );
}

/** Why it was refused is worth a line; that the terminal approved is said by then. */
function tellsReason({ outcome }: LastEnded): boolean {
  return outcome === 'declined' || outcome === 'failed' || outcome === 'not_voided';
}
