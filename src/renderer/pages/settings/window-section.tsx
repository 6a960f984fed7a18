/** How the window looks and speaks: at once, and saved at once. */
import { useTranslation } from 'react-i18next';
import { appSettingsSchema } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { useClient } from '../../store/console-context.tsx';
import { languages } from '../../../locales/index.ts';
import { Section, Tick } from './section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

const themes = appSettingsSchema.shape.theme.unwrap().options;

export function WindowSection({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { settings, change, view, busy } = draft;
  const { app } = settings;
  const { quit } = useClient();
  return (
    <Section title={t('settings.window.title')} text={t('settings.window.text')}>
      <div className="settings-pair">
        <Field label={t('settings.language')}>
          {(tie) => (
            <select
              {...tie}
              value={view.settings.app.language}
              disabled={busy}
              onChange={({ target }) => void draft.saveNow({ language: target.value })}
            >
              <option value="system">{t('settings.window.asComputer')}</option>
              {languages.map(({ code, name }) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t('settings.theme')}>
          {(tie) => (
            <select
              {...tie}
              value={view.settings.app.theme}
              disabled={busy}
              onChange={({ target }) => {
                const theme = themes.find((one) => one === target.value);
                if (theme !== undefined) void draft.saveNow({ theme });
              }}
            >
              {themes.map((theme) => (
                <option key={theme} value={theme}>
                  {theme === 'system' ? t('settings.window.asComputer') : t(`settings.window.${theme}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {view.canStartWithSystem && (
        <Tick
          label={t('settings.window.startWithSystem')}
          hint={t('settings.window.startWithSystemHint')}
          checked={app.startWithSystem}
          onChange={(startWithSystem) => change({ ...settings, app: { ...app, startWithSystem } })}
        />
      )}
      {quit !== null && (
        <p>
          <Button onClick={quit}>{t('menu.quit')}</Button>
        </p>
      )}
    </Section>
  );
}
