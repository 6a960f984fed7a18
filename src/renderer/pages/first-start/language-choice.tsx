import { Languages } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../contract/console/index.ts';
import { RefusedNote } from '../../components/refused.tsx';
import { useAction } from '../../store/queries.ts';
import { languages } from '../../../locales/index.ts';
import { changeLanguage } from '../../messages/i18n.ts';

/** Speaks the chosen language at once, and saves it. */
export function LanguageChoice({
  view,
  onChosen,
}: {
  view: SettingsView;
  onChosen: (language: string) => void;
}) {
  const { t, i18n } = useTranslation();
  const save = useAction('saveSettings');
  const id = useId();
  const choose = (language: string) => {
    onChosen(language);
    void changeLanguage(language);
    const { app, bridge } = view.settings;
    void save.run({ app: { ...app, language }, bridge });
  };
  return (
    <div className="first-start-language">
      <label htmlFor={id}>
        <Languages aria-hidden="true" />
        <span>{t('firstStart.language')}</span>
      </label>
      <select id={id} value={i18n.language} onChange={({ target }) => choose(target.value)}>
        {languages.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      <RefusedNote refusal={save.refusal} />
    </div>
  );
}
