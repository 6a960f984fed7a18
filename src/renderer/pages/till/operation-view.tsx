/** The operation on the terminal: what it is, how much, what the terminal says, and for how long. */
import { useTranslation } from 'react-i18next';
import type { CurrentOperation, TerminalState } from '../../../contract/console/index.ts';
import { Mark } from '../../components/status-mark.tsx';
import { useFormats } from '../../messages/formats.ts';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { useAction } from '../../store/queries.ts';
import { ofTerminal } from '../../store/chosen-terminal.ts';
import { useTerminalName, useTerminalState } from '../../store/terminal-context.tsx';
import { href } from '../../store/route.ts';
import { useCustomerStep, useNow } from '../../situation/customer-step.ts';
import { useRefusalMessage } from '../../messages/i18n.ts';
import { useSaid } from '../../components/said.tsx';

export function OperationView({
  currentOperation,
  terminal,
  cancel,
}: {
  currentOperation: CurrentOperation;
  terminal: TerminalState | null;
  cancel: Cancel;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { kind, reference, amountMinor, currency, startedAt } = currentOperation;
  const amount = amountMinor === null ? null : formats.money(amountMinor, currency);
  return (
    <div className="till-operation">
      <header className="till-operation-head">
        <h2>
          {t(`operation.${kind}`)}{' '}
          {reference !== null && <span className="mono till-reference">{reference}</span>}
        </h2>
        <Passed since={startedAt} />
      </header>
      {amount !== null && (
        <p className="till-amount" style={{ '--characters': amount.length }}>
          {amount}
        </p>
      )}
      <Progress currentOperation={currentOperation} terminal={terminal} />
      <CancelButton currentOperation={currentOperation} cancel={cancel} />
    </div>
  );
}

/** The step in the window's language; the terminal's own text beside it where it says something else. */
function Progress({
  currentOperation,
  terminal,
}: {
  currentOperation: CurrentOperation;
  terminal: TerminalState | null;
}) {
  const { t } = useTranslation();
  const { shape, text, own, silent } = useCustomerStep(currentOperation, terminal);
  useSaid([text, own !== null && `${t('till.terminalShows')} ${own}`, silent && t('till.noAnswerYet')]);
  return (
    <div className="till-progress" data-step={terminal?.progressStep ?? 'none'}>
      <Mark shape={shape} large />
      <div>
        <p className="till-title">{text}</p>
        {own !== null && (
          <p className="till-text">
            {t('till.terminalShows')} <q>{own}</q>
          </p>
        )}
        {silent && <p className="till-text">{t('till.noAnswerYet')}</p>}
      </div>
    </div>
  );
}

/** `since` is the host's clock, on this computer; one that was set back meanwhile shows no time below nothing. */
function Passed({ since }: { since: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const passedMs = Math.max(0, now - Date.parse(since));
  return (
    <span className="till-passed" role="timer" aria-label={t('till.passed')}>
      {formats.passed(passedMs)}
    </span>
  );
}

export interface Cancel {
  action: ReturnType<typeof useAction<'cancelPayment'>>;
  /** The payment that was last to be cancelled. */
  reference: string | null;
  request: (reference: string) => void;
}

/** Cancelling the payment on the terminal. A refusal outlives the payment: "too late" comes when it is over. */
export function useCancel(): Cancel {
  const action = useAction('cancelPayment');
  const terminal = useTerminalName();
  const [reference, setReference] = useState<string | null>(null);
  const request = (wanted: string) => {
    setReference(wanted);
    void action.run({ reference: wanted, ...ofTerminal(terminal) });
  };
  return { action, reference, request };
}

export function CancelButton({
  currentOperation,
  cancel,
  locked = false,
}: {
  currentOperation: CurrentOperation;
  cancel: Cancel;
  /** It cannot be pressed now. */
  locked?: boolean;
}) {
  const { t } = useTranslation();
  const { reference, kind, cancelRequested } = currentOperation;
  if (kind !== 'sale' || reference === null) return null;
  const cancelling = cancelRequested || (cancel.action.busy && cancel.reference === reference);
  return (
    <div className="till-cancel">
      <Button
        icon={<X aria-hidden="true" />}
        disabled={cancelRequested || locked}
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

/** What became of a cancel that was refused; gone when another payment is on the terminal or a person has read it. */
export function CancelRefusal({
  cancel,
  currentOperation,
}: {
  cancel: Cancel;
  currentOperation: CurrentOperation | null;
}) {
  const { t } = useTranslation();
  const refusalMessage = useRefusalMessage();
  const { lastPayment } = useTerminalState();
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
