/** Shows what terminal and journal disagree about, and asks a person to acknowledge it, with name and reason. */
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DiscrepancyView } from '../../../contract/discrepancy.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { RefusedNote } from '../notices.tsx';
import { Time } from '../time.tsx';
import { useAction } from '../../store/queries.ts';
import { useConsoleState } from '../../store/console-context.tsx';
import { useFormats } from '../../messages/formats.ts';
import { discrepancyAmount, holdMessage } from '../../messages/open-items.ts';
import { recordMessage } from '../../messages/journal-event.ts';
import { newStatement, StatementForm } from './statement-form.tsx';
import { OnTerminal } from '../terminal-choice/index.ts';
import './decisions.css';
import { BridgeText } from '../bridge-text.tsx';

/** `shown` is what was pressed on; it may be open though the state has no room for it. */
export function DiscrepancyDialog({ shown, onClose }: { shown: DiscrepancyView; onClose: () => void }) {
  const { t } = useTranslation();
  const acknowledging = useAction('acknowledge');
  const gone = useIsGone(shown) && !acknowledging.busy;
  const title = t(`discrepancy.kind.${shown.kind}`);
  if (gone) {
    return (
      <Dialog
        title={title}
        onClose={onClose}
        actions={
          <Button look="primary" onClick={onClose}>
            {t('app.close')}
          </Button>
        }
      >
        <div role="status" data-discrepancy="gone">
          <p className="note note-good">{t('discrepancy.gone')}</p>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose} wide>
      <OnTerminal name={shown.onTerminal} />
      <WhatItIs discrepancy={shown} />
      <p>
        <BridgeText text={shown.message} />
      </p>
      <p>{t(`discrepancy.next.${shown.kind}`)}</p>
      <Held discrepancy={shown} />
      <AcknowledgeForm discrepancy={shown} acknowledging={acknowledging} onDone={onClose} />
    </Dialog>
  );
}

/** Somebody else has acknowledged it: it was in the state, and is not any more. */
function useIsGone({ discrepancyId }: DiscrepancyView): boolean {
  const { discrepancies } = useConsoleState();
  const isThere = discrepancies.some((other) => other.discrepancyId === discrepancyId);
  const [wasThere, setWasThere] = useState(isThere);
  useEffect(() => {
    if (isThere) setWasThere(true);
  }, [isThere]);
  return wasThere && !isThere;
}

function WhatItIs({ discrepancy }: { discrepancy: DiscrepancyView }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { references, record, foundAt } = discrepancy;
  const amount = discrepancyAmount(discrepancy, formats);
  return (
    <dl className="decision-fields">
      <div>
        <dt>{t('discrepancy.found')}</dt>
        <dd>
          <Time at={foundAt} show="dateTime" />
        </dd>
      </div>
      {amount !== null && (
        <div>
          <dt>{t('resolve.amount')}</dt>
          <dd className="decision-amount">{amount}</dd>
        </div>
      )}
      {references.length > 0 && (
        <div>
          <dt>{t('discrepancy.payments', { count: references.length })}</dt>
          <dd>{references.join(', ')}</dd>
        </div>
      )}
      {record !== null && (
        <div className="decision-record">
          <dt>{t('discrepancy.terminalShows')}</dt>
          <dd>{recordMessage(record, t, formats)}</dd>
        </div>
      )}
    </dl>
  );
}

function Held({ discrepancy }: { discrepancy: DiscrepancyView }) {
  const { t } = useTranslation();
  const held = holdMessage(discrepancy, t, useFormats());
  return held === null ? null : <p className="note note-warn">{held}</p>;
}

function AcknowledgeForm({
  discrepancy: { discrepancyId },
  acknowledging: { busy, refusal, run },
  onDone,
}: {
  discrepancy: DiscrepancyView;
  acknowledging: ReturnType<typeof useAction<'acknowledge'>>;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const [statement, setStatement] = useState(newStatement);
  const acknowledge = async () => {
    const done = await run({ discrepancyId, by: statement.by.trim(), reason: statement.reason.trim() });
    if (done !== null) onDone();
  };
  return (
    <StatementForm
      statement={statement}
      onChange={setStatement}
      why={t('discrepancy.why')}
      whyHint={t('discrepancy.whyHint')}
      submit={t('discrepancy.acknowledge')}
      busy={busy}
      note={
        <>
          <p className="calm">{t('discrepancy.changesNothing')}</p>
          <RefusedNote refusal={refusal} />
        </>
      }
      onSubmit={() => void acknowledge()}
    />
  );
}
