import { ArchiveRestore } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BatchesResponse } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { RefusedNote } from '../../components/notices.tsx';
import { connectionShape, Mark } from '../../components/status-mark.tsx';
import { useKeptAction } from '../../store/queries.ts';
import { OnTerminal } from '../../components/terminal-choice/index.ts';
import { ofTerminal } from '../../store/chosen-terminal.ts';
import { useTerminalName, useTerminalState } from '../../store/terminal-context.tsx';
import { useFormats } from '../../messages/formats.ts';
import { BridgeText } from '../../components/bridge-text.tsx';

/**
 * What the next close would cover, and the close itself: asked first, watched while it runs, and told
 * when it has ended, also to somebody who has looked at another terminal meanwhile.
 */
export function OpenBatch({ open, onEnded }: { open: BatchesResponse['open']; onEnded: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { currentOperation } = useTerminalState();
  const name = useTerminalName();
  const { busy, refusal, response, run, clear } = useKeptAction('submitBatch', name);
  const [asking, setAsking] = useState(false);
  const closing = busy || currentOperation?.kind === 'batch_close';
  const { count } = open;
  const amount = open.sums.map(({ sumMinor, currency }) => formats.money(sumMinor, currency)).join(' + ');

  const whatIsClosed =
    count === 0 ? t('batches.closeConfirmNothing') : t('batches.closeConfirm', { count, amount });
  const close = async () => {
    setAsking(false);
    await run(ofTerminal(name));
    onEnded();
  };
  return (
    <section className="card open-batch" aria-labelledby="open-batch">
      <div>
        <h2 id="open-batch">{t('batches.open')}</h2>
        <p className="open-batch-total">{amount}</p>
        <p className="calm">{count === 0 ? t('batches.openNothing') : t('batches.openText', { count })}</p>
      </div>
      <Button
        look="primary"
        icon={<ArchiveRestore aria-hidden="true" />}
        busy={closing}
        onClick={() => {
          clear();
          setAsking(true);
        }}
      >
        {t('batches.close')}
      </Button>
      <div className="open-batch-news" role="status">
        {closing && <Closing />}
        {!closing && response !== null && (
          <p className="note note-good">
            <BridgeText text={response.text} />
          </p>
        )}
      </div>
      <RefusedNote refusal={refusal} />
      {asking && (
        <Dialog
          title={t('batches.closeTitle')}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>{t('app.cancel')}</Button>
              <Button look="primary" onClick={() => void close()}>
                {t('batches.close')}
              </Button>
            </>
          }
        >
          <OnTerminal name={name} />
          <p>{open.sums.length > 1 ? t('batches.closeCurrencies') : whatIsClosed}</p>
        </Dialog>
      )}
    </section>
  );
}

function Closing() {
  const { t } = useTranslation();
  const { terminal } = useTerminalState();
  const step = terminal?.progressStep ?? null;
  return (
    <p className="note open-batch-closing">
      <Mark shape={connectionShape('operating')} />
      <span>
        {t('batches.closing')}{' '}
        {step !== null && (
          <strong>{step === 'other' ? terminal?.progress : t(`terminal.progress.${step}`)}</strong>
        )}
      </span>
    </p>
  );
}
