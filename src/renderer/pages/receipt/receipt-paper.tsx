/** One receipt on paper. Everything in it is text: nothing that a terminal sends can become anything else. */
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { PaymentView } from '../../../contract/console/index.ts';
import { cardText } from '../../../contract/terminal.ts';
import { useFormats, type Formats } from '../../messages/formats.ts';
import type { Paper } from './papers.ts';

interface PaperProps {
  paper: Paper;
  payment: PaymentView;
  /** It is not the first one that is printed. */
  isCopy: boolean;
}

export function ReceiptPaper({ paper, payment, isCopy }: PaperProps) {
  const { t } = useTranslation();
  const { copy, lines, slip } = paper;
  const kind = t(`receipt.kind.${slip.kind}`);
  const whose = t(`receipt.copyOf.${copy ?? 'untold'}`);
  return (
    <article className="receipt-paper" aria-label={`${kind}, ${whose}`} data-copy={copy ?? 'untold'}>
      {isCopy && <p className="stamp">{t('receipt.copy')}</p>}
      {payment.simulated && <p className="stamp">{t('receipt.simulator')}</p>}
      <Outcome paper={paper} payment={payment} />
      {lines === null ? (
        <MadeReceipt paper={paper} payment={payment} kind={kind} whose={whose} />
      ) : (
        <>
          <p className="receipt-whose">{whose}</p>
          <pre>{lines.join('\n')}</pre>
        </>
      )}
      <Decided paper={paper} payment={payment} />
    </article>
  );
}

/** Above all else where the paper alone would be taken for money. */
function Outcome({ paper: { slip }, payment }: Pick<PaperProps, 'paper' | 'payment'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (slip.kind === 'void') return null;
  const { status, updatedAt } = payment;
  if (status === 'voided') {
    return <p className="stamp">{t('receipt.voided', { at: formats.dateTime(updatedAt) })}</p>;
  }
  if (status !== 'declined' && status !== 'cancelled' && status !== 'failed') return null;
  return <p className="stamp">{t(`receipt.outcome.${status}`)}</p>;
}

function MadeReceipt({
  paper: { slip, copy },
  payment,
  kind,
  whose,
}: Omit<PaperProps, 'isCopy'> & { kind: string; whose: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const signs = copy === 'merchant' && slip.kind === 'sale' && slip.result?.signatureRequired === true;
  return (
    <>
      <h2>{kind}</h2>
      <p className="receipt-whose">{whose}</p>
      <p className="receipt-amount">{formats.money(amountOf(slip, payment), payment.currency)}</p>
      <dl>
        {receiptFields(slip, payment, t, formats).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {slip.outcome === 'approved' && <p className="receipt-end">{t('receipt.approved')}</p>}
      {slip.outcome === 'voided' && <p className="receipt-end">{t('receipt.moneyBack')}</p>}
      {signs && <p className="receipt-signature">{t('receipt.signature')}</p>}
      <p className="receipt-source">{t('receipt.made')}</p>
    </>
  );
}

/** What the terminal took (with a tip, say); of a void what went back, of anything else what was asked for. */
function amountOf(slip: Paper['slip'], payment: PaymentView): number {
  const told = slip.outcome === 'approved' || slip.outcome === 'voided' ? slip.result?.amountMinor : null;
  return told ?? payment.approvedMinor ?? payment.amountMinor;
}

/** Label and value of all that is known, in the order of a printed receipt. */
function receiptFields(
  slip: Paper['slip'],
  payment: PaymentView,
  t: TFunction,
  formats: Formats,
): [label: string, value: string][] {
  const { result } = slip;
  const entryMode = result?.entryMode ?? null;
  const all: [string, string | null][] = [
    [t('receipt.field.at'), formats.dateTime(slip.endedAt)],
    [t('receipt.field.card'), cardText(result ?? payment)],
    [t('receipt.field.entryMode'), entryMode === null ? null : t(`receipt.entryMode.${entryMode}`)],
    [t('receipt.field.approvalCode'), result?.approvalCode ?? null],
    [t('receipt.field.terminal'), result?.terminalId ?? payment.terminal.terminalId],
    [t('receipt.field.merchant'), result?.merchantId ?? null],
    [t('receipt.field.trace'), result?.traceNumber ?? null],
    [t('receipt.field.receiptNumber'), result?.receiptNumber ?? null],
    [t('receipt.field.reference'), payment.reference],
  ];
  return all.flatMap(([label, value]) => (value === null ? [] : [[label, value]]));
}

/** Who and why is the merchant's own business; that a person decided is not. */
function Decided({ paper: { slip, copy }, payment }: Pick<PaperProps, 'paper' | 'payment'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const decision = payment.decisions.find(({ operationId }) => operationId === slip.operationId);
  if (decision === undefined) return null;
  const at = formats.dateTime(decision.at);
  return (
    <p className="receipt-decided">
      {copy === 'customer'
        ? t('receipt.decidedByHand', { at })
        : t('receipt.decidedBy', { at, name: decision.by, reason: decision.reason })}
    </p>
  );
}
