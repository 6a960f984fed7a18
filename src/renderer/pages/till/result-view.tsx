/** A result that has just come, as large as the amount that was asked for: what became of it, and what can be done next. */
import { Printer, ReceiptText } from 'lucide-react';
import { useEffect, type FocusEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { takenMinor, type LastEnded, type PaymentView } from '../../../contract/console/index.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { CardName } from '../../components/card-name.tsx';
import { Mark, outcomeShape } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats, type Formats } from '../../messages/formats.ts';
import { outcomeMeaning } from '../../messages/outcome.ts';
import { useTillEvents } from '../../store/console-context.tsx';
import { useTerminalName } from '../../store/terminal-context.tsx';
import { href } from '../../store/route.ts';
import { useSaid } from '../../components/said.tsx';

/** `payment`: what a sale or a void was about; null for a batch close, and where the journal cannot be read. */
export function ResultView({ ended, payment }: { ended: LastEnded; payment: PaymentView | null }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const shape = outcomeShape(ended.outcome);
  const amount = payment === null ? null : formats.money(takenMinor(payment), payment.currency);
  const reason = payment !== null && tellsReason(ended) ? payment.reason : '';
  const asked = payment === null ? null : askedAmount(payment, formats);
  const title = t(`outcome.${ended.outcome}`);
  const meaning = t(outcomeMeaning[ended.outcome]);
  useSaid([
    amount === null ? title : `${title}: ${amount}`,
    asked !== null && t('till.result.asked', { amount: asked }),
    meaning,
    formats.sentence(reason),
  ]);
  return (
    <div className="till-result" data-outcome={ended.outcome}>
      <div className="till-result-head">
        <Mark shape={shape} large />
        <p className={`till-title tone-${shape.tone}`}>{title}</p>
        <Time at={ended.at} />
      </div>
      {amount !== null && (
        <p className="till-amount" style={{ '--characters': amount.length }}>
          {amount}
        </p>
      )}
      <div>
        {payment !== null && <Line payment={payment} />}
        <p className="till-text">{meaning}</p>
        {reason !== '' && (
          <p className="till-own">
            <BridgeText text={reason} />
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
  const asked = askedAmount(payment, formats);
  return (
    <p className="till-result-line">
      <CardName payment={payment} />
      {asked !== null && <strong>{t('till.result.asked', { amount: asked })}</strong>}
      <span className="calm">{payment.reference}</span>
    </p>
  );
}

/** Null: what the terminal took is what was asked for. */
function askedAmount(payment: PaymentView, formats: Formats): string | null {
  const { amountMinor, currency } = payment;
  return takenMinor(payment) === amountMinor ? null : formats.money(amountMinor, currency);
}

function Actions({ payment, printable }: { payment: PaymentView; printable: boolean }) {
  const { t } = useTranslation();
  const events = useTillEvents();
  const terminal = useTerminalName();
  // With the keyboard on the way to a button, the buttons stay. A pointer may rest here all day.
  const hold = ({ target }: FocusEvent) => events.hold(terminal, target.matches(':focus-visible'));
  const release = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) events.hold(terminal, false);
  };
  useEffect(() => () => events.hold(terminal, false), [events, terminal]);
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
