/** What stands in place of content, or beside it: nothing is here, it was refused, or the connection is gone. */
import { OctagonAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ConsoleRefusal, ShutOut } from '../../contract/console/index.ts';
import { useView } from '../store/console-context.tsx';
import { useRefusalMessage } from '../messages/i18n.ts';
import { Button } from './button.tsx';
import { WhyLink } from './why-link.tsx';
import { WithCommands } from './with-commands.tsx';
import type { ReactNode } from 'react';

/** A whole page or panel could not be had. */
export function Refused({ refusal, retry }: { refusal: ConsoleRefusal; retry?: () => void }) {
  const { t } = useTranslation();
  const message = useRefusalMessage();
  // Without a connection pressing would do nothing; what is shown is asked for again when it is back.
  const { connected } = useView();
  return (
    <Empty
      icon={<OctagonAlert className="mark mark-large tone-bad" aria-hidden="true" />}
      title={message(refusal)}
      action={
        <>
          {retry !== undefined && connected && <Button onClick={retry}>{t('app.retry')}</Button>}
          <WhyLink />
        </>
      }
    />
  );
}

/** What a person has entered is the reason, and the words beside it say what. */
const ownFault = new Set<ConsoleRefusal['code']>(['invalid_request', 'settings_fixed']);

/** Beside a button or field: what was just tried did not work. Read out at once. */
export function RefusedNote({ refusal }: { refusal: ConsoleRefusal | null }) {
  const message = useRefusalMessage();
  return (
    <p className="note note-bad" role="alert" hidden={refusal === null}>
      {refusal !== null && message(refusal)}
      {refusal !== null && !ownFault.has(refusal.code) && (
        <>
          {' '}
          <WhyLink />
        </>
      )}
    </p>
  );
}

/** Instead of content: nothing is here, it is still coming, or it could not be had; with what to do next. */
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      {icon}
      <p className="empty-title">{title}</p>
      {children !== undefined && <div className="empty-text">{children}</div>}
      {action}
    </div>
  );
}

/** Why this window gets nothing from the bridge, and what to do. */
export function ConnectionMessage({ shutOut }: { shutOut: ShutOut | null }) {
  const { t } = useTranslation();
  if (shutOut === null) return t('connection.lost');
  return <WithCommands text={`${t(`shutOut.${shutOut}`)} ${t('shutOut.next')}`} />;
}
