/** What support asks for first, and how much the log says. */
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/button.tsx';
import { useConsoleState } from '../../store/console-context.tsx';
import { AboutTexts } from './about-texts.tsx';
import { Section } from './section.tsx';
import { SettingFields } from './setting-field.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

export function AboutSection({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { version, host } = useConsoleState();
  const { view } = draft;
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
          <CopyButton text={view.dataDir} what={t('settings.about.dataDir')} />
        </dd>
        <dt>{t('settings.about.logFile')}</dt>
        <dd>
          {view.logFile === null ? (
            t('app.none')
          ) : (
            <>
              <code>{view.logFile}</code>
              <CopyButton text={view.logFile} what={t('settings.about.logFile')} />
            </>
          )}
        </dd>
        <dt>{t('settings.about.secrets')}</dt>
        <dd>{t(`settings.about.secretsIn.${view.secrets}`)}</dd>
      </dl>
      <AboutTexts />
      <SettingFields section="about" draft={draft} />
    </Section>
  );
}
