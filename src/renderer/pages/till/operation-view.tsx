/** The operation on the terminal: what it is, how much, what the terminal says, and for how long. */
import { useTranslation } from 'react-i18next';
import type { CurrentOperation, TerminalState } from '../../../contract/console/index.ts';
import { Mark, progressShape } from '../../components/status-mark.tsx';
import { useFormats } from '../../messages/formats.ts';
import { CancelButton, type Cancel } from './cancel.tsx';
import { useNow } from './use-now.ts';

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
          {t(`operation.${kind}`)}
          {reference !== null && <span className="mono till-reference">{reference}</span>}
        </h2>
        <Passed since={startedAt} />
      </header>
      {amount !== null && (
        <p className="till-amount" style={{ '--characters': amount.length }}>
          {amount}
        </p>
      )}
      <Progress terminal={terminal} since={startedAt} />
      <CancelButton currentOperation={currentOperation} cancel={cancel} />
    </div>
  );
}

/** A terminal that has said nothing for so long after it was given an operation needs a look, in milliseconds. */
const silenceMs = 8_000;

/** The step in the window's words; the terminal's own text beside it where it says something else. */
function Progress({ terminal, since }: { terminal: TerminalState | null; since: string }) {
  const { t } = useTranslation();
  const step = terminal?.progressStep ?? null;
  const own = terminal?.progress?.trim() ?? '';
  const progress = step === null ? t('till.working') : t(`terminal.progress.${step}`);
  const same = own.toLocaleLowerCase() === progress.toLocaleLowerCase();
  const now = useNow();
  const silent = step === null && now - Date.parse(since) > silenceMs;
  return (
    <div className="till-progress" data-step={step ?? 'none'}>
      <Mark shape={progressShape(step)} large />
      <div role="status">
        <p className="till-title">{progress}</p>
        {own !== '' && !same && (
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
