/** Nothing runs yet: a person connects a terminal, or tries the simulator. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BridgeSettings, SettingsView } from '../../../contract/console/index.ts';
import { ConnectionMessage } from '../../components/connection-message.tsx';
import { Empty } from '../../components/empty.tsx';
import { RefusedNote } from '../../components/refused.tsx';
import { useAction } from '../../store/queries.ts';
import { useView } from '../../store/console-context.tsx';
import { ConnectTerminal } from './connect-terminal.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { TrySimulator } from './try-simulator.tsx';
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
