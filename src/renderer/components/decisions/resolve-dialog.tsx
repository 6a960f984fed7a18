/** Shows an operation in doubt with its evidence, and asks a person to decide, with name and reason. */
import { Gavel, LifeBuoy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InDoubtView } from '../../../contract/in-doubt.ts';
import type { LastEnded } from '../../../contract/console/index.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Mark, outcomeShape } from '../status-mark.tsx';
import { Time } from '../time.tsx';
import { mainTerminal } from '../../../contract/terminal-name.ts';
import { stateOf } from '../../store/chosen-terminal.ts';
import { useConsoleState } from '../../store/console-context.tsx';
import { OfTerminal, useTerminalState } from '../../store/terminal-context.tsx';
import { useFormats } from '../../messages/formats.ts';
import { outcomeMeaning } from '../../messages/outcome.ts';
import { inDoubtAmount } from '../../messages/open-items.ts';
import { canBeAsked } from '../../../notifications/index.ts';
import { EventText } from '../event-text.tsx';
import { terminalWord } from '../../situation/terminal-words.ts';
import { href } from '../../store/route.ts';
import { BundleDialog } from '../support-bundle.tsx';
import { CheckTerminal } from './check-terminal.tsx';
import { ResolveForm } from './resolve-form.tsx';
import { OnTerminal } from '../terminal-choice/index.ts';
import './decisions.css';
import { BridgeText } from '../bridge-text.tsx';

/** Follows the operation as long as it is in doubt: more evidence is shown, and the end is announced. */
export function ResolveDialog({ operationId, onClose }: { operationId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const state = useConsoleState();
  const { doubts } = state;
  const now = doubts.find((inDoubt) => inDoubt.operationId === operationId) ?? null;
  const [last, setLast] = useState<InDoubtView | null>(now);
  const [deciding, setDeciding] = useState(false);
  /** A terminal that is gone for good answers nobody: then a person need not wait for it. */
  const [withoutTerminal, setWithoutTerminal] = useState(false);
  const [bundling, setBundling] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that asked for the form is gone, and the form may be out of sight.
    if (withoutTerminal) form.current?.querySelector('input')?.focus();
  }, [withoutTerminal]);
  useEffect(() => {
    if (now !== null) setLast(now);
  }, [now]);

  const { lastEnded } = stateOf(state, last?.onTerminal ?? mainTerminal);
  // While one's own decision is on its way, the end of it needs no announcement.
  const inDoubt = now ?? (deciding ? last : null);
  if (inDoubt === null) {
    const paymentId = last === null ? null : paymentOf(last);
    return (
      <Dialog
        title={t(`resolve.title.${last?.kind ?? 'sale'}`)}
        onClose={onClose}
        actions={
          <>
            {paymentId !== null && (
              <a className="button button-plain" href={href('payments', paymentId)} onClick={onClose}>
                {t('resolve.showPayment')}
              </a>
            )}
            <Button look="primary" onClick={onClose}>
              {t('app.close')}
            </Button>
          </>
        }
      >
        <div role="status" data-resolve="gone">
          <p className="note note-good">
            <strong>{t('resolve.gone')}</strong> {t('resolve.goneText')}
          </p>
          {lastEnded?.operationId === operationId && <HowItEnded outcome={lastEnded.outcome} />}
        </div>
      </Dialog>
    );
  }
  const decides = inDoubt.needsDecision || withoutTerminal;
  return (
    <>
      <Dialog title={t(`resolve.title.${inDoubt.kind}`)} onClose={onClose} wide>
        <OnTerminal name={inDoubt.onTerminal} />
        <WhatItIs inDoubt={inDoubt} />
        <Evidence inDoubt={inDoubt} />
        <OtherTerminalNote inDoubt={inDoubt} />
        {!inDoubt.needsDecision && (
          <OfTerminal name={inDoubt.onTerminal}>
            <StillRecovering />
          </OfTerminal>
        )}
        <CheckTerminal terminal={inDoubt.onTerminal ?? mainTerminal} needsDecision={inDoubt.needsDecision}>
          <Button icon={<LifeBuoy aria-hidden="true" />} onClick={() => setBundling(true)}>
            {t('log.bundle')}
          </Button>
          {!decides && (
            <Button icon={<Gavel aria-hidden="true" />} onClick={() => setWithoutTerminal(true)}>
              {t('resolve.withoutTerminal')}
            </Button>
          )}
        </CheckTerminal>
        {decides && (
          <div ref={form} className="resolve-form">
            <p>{t(`resolve.lookAt.${inDoubt.kind}`)}</p>
            <ResolveForm inDoubt={inDoubt} onDeciding={setDeciding} onDone={onClose} />
          </div>
        )}
      </Dialog>
      {bundling && <BundleDialog onClose={() => setBundling(false)} />}
    </>
  );
}

/** Where nothing else ended since: whether money was taken is what the person came for. */
function HowItEnded({ outcome }: { outcome: LastEnded['outcome'] }) {
  const { t } = useTranslation();
  const shape = outcomeShape(outcome);
  return (
    <p className="decision-outcome" data-outcome={outcome}>
      <Mark shape={shape} />
      <span>
        <strong className={`tone-${shape.tone}`}>{t(`outcome.${outcome}`)}</strong>{' '}
        {t(outcomeMeaning[outcome])}
      </span>
    </p>
  );
}

/** The payment that it was about; null for a batch. */
function paymentOf({ facts }: InDoubtView): string | null {
  for (const { event } of facts) {
    if (event.type !== 'operation_started' || event.kind === 'batch_close') continue;
    return event.kind === 'sale' ? event.operationId : event.paymentId;
  }
  return null;
}

function WhatItIs({ inDoubt }: { inDoubt: InDoubtView }) {
  const { t } = useTranslation();
  const amount = inDoubtAmount(inDoubt, useFormats());
  return (
    <dl className="decision-fields">
      <div>
        <dt>{t('resolve.operation')}</dt>
        <dd>
          {t(`resolve.what.${inDoubt.kind}`)} {inDoubt.reference ?? ''}
        </dd>
      </div>
      {amount !== null && (
        <div>
          <dt>{t('resolve.amount')}</dt>
          <dd className="decision-amount">{amount}</dd>
        </div>
      )}
      <div>
        <dt>{t('resolve.started')}</dt>
        <dd>
          <Time at={inDoubt.startedAt} show="dateTime" />
        </dd>
      </div>
      <div>
        <dt>{t('resolve.reason')}</dt>
        <dd>
          <BridgeText text={inDoubt.reason} />
        </dd>
      </div>
    </dl>
  );
}

function Evidence({ inDoubt }: { inDoubt: InDoubtView }) {
  const { t } = useTranslation();
  return (
    <section aria-label={t('resolve.evidence')}>
      <h3>{t('resolve.evidence')}</h3>
      <ol className="decision-events" aria-live="polite">
        {inDoubt.facts.map(({ seq, at, event }) => (
          <li key={seq}>
            <Time at={at} />
            <div>
              <EventText event={event} />
              <FoundAgain inDoubt={inDoubt} seq={seq} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The same finding, made again and again, is shown once. */
function FoundAgain({ inDoubt: { repeats = [] }, seq }: { inDoubt: InDoubtView; seq: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const again = repeats.find((repeat) => repeat.seq === seq);
  if (again === undefined) return null;
  const { count, lastAt } = again;
  return (
    // Each check changes it: that is no news to read out.
    <p className="calm" aria-live="off" data-resolve="again">
      {t('resolve.again', { count, time: formats.dateTime(lastAt) })}
    </p>
  );
}

/** Nothing that one terminal shows says how a payment on another one ended. */
function OtherTerminalNote({ inDoubt: { otherTerminal } }: { inDoubt: InDoubtView }) {
  const { t } = useTranslation();
  if (otherTerminal === undefined) return null;
  return (
    <div className="note note-warn" role="status" data-resolve="other-terminal">
      <p>
        <strong>{t('timeline.event.otherTerminal', { ...otherTerminal })}</strong>
      </p>
      <p>{t('timeline.event.otherTerminalMeans', { ...otherTerminal })}</p>
    </div>
  );
}

function StillRecovering() {
  const { t } = useTranslation();
  const { terminal } = useTerminalState();
  return (
    <div className="note note-warn" role="status" data-resolve="asking">
      <p>
        <strong>{t(canBeAsked(terminal) ? 'resolve.stillRecovering' : 'banner.inDoubtDisconnected')}</strong>{' '}
        {t('resolve.stillRecoveringNext')}
      </p>
      {terminal !== null && (
        <p>
          {t('resolve.terminalNow', { state: t(`terminal.connection.${terminalWord(terminal)}`) })}{' '}
          {t(`terminal.next.${terminalWord(terminal)}`)}
        </p>
      )}
    </div>
  );
}
