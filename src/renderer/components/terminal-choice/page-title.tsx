/** The title of a page that is about one terminal: where there are several, which one, and the others to choose from. */
import { useTranslation } from 'react-i18next';
import { terminalChoice, terminalNames } from '../../store/chosen-terminal.ts';
import { useConsoleState } from '../../store/console-context.tsx';
import { useTerminalName } from '../../store/terminal-context.tsx';
import { useTerminalTitle } from './terminal-title.tsx';
import './terminal-choice.css';

export function PageTitle({ title }: { title: string }) {
  const { otherTerminals } = useConsoleState();
  if (otherTerminals === undefined) return <h1>{title}</h1>;
  return (
    <div className="page-title">
      <h1>{title}</h1>
      <TerminalField />
    </div>
  );
}

/** Nothing where there is one terminal. */
export function TerminalField() {
  const { t } = useTranslation();
  const names = terminalNames(useConsoleState());
  const chosen = useTerminalName();
  const titleOf = useTerminalTitle();
  if (names.length === 1) return null;
  return (
    <select
      className="terminal-field"
      aria-label={t('terminal.title')}
      value={chosen}
      onChange={({ target }) => terminalChoice.choose(target.value)}
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {titleOf(name)}
        </option>
      ))}
    </select>
  );
}
