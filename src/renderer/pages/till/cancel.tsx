/** Cancelling the payment on the terminal. A refusal outlives the payment: "too late" comes when it is over. */
import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentOperation } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { useAction } from '../../store/queries.ts';
import { useConsoleState } from '../../store/console-context.tsx';
import { href } from '../../store/route.ts';
import { useRefusalMessage } from '../../messages/refusal-message.ts';

export interface Cancel {
  action: ReturnType<typeof useAction<'cancelPayment'>>;
  /** The payment that was last asked for. */
  reference: string | null;
  request: (reference: string) => void;
}

export function useCancel(): Cancel {
  const action = useAction('cancelPayment');
  const [reference, setReference] = useState<string | null>(null);
  const request = (wanted: string) => {
    setReference(wanted);
    void action.run({ reference: wanted });
  };
  return { action, reference, request };
}

export function CancelButton({
  currentOperation,
  cancel,
}: {
  currentOperation: CurrentOperation;
  cancel: Cancel;
}) {
  const { t } = useTranslation();
  const { reference, kind, cancelRequested } = currentOperation;
  if (kind !== 'sale' || reference === null) return null;
  const cancelling = cancelRequested || (cancel.action.busy && cancel.reference === reference);
  return (
    <div className="till-cancel">
      <Button
        icon={<X aria-hidden="true" />}
        disabled={cancelRequested}
        busy={cancel.action.busy}
        onClick={() => cancel.request(reference)}
      >
        {t('till.cancel')}
      </Button>
      <p className="calm" role="status">
        {cancelling && t('till.cancelRequested')}
      </p>
    </div>
  );
}

/** What became of a cancel that was refused; gone when another payment is in hand or a person has read it. */
export function CancelRefusal({
  cancel,
  currentOperation,
}: {
  cancel: Cancel;
  currentOperation: CurrentOperation | null;
}) {
  const { t } = useTranslation();
  const refusalMessage = useRefusalMessage();
  const { lastPayment } = useConsoleState();
  const { action, reference } = cancel;
  const { refusal } = action;
  const past = currentOperation !== null && currentOperation.reference !== reference;
  const shown = refusal !== null && reference !== null && !past;
  return (
    <div role="alert">
      {shown && (
        <div className="note note-warn till-refusal">
          <p>
            <strong>{t('till.notCancelled', { reference })}</strong>{' '}
            {refusal.code === 'cancel_too_late' ? t('till.cancelTooLate') : refusalMessage(refusal)}{' '}
            {refusal.code === 'cancel_too_late' && lastPayment?.reference === reference && (
              <a href={href('payments', lastPayment.transactionId)}>{t('till.openPayment')}</a>
            )}
          </p>
          <Button look="quiet" onClick={action.clear}>
            {t('app.close')}
          </Button>
        </div>
      )}
    </div>
  );
}
