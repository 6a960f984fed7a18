/** Updates: what is known of a newer version, and where and when it is taken from. */
import { useTranslation } from 'react-i18next';
import { Section } from './section.tsx';
import { SettingFields } from './setting-field.tsx';
import { UpdateStatus } from './update-status.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

export function UpdatesSection({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  return (
    <Section title={t('settings.updates.title')} text={t('settings.updates.text')}>
      <UpdateStatus />
      <SettingFields section="updates" draft={draft} />
    </Section>
  );
}
