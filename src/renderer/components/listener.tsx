/** The listener: its state in a sentence, and the switch that starts and stops it. */
import { Play, Square } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { RefusedNote } from './notices.tsx';
import { useAction } from '../store/queries.ts';
import { useConsoleState } from '../store/console-context.tsx';
import type { ListenerState } from '../../contract/console/index.ts';

/** Starts the listener at once; stopping it asks first, because the POS cannot pay meanwhile. */
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

/** What the listener's state means, and what to do about it. */
export function useListenerMessage(listener: ListenerState): { text: string } {
  const { t } = useTranslation();
  switch (listener.kind) {
    case 'on':
      return { text: t('listener.onText', { address: listener.addresses[0] ?? `:${listener.port}` }) };
    case 'off':
      return { text: t('listener.offText') };
    case 'starting':
    case 'stopping':
      return { text: t(`listener.${listener.kind}`) };
    case 'failed':
      switch (listener.code) {
        case 'port_in_use':
          return { text: t('listener.portInUse', { port: listener.port }) };
        case 'port_forbidden':
          return { text: t('listener.portForbidden', { port: listener.port }) };
        case 'address_unknown':
          return { text: t('listener.addressUnknown') };
        case 'other':
          return { text: t('listener.otherFailure', { text: listener.text }) };
      }
  }
}
