/** Why this window hears nothing from the bridge, and what to do. */
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShutOut } from '../../contract/console/index.ts';

export function ConnectionMessage({ shutOut }: { shutOut: ShutOut | null }) {
  const { t } = useTranslation();
  if (shutOut === null) return t('connection.lost');
  return <WithCommands text={`${t(`shutOut.${shutOut}`)} ${t('shutOut.next')}`} />;
}

/** What stands between backticks is a command, in one piece and in letters that show its hyphens. */
function WithCommands({ text }: { text: string }) {
  return text.split('`').map((part, index) => {
    const isCommand = index % 2 === 1;
    // A text never changes its parts.
    return isCommand ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>;
  });
}
