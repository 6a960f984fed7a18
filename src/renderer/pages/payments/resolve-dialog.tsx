/** Shows an operation in doubt with its evidence, and asks a person to decide, with name and reason. */
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InDoubtView } from '../../../contract/in-doubt.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Time } from '../../components/time.tsx';
import { useConsoleState } from '../../store/console-context.tsx';
import { useFormats } from '../../words/format.ts';
import { doubtAmount } from './doubt-amount.ts';
import { FactText } from './fact-text.tsx';
import { ResolveForm } from './resolve-form.tsx';
import './resolve.css';

/** Follows the doubt as long as it is open: more evidence is shown, and its end is said. */
export function ResolveDialog({ operationId, onClose }: { operationId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { doubts } = useConsoleState();
  const now = doubts.find((doubt) => doubt.operationId === operationId) ?? null;
  const [last, setLast] = useState<InDoubtView | null>(now);
  const [deciding, setDeciding] = useState(false);
  /** A terminal that is gone for good answers nobody: then a person need not wait for it. */
  const [withoutTerminal, setWithoutTerminal] = useState(false);
  useEffect(() => {
    if (now !== null) setLast(now);
  }, [now]);

  // While one's own decision is on its way its end is no news.
  const doubt = now ?? (deciding ? last : null);
  if (doubt === null) {
    return (
      <Dialog
        title={t(`resolve.title.${last?.kind ?? 'sale'}`)}
        onClose={onClose}
        actions={
          <Button look="primary" onClick={onClose}>
            {t('app.close')}
          </Button>
        }
      >
        <div role="status" data-resolve="gone">
          <p className="note note-good">
            <strong>{t('resolve.gone')}</strong> {t('resolve.goneText')}
          </p>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t(`resolve.title.${doubt.kind}`)} onClose={onClose} wide>
      <WhatItIs doubt={doubt} />
      <Evidence doubt={doubt} />
      {!doubt.needsDecision && <StillAsking />}
      {doubt.needsDecision || withoutTerminal ? (
        <>
          <p>{t(`resolve.lookAt.${doubt.kind}`)}</p>
          <ResolveForm doubt={doubt} onDeciding={setDeciding} onDone={onClose} />
        </>
      ) : (
        <div className="resolve-actions">
          <Button onClick={() => setWithoutTerminal(true)}>{t('resolve.withoutTerminal')}</Button>
        </div>
      )}
    </Dialog>
  );
}

function WhatItIs({ doubt }: { doubt: InDoubtView }) {
  const { t } = useTranslation();
  const amount = doubtAmount(doubt, useFormats());
  return (
    <dl className="doubt-fields">
      <div>
        <dt>{t('resolve.operation')}</dt>
        <dd>
          {t(`resolve.what.${doubt.kind}`)} {doubt.reference ?? ''}
        </dd>
      </div>
      {amount !== null && (
        <div>
          <dt>{t('resolve.amount')}</dt>
          <dd className="doubt-amount">{amount}</dd>
        </div>
      )}
      <div>
        <dt>{t('resolve.started')}</dt>
        <dd>
          <Time at={doubt.startedAt} show="dateTime" />
        </dd>
      </div>
      <div>
        <dt>{t('resolve.reason')}</dt>
        <dd lang="en">{doubt.reason}</dd>
      </div>
    </dl>
  );
}

function Evidence({ doubt }: { doubt: InDoubtView }) {
  const { t } = useTranslation();
  return (
    <section aria-label={t('resolve.evidence')}>
      <h3>{t('resolve.evidence')}</h3>
      <ol className="doubt-facts" aria-live="polite">
        {doubt.facts.map(({ seq, at, event }) => (
          <li key={seq}>
            <Time at={at} />
            <FactText event={event} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function StillAsking() {
  const { t } = useTranslation();
  const { terminal } = useConsoleState();
  return (
    <div className="note note-doubt" role="status" data-resolve="asking">
      <p>
        <strong>{t('resolve.stillAsking')}</strong> {t('resolve.stillAskingNext')}
      </p>
      {terminal !== null && (
        <p>
          {t('resolve.terminalNow', { state: t(`terminal.connection.${terminal.connection}`) })}{' '}
          {t(`terminal.next.${terminal.connection}`)}
        </p>
      )}
    </div>
  );
}
