import { Play, Square } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { RefusedNote } from './refused.tsx';
import { useAction } from '../store/queries.ts';
import { useConsoleState } from '../store/console-context.tsx';

/** Starts the listener at once; stopping it asks first, because POS software is cut off by it. */
export function ListenerSwitch() {
  const { t } = useTranslation();
  const { listener } = useConsoleState();
  const start = useAction('startListener');
  const stop = useAction('stopListener');
  const [asking, setAsking] = useState(false);

  if (listener.kind === 'on' || listener.kind === 'stopping') {
    const stopNow = async () => {
      if ((await stop.run({})) !== null) setAsking(false);
    };
    return (
      <>
        <Button
          icon={<Square aria-hidden="true" />}
          busy={listener.kind === 'stopping'}
          onClick={() => setAsking(true)}
        >
          {t('listener.stop')}
        </Button>
        {asking && (
          <Dialog
            title={t('listener.stop')}
            onClose={() => setAsking(false)}
            actions={
              <>
                <Button onClick={() => setAsking(false)}>{t('app.cancel')}</Button>
                <Button look="danger" busy={stop.busy} onClick={() => void stopNow()}>
                  {t('listener.stop')}
                </Button>
              </>
            }
          >
            <p>{t('listener.stopConfirm')}</p>
            <RefusedNote refusal={stop.refusal} />
          </Dialog>
        )}
      </>
    );
  }
  return (
    <Button
      look="primary"
      icon={<Play aria-hidden="true" />}
      busy={start.busy || listener.kind === 'starting'}
      onClick={() => void start.run({})}
    >
      {t('listener.start')}
    </Button>
  );
}
