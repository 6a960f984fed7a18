import { Cable } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import {
  TerminalForm,
  terminalValueOf,
  useTerminalProblems,
  type TerminalValue,
} from '../../components/terminal-form/index.ts';

/** The form, and "Use this terminal". What is missing is said when it is pressed, not by a button that cannot be. */
export function ConnectTerminal({
  view,
  busy,
  disabled,
  onUse,
}: {
  view: SettingsView;
  busy: boolean;
  disabled: boolean;
  onUse: (value: TerminalValue) => void;
}) {
  const { t } = useTranslation();
  const [value, setValue] = useState<TerminalValue>(() => terminalValueOf(view.settings.bridge));
  const [pressed, setPressed] = useState(false);
  const problems = useTerminalProblems(value, view.secretsSet);
  const wrong = value.terminal === null || Object.keys(problems).length > 0;
  const use = () => {
    setPressed(true);
    if (!wrong) onUse(value);
  };
  return (
    <section className="card first-start-terminal" aria-labelledby="first-start-terminal">
      <h2 id="first-start-terminal">
        <Cable aria-hidden="true" />
        {t('firstStart.connect')}
      </h2>
      <TerminalForm
        value={value}
        onChange={(next) => {
          setPressed(false);
          setValue(next);
        }}
        problems={problems}
        fixed={view.fixed}
        secretsSet={view.secretsSet}
        offersSimulator={false}
      />
      <div className="first-start-use">
        <Button
          look={value.terminal === null ? 'plain' : 'primary'}
          busy={busy}
          disabled={disabled}
          onClick={use}
        >
          {t('firstStart.use')}
        </Button>
        <p className="field-problem" role="alert">
          {pressed &&
            wrong &&
            (value.terminal === null
              ? t('firstStart.chooseFirst')
              : (problems['terminal'] ?? t('firstStart.correctFirst')))}
        </p>
      </div>
    </section>
  );
}
