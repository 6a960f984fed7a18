/** Nothing runs yet: a person connects a terminal, or tries the simulator. */
import { useState, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { BridgeSettings, SettingsView } from '../../../contract/console/index.ts';
import { ConnectionMessage, Empty, RefusedNote } from '../../components/notices.tsx';
import { useAction } from '../../store/queries.ts';
import { useView } from '../../store/console-context.tsx';
import { ConnectTerminal } from './connect-terminal.tsx';
import { Languages, FlaskConical } from 'lucide-react';
import { languages } from '../../../locales/index.ts';
import { changeLanguage } from '../../messages/i18n.ts';
import { Button } from '../../components/button.tsx';
import './first-start.css';

export function FirstStartPage() {
  const { t } = useTranslation();
  const { settings, connected } = useView();
  if (settings === null) return <Empty title={connected ? t('app.loading') : t('connection.lost')} />;
  return <Choices view={settings} />;
}

function Choices({ view }: { view: SettingsView }) {
  const { t } = useTranslation();
  const { connected, shutOut } = useView();
  const save = useAction('saveSettings');
  const [language, setLanguage] = useState<string | null>(null);
  /** Saved: the bridge starts, and with its state this page goes. */
  const [saved, setSaved] = useState<'terminal' | 'simulator' | null>(null);
  const [saving, setSaving] = useState<'terminal' | 'simulator' | null>(null);
  const { app, bridge } = view.settings;

  const use = async (which: 'terminal' | 'simulator', change: Partial<BridgeSettings>) => {
    setSaving(which);
    const response = await save.run({
      app: { ...app, language: language ?? app.language },
      bridge: { ...bridge, ...change },
    });
    setSaving(null);
    if (response !== null) setSaved(which);
  };
  const busyWith = saving ?? saved;

  return (
    <div className="first-start">
      <header className="first-start-head">
        <div>
          <h1>{t('firstStart.title')}</h1>
          <p className="first-start-what">{t('firstStart.what')}</p>
        </div>
        <LanguageChoice view={view} onChosen={setLanguage} />
      </header>
      {!connected && (
        <p className="note note-bad" role="alert">
          <ConnectionMessage shutOut={shutOut} />
        </p>
      )}
      <div className="first-start-choices">
        <ConnectTerminal
          view={view}
          busy={busyWith === 'terminal'}
          disabled={busyWith !== null}
          onUse={(value) => void use('terminal', value)}
        />
        <TrySimulator
          fixedBy={view.fixed.find(({ key }) => key === 'terminal')?.by ?? null}
          busy={busyWith === 'simulator'}
          disabled={busyWith !== null}
          onTry={() => void use('simulator', { terminal: 'simulator' })}
        />
      </div>
      <RefusedNote refusal={save.refusal} />
      <p role="status">{saved !== null && t('firstStart.starting')}</p>
    </div>
  );
}

/** Speaks the chosen language at once, and saves it. */
function LanguageChoice({ view, onChosen }: { view: SettingsView; onChosen: (language: string) => void }) {
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

function TrySimulator({
  fixedBy,
  busy,
  disabled,
  onTry,
}: {
  /** What has fixed the terminal, so that there is no choice. */
  fixedBy: string | null;
  busy: boolean;
  disabled: boolean;
  onTry: () => void;
}) {
  const { t } = useTranslation();
  return (
    <section className="card first-start-simulator" aria-labelledby="first-start-simulator">
      <h2 id="first-start-simulator">
        <FlaskConical aria-hidden="true" />
        {t('firstStart.try')}
      </h2>
      <p>{t('firstStart.tryText')}</p>
      {fixedBy === null ? (
        <Button look="primary" busy={busy} disabled={disabled} onClick={onTry}>
          {t('firstStart.tryNow')}
        </Button>
      ) : (
        <p className="field-hint">{t('terminalForm.fixed', { by: fixedBy })}</p>
      )}
      <p className="field-hint">{t('firstStart.tryLater')}</p>
    </section>
  );
}
