/** What a person can do with a payment: copy it, cancel it, void it, or resolve it. */
import { Ban, Gavel, ReceiptText, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { takenMinor, type PaymentDetail, type PaymentView } from '../../../contract/console/index.ts';
import { Button, CopyButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { RefusedNote } from '../../components/notices.tsx';
import { useAction } from '../../store/queries.ts';
import { OnTerminal, useTerminalTitle } from '../../components/terminal-choice/index.ts';
import { ofTerminal } from '../../store/chosen-terminal.ts';
import { useTerminalName, useTerminalState } from '../../store/terminal-context.tsx';
import { href } from '../../store/route.ts';
import { useFormats } from '../../messages/formats.ts';
import { paymentSummary } from './payment-fields.ts';
import { ResolveDialog } from '../../components/decisions/resolve-dialog.tsx';

export function PaymentActions({ detail, retry }: { detail: PaymentDetail; retry: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { payment, doubtOperationId } = detail;
  const terminal = useTerminalTitle()(payment.onTerminal);
  const [asking, setAsking] = useState(false);
  // Stays while its dialog is open, also when it is decided meanwhile: the dialog says so.
  const [resolving, setResolving] = useState<string | null>(null);
  return (
    <div className="detail-actions">
      {doubtOperationId !== null && (
        <Button
          look="primary"
          icon={<Gavel aria-hidden="true" />}
          onClick={() => setResolving(doubtOperationId)}
        >
          {t('payments.resolve')}
        </Button>
      )}
      <CancelButton payment={payment} />
      {payment.status === 'approved' && (
        <Button icon={<Undo2 aria-hidden="true" />} onClick={() => setAsking(true)}>
          {t('payments.void')}
        </Button>
      )}
      <a className="button" href={href('payments', payment.transactionId, undefined, 'receipt')}>
        <ReceiptText aria-hidden="true" />
        <span>{t('payments.receipt')}</span>
      </a>
      <CopyButton text={paymentSummary(detail, terminal, t, formats)} label={t('payments.copy')} />
      {asking && <VoidDialog payment={payment} onClose={() => setAsking(false)} onDone={retry} />}
      {resolving !== null && <ResolveDialog operationId={resolving} onClose={() => setResolving(null)} />}
    </div>
  );
}

/** Only while this payment is the one on the terminal. */
function CancelButton({ payment }: { payment: PaymentView }) {
  const { t } = useTranslation();
  const { currentOperation } = useTerminalState();
  const of = ofTerminal(useTerminalName());
  const cancel = useAction('cancelPayment');
  if (currentOperation?.operationId !== payment.transactionId)
    return <RefusedNote refusal={cancel.refusal} />;
  return (
    <>
      <Button
        look="danger"
        icon={<Ban aria-hidden="true" />}
        busy={cancel.busy}
        disabled={currentOperation.cancelRequested}
        onClick={() => void cancel.run({ reference: payment.reference, ...of })}
      >
        {t('payments.cancel')}
      </Button>
      {currentOperation.cancelRequested && <span role="status">{t('payments.cancelRequested')}</span>}
      <RefusedNote refusal={cancel.refusal} />
    </>
  );
}

function VoidDialog({
  payment,
  onClose,
  onDone,
}: {
  payment: PaymentView;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const name = useTerminalName();
  const { busy, refusal, run } = useAction('voidPayment');
  const voidNow = async () => {
    const done = await run({ reference: payment.reference, ...ofTerminal(name) });
    onDone();
    if (done !== null) onClose();
  };
  return (
    <Dialog
      title={t('payments.voidTitle')}
      onClose={onClose}
      actions={
        <>
          {/* Once it is under way nothing here stops it any more. */}
          <Button onClick={onClose}>{t(busy ? 'app.close' : 'app.cancel')}</Button>
          <Button look="danger" busy={busy} onClick={() => void voidNow()}>
            {t('payments.void')}
          </Button>
        </>
      }
    >
      <OnTerminal name={name} />
      <p>
        {t('payments.voidConfirm', {
          amount: formats.money(takenMinor(payment), payment.currency),
          reference: payment.reference,
        })}
      </p>
      <p role="status" className="note note-warn" hidden={!busy}>
        {busy && t('payments.voiding')}
      </p>
      <RefusedNote refusal={refusal} />
    </Dialog>
  );
}
