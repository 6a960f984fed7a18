/** What was asked could not be had: in the page's language, and what to do. */
import { OctagonAlert } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/notices.tsx';
import type { RefusalCode } from '../office-client.ts';
import { useOffice, type Asked } from '../session.tsx';

/** Those that have a message of their own. */
const known = ['not_connected', 'not_allowed', 'not_found', 'unavailable', 'invalid_request'] as const;

function useRefusalText(): (code: RefusalCode) => string {
  const { t } = useTranslation();
  return (code) => t(`office.refusal.${known.find((each) => each === code) ?? 'other'}`);
}

/** Instead of what is not there: it is loading, or was refused. */
export function NotThere({ asked: { refusal, retry } }: { asked: Asked<unknown> }) {
  const { t } = useTranslation();
  const text = useRefusalText();
  const { ended } = useOffice();
  const isOut = refusal === 'no_session';
  useEffect(() => {
    if (isOut) ended();
  }, [isOut, ended]);
  if (refusal === null || isOut) return <Empty title={t('app.loading')} />;
  return (
    <Empty
      icon={<OctagonAlert className="mark mark-large tone-bad" aria-hidden="true" />}
      title={text(refusal)}
      action={<Button onClick={retry}>{t('app.retry')}</Button>}
    />
  );
}

/** Beside a button: what was just tried did not work. Read out at once. */
export function RefusedText({ refusal }: { refusal: RefusalCode | null }) {
  const text = useRefusalText();
  return (
    <p className="note note-bad" role="alert" hidden={refusal === null}>
      {refusal !== null && text(refusal)}
    </p>
  );
}
