/** What a terminal is called, for people. Where there is only one, nothing needs a name. */
import { useTranslation } from 'react-i18next';
import { mainTerminal } from '../../../contract/terminal-name.ts';
import { useView } from '../../store/console-context.tsx';

/** Takes the name, or none for the main one. Null: there is only one terminal. */
export function useTerminalTitle(): (name: string | undefined) => string | null {
  const { t } = useTranslation();
  const isOneOfSeveral = useView().state?.otherTerminals !== undefined;
  return (name = mainTerminal) => {
    if (name !== mainTerminal) return t('terminals.named', { name });
    return isOneOfSeveral ? t('terminals.main') : null;
  };
}

/** Which terminal something is about: the person has to look at the right one. */
export function OnTerminal({ name }: { name: string | undefined }) {
  const title = useTerminalTitle()(name);
  return (
    title !== null && (
      <p>
        <strong>{title}</strong>
      </p>
    )
  );
}
