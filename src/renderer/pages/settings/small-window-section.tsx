/** The small window above other programs: of the desktop app by itself, of a browser by a click. Saved at once. */
import { useState } from 'react';
import { PictureInPicture2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { appSettingsSchema } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { openMini } from '../../mini/browser-window.tsx';
import { useConsoleState } from '../../store/console-context.tsx';
import { Section } from './section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

const choices = appSettingsSchema.shape.smallWindow.unwrap().options;

export function SmallWindowSection({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { host } = useConsoleState();
  return (
    <Section title={t('settings.smallWindow.title')} text={t('settings.smallWindow.text')}>
      {host === 'headless' ? (
        <BrowserButton />
      ) : (
        <div className="settings-pair">
          <Field label={t('settings.smallWindow.when')}>
            {(tie) => (
              <select
                {...tie}
                value={draft.view.settings.app.smallWindow}
                disabled={draft.busy}
                onChange={({ target }) => {
                  const smallWindow = choices.find((one) => one === target.value);
                  if (smallWindow !== undefined) void draft.saveNow({ smallWindow });
                }}
              >
                {choices.map((choice) => (
                  <option key={choice} value={choice}>
                    {t(`settings.smallWindow.${choice}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      )}
    </Section>
  );
}

function BrowserButton() {
  const { t } = useTranslation();
  const [refused, setRefused] = useState(false);
  const open = async () => setRefused(!(await openMini()));
  return (
    <>
      <p className="calm">
        {t(
          window.documentPictureInPicture === undefined
            ? 'settings.smallWindow.popup'
            : 'settings.smallWindow.onTop',
        )}
      </p>
      <p>
        <Button icon={<PictureInPicture2 aria-hidden="true" />} onClick={() => void open()}>
          {t('settings.smallWindow.open')}
        </Button>
      </p>
      {refused && (
        <p className="note note-warn" role="alert">
          {t('settings.smallWindow.refused')}
        </p>
      )}
    </>
  );
}
