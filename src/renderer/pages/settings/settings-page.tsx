/** Settings: what is typed is checked at once, and saved together by the bar at the bottom. */
import { useTranslation } from 'react-i18next';
import { settings as everySetting } from '../../../contract/configuration.ts';
import type { SettingsView } from '../../../contract/console/index.ts';
import { Empty } from '../../components/notices.tsx';
import { OtherTerminalDevices, TerminalForm, terminalValueOf } from '../../components/terminal-form/index.ts';
import { useConsoleState, useView } from '../../store/console-context.tsx';
import { AboutSection } from './about-section.tsx';
import { CallersSection } from './callers-section.tsx';
import { ListenerSection } from './listener-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { LeaveDialog, SaveBar, useLeaveGuard } from './save-bar.tsx';
import { Section } from './section.tsx';
import { SettingFields } from './setting-field.tsx';
import { SmallWindowSection } from './small-window-section.tsx';
import { SoundsSection } from './sounds-section.tsx';
import { TokensSection } from './tokens-section.tsx';
import { UpdatesSection } from './updates-section.tsx';
import { useSettingsDraft, type SettingsDraft } from './use-settings-draft.ts';
import { WindowSection } from './window-section.tsx';
import './settings.css';

export function SettingsPage() {
  const { t } = useTranslation();
  const { settings } = useView();
  if (settings === null) return <Empty title={t('app.loading')} />;
  return <SettingsForm view={settings} />;
}

function SettingsForm({ view }: { view: SettingsView }) {
  const { t } = useTranslation();
  const { host } = useConsoleState();
  const draft = useSettingsDraft(view);
  const guard = useLeaveGuard(draft.isChanged, host === 'headless');
  return (
    <div className="settings-page">
      <h1>{t('pages.settings')}</h1>
      <TerminalSection draft={draft} />
      <ListenerSection draft={draft} />
      <CallersSection draft={draft} />
      <TokensSection />
      <WindowSection draft={draft} />
      <SoundsSection draft={draft} />
      <NotificationsSection draft={draft} />
      <SmallWindowSection draft={draft} />
      <UpdatesSection draft={draft} />
      <AboutSection draft={draft} />
      <SaveBar draft={draft} />
      {guard.wanted !== null && <LeaveDialog draft={draft} guard={guard} />}
    </div>
  );
}

/** Of the settings that `TerminalForm` shows. */
const terminalFormKeys = new Set(
  everySetting.flatMap(({ key, console }) =>
    console?.section === 'terminal' && console.field === undefined ? [key] : [],
  ),
);

function TerminalSection({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { settings, change, view, problems } = draft;
  return (
    <Section title={t('settings.terminal.title')} text={t('settings.terminal.text')}>
      <TerminalForm
        value={terminalValueOf(settings.bridge)}
        onChange={(value) => change({ ...settings, bridge: { ...settings.bridge, ...value } })}
        problems={Object.fromEntries(Object.entries(problems).filter(([key]) => terminalFormKeys.has(key)))}
        fixed={view.fixed}
        secretsSet={view.secretsSet}
      />
      <OtherTerminalDevices />
      <SettingFields section="terminal" draft={draft} />
    </Section>
  );
}
