import { OctagonAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ConsoleRefusal } from '../../contract/console/index.ts';
import { useView } from '../store/console-context.tsx';
import { useRefusalMessage } from '../messages/refusal-message.ts';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';

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
        retry === undefined || !connected ? undefined : <Button onClick={retry}>{t('app.retry')}</Button>
      }
    />
  );
}

/** Beside a button or field: what was just tried did not work. Read out at once. */
export function RefusedNote({ refusal }: { refusal: ConsoleRefusal | null }) {
  const message = useRefusalMessage();
  return (
    <p className="note note-bad" role="alert" hidden={refusal === null}>
      {refusal !== null && message(refusal)}
    </p>
  );
}
