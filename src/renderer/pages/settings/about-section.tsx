/** What support asks for first, and how much the log says. */
import { useTranslation } from 'react-i18next';
import { logLevelSchema } from '../../../contract/console/index.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Field } from '../../components/field.tsx';
import { useConsoleState } from '../../store/console-context.tsx';
import { Section, useFixedWords } from './section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

export function AboutSection({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { version, host } = useConsoleState();
  const { view, settings, change, problems } = draft;
  const fixed = useFixedWords(view)('logLevel');
  return (
    <Section title={t('settings.about.title')}>
      <dl className="settings-facts">
        <dt>{t('settings.about.version')}</dt>
        <dd>{version}</dd>
        <dt>{t('settings.about.host')}</dt>
        <dd>{t(`settings.about.${host}`)}</dd>
        <dt>{t('settings.about.dataDir')}</dt>
        <dd>
          <code>{view.dataDir}</code>
          <CopyButton text={view.dataDir} />
        </dd>
        <dt>{t('settings.about.logFile')}</dt>
        <dd>
          {view.logFile === null ? (
            t('app.none')
          ) : (
            <>
              <code>{view.logFile}</code>
              <CopyButton text={view.logFile} />
            </>
          )}
        </dd>
        <dt>{t('settings.about.secrets')}</dt>
        <dd>{t(`settings.about.secretsIn.${view.secrets}`)}</dd>
      </dl>
      <div className="settings-pair">
        <Field
          label={t('settings.about.logLevel')}
          hint={fixed ?? t('settings.about.logLevelHint')}
          problem={problems['logLevel'] ?? null}
        >
          {(tie) => (
            <select
              {...tie}
              value={settings.bridge.logLevel}
              disabled={fixed !== undefined}
              onChange={({ target }) =>
                change({
                  ...settings,
                  bridge: { ...settings.bridge, logLevel: logLevelSchema.parse(target.value) },
                })
              }
            >
              {logLevelSchema.options.map((level) => (
                <option key={level} value={level}>
                  {t(`log.atLeast.${level}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
    </Section>
  );
}
