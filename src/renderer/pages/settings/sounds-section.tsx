/** Sounds of the till: at once, and saved at once. Each can be heard here before it is needed. */
import { Volume2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { appSettingsSchema } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { player } from '../../sound/player.ts';
import { Section, Tick } from './section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

const volumes = appSettingsSchema.shape.soundVolume.unwrap().options;
const signals = ['approved', 'not_approved', 'needs_person'] as const;

export function SoundsSection({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { sounds, soundVolume } = draft.view.settings.app;
  return (
    <Section title={t('settings.sounds.title')} text={t('settings.sounds.text')}>
      <Tick
        label={t('settings.sounds.on')}
        hint={t('settings.sounds.onHint')}
        checked={sounds}
        disabled={draft.busy}
        onChange={(wanted) => void draft.saveNow({ sounds: wanted })}
      />
      <div className="settings-pair">
        <Field label={t('settings.sounds.volume')}>
          {(tie) => (
            <select
              {...tie}
              value={soundVolume}
              disabled={draft.busy}
              onChange={({ target }) => {
                const wanted = volumes.find((one) => one === target.value);
                if (wanted !== undefined) void draft.saveNow({ soundVolume: wanted });
              }}
            >
              {volumes.map((volume) => (
                <option key={volume} value={volume}>
                  {t(`settings.sounds.${volume}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <div className="settings-sounds" role="group" aria-label={t('settings.sounds.try')}>
        <span className="calm">{t('settings.sounds.try')}</span>
        {signals.map((signal) => (
          <Button
            key={signal}
            icon={<Volume2 aria-hidden="true" />}
            onClick={() => player.try(signal, soundVolume)}
          >
            {t(`settings.sounds.${signal}`)}
          </Button>
        ))}
      </div>
    </Section>
  );
}
