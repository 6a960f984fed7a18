/** Notifications: of the desktop app for this installation, of a browser for this browser alone. Saved at once. */
import { useTranslation } from 'react-i18next';
import { turnOff, turnOn, usePermission } from '../../notify/permission.ts';
import { useConsoleState } from '../../store/console-context.tsx';
import { Section, Tick } from './section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

export function NotificationsSection({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { host } = useConsoleState();
  return (
    <Section title={t('settings.notifications.title')} text={t('settings.notifications.text')}>
      {host === 'desktop' ? (
        <Tick
          label={t('settings.notifications.on')}
          hint={t('settings.notifications.systemHint')}
          checked={draft.view.settings.app.notifications}
          disabled={draft.busy}
          onChange={(notifications) => void draft.saveNow({ notifications })}
        />
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
    <Tick
      label={t('settings.notifications.onHere')}
      hint={t(`settings.notifications.${cannot ? permission : 'browserHint'}`)}
      checked={permission === 'on'}
      disabled={cannot}
      onChange={(wanted) => (wanted ? void turnOn() : turnOff())}
    />
  );
}
