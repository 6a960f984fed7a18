/** Notifications: of the desktop app for this installation, of a browser for this browser alone. Saved at once. */
import { BellRing } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TriedNotification } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { tryHere, tryInApp, turnOff, turnOn, usePermission } from '../../notify/permission.ts';
import { useConsoleState } from '../../store/console-context.tsx';
import { Section, Tick } from './section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

export function NotificationsSection({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { host } = useConsoleState();
  return (
    <Section title={t('settings.notifications.title')} text={t('settings.notifications.text')}>
      {host === 'desktop' ? (
        <>
          <Tick
            label={t('settings.notifications.on')}
            checked={draft.view.settings.app.notifications}
            disabled={draft.busy}
            onChange={(notifications) => void draft.saveNow({ notifications })}
          />
          <TryButton onTry={tryInApp} />
        </>
      ) : (
        <BrowserTick />
      )}
    </Section>
  );
}

function BrowserTick() {
  const { t } = useTranslation();
  const permission = usePermission();
  const cannot = permission === 'denied' || permission === 'unsupported';
  return (
    <>
      <Tick
        label={t('settings.notifications.onHere')}
        hint={t(`settings.notifications.${cannot ? permission : 'browserHint'}`)}
        checked={permission === 'on'}
        disabled={cannot}
        onChange={(wanted) => (wanted ? void turnOn() : turnOff())}
      />
      {permission === 'on' && <TryButton onTry={() => tryHere(t('notice.try'), t('notice.tryText'))} />}
    </>
  );
}

/** The system may hide them, and tells no page of it: whoever tries it sees. */
function TryButton({ onTry }: { onTry: () => Promise<TriedNotification> }) {
  const { t } = useTranslation();
  const [tried, setTried] = useState<TriedNotification | null>(null);
  const [busy, setBusy] = useState(false);
  const tryIt = async () => {
    setBusy(true);
    setTried(await onTry());
    setBusy(false);
  };
  return (
    <div className="settings-try">
      <Button icon={<BellRing aria-hidden="true" />} busy={busy} onClick={() => void tryIt()}>
        {t('settings.notifications.try')}
      </Button>
      <p role="status" className={tried === 'refused' ? 'note note-warn' : 'calm'}>
        {tried !== null && t(`settings.notifications.tried.${tried}`)}
      </p>
    </div>
  );
}
