/** How POS software reaches the bridge, and what it must send. */
import { useTranslation } from 'react-i18next';
import { Section, Tick } from './section.tsx';
import { formField, SettingInput, SettingInputs, SettingTicks } from './setting-field.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

const currency = formField('currency', {
  label: 'settings.listener.currency',
  hint: 'settings.listener.currencyHint',
});

export function ListenerSection({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { settings, change } = draft;
  const { app, bridge } = settings;
  return (
    <Section title={t('settings.listener.title')} text={t('settings.listener.text')}>
      <div className="settings-pair">
        <SettingInputs section="listener" draft={draft} />
        {/* The terminal's form has the currency too, except of a simulator. */}
        {(bridge.terminal === 'simulator' || bridge.terminal === null) && (
          <SettingInput field={currency} draft={draft} />
        )}
      </div>
      <Tick
        label={t('settings.listener.start')}
        hint={t('settings.listener.startHint')}
        checked={app.startListener}
        onChange={(startListener) => change({ ...settings, app: { ...app, startListener } })}
      />
      <SettingTicks section="listener" draft={draft} />
      {bridge.makeReferences && (
        <p className="note note-warn" role="status">
          {t('settings.listener.referencesWarning')}
        </p>
      )}
    </Section>
  );
}
