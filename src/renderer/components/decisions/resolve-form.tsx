/** A person's decision on an operation in doubt, in two steps: what happened, by whom and how it is known; then whether that is certain. */
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InDoubtView } from '../../../contract/in-doubt.ts';
import type { Resolution } from '../../../contract/operation.ts';
import { Button } from '../button.tsx';
import { RefusedNote } from '../notices.tsx';
import { useAction } from '../../store/queries.ts';
import { newStatement, StatementForm, type Statement } from './statement-form.tsx';

interface Decision extends Statement {
  resolution: Resolution | null;
  terminalUnreachable: boolean;
}

export function ResolveForm({
  inDoubt,
  onDeciding,
  onDone,
}: {
  inDoubt: InDoubtView;
  /** The decision is on its way, or was refused. */
  onDeciding: (deciding: boolean) => void;
  onDone: () => void;
}) {
  const [decision, setDecision] = useState<Decision>({
    ...newStatement(),
    resolution: null,
    terminalUnreachable: false,
  });
  const [sure, setSure] = useState(false);
  const [wasRefused, setWasRefused] = useState(false);
  const { busy, refusal, run, clear } = useAction('resolve');

  if (!sure || decision.resolution === null) {
    return (
      <DecideStep
        inDoubt={inDoubt}
        statement={decision}
        // The terminal may have begun to work again since it was seen idle; then the bridge refuses, and says so.
        mayBeUnreachable={!inDoubt.terminalSeenIdle || wasRefused}
        onChange={setDecision}
        onNext={() => setSure(true)}
      />
    );
  }
  const { resolution, terminalUnreachable } = decision;
  const decide = async () => {
    onDeciding(true);
    const { operationId } = inDoubt;
    const by = decision.by.trim();
    const reason = decision.reason.trim();
    const done = await run({ operationId, resolution, by, reason, terminalUnreachable });
    if (done !== null) return onDone();
    onDeciding(false);
    setWasRefused(true);
  };
  return (
    <ConfirmStep
      resolution={resolution}
      statement={decision}
      busy={busy}
      refusal={refusal}
      onBack={() => {
        clear();
        setSure(false);
      }}
      onConfirm={() => void decide()}
    />
  );
}

function DecideStep({
  inDoubt,
  statement: decision,
  mayBeUnreachable,
  onChange,
  onNext,
}: {
  inDoubt: InDoubtView;
  statement: Decision;
  mayBeUnreachable: boolean;
  onChange: (decision: Decision) => void;
  onNext: () => void;
}) {
  const { t } = useTranslation();
  const stated = inDoubt.terminalSeenIdle || decision.terminalUnreachable;
  return (
    <StatementForm
      statement={decision}
      onChange={onChange}
      why={t('resolve.why')}
      whyHint={t('resolve.whyHint')}
      submit={t('resolve.next')}
      complete={decision.resolution !== null && stated}
      onSubmit={onNext}
    >
      {(tried) => (
        <>
          <Resolutions inDoubt={inDoubt} statement={decision} tried={tried} onChange={onChange} />
          {mayBeUnreachable && (
            <Unreachable
              seenIdle={inDoubt.terminalSeenIdle}
              stated={decision.terminalUnreachable}
              missing={tried && !stated}
              onChange={(terminalUnreachable) => onChange({ ...decision, terminalUnreachable })}
            />
          )}
        </>
      )}
    </StatementForm>
  );
}

function Resolutions({
  inDoubt,
  statement: decision,
  tried,
  onChange,
}: {
  inDoubt: InDoubtView;
  statement: Decision;
  tried: boolean;
  onChange: (decision: Decision) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const missing = tried && decision.resolution === null;
  return (
    <fieldset data-missing={missing ? true : undefined}>
      <legend>{t('resolve.question')}</legend>
      {inDoubt.resolutions.map((resolution) => (
        <label key={resolution} className="check resolve-choice">
          <input
            type="radio"
            name={`${id}-resolution`}
            value={resolution}
            checked={decision.resolution === resolution}
            aria-labelledby={`${id}-${resolution}-name`}
            aria-describedby={`${id}-${resolution}`}
            onChange={() => onChange({ ...decision, resolution })}
          />
          <span>
            <strong id={`${id}-${resolution}-name`}>{t(`resolution.${resolution}`)}</strong>
            <span className="calm" id={`${id}-${resolution}`}>
              {t(`resolve.means.${resolution}`)}
            </span>
          </span>
        </label>
      ))}
      {missing && (
        <p className="field-problem" role="alert">
          {t('resolve.choiceNeeded')}
        </p>
      )}
    </fieldset>
  );
}

/** A terminal that is still at work could end the operation otherwise; one that cannot be reached blocks nobody for ever. */
function Unreachable({
  seenIdle,
  stated,
  missing,
  onChange,
}: {
  seenIdle: boolean;
  stated: boolean;
  missing: boolean;
  onChange: (stated: boolean) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <fieldset data-missing={missing ? true : undefined} data-resolve="unreachable">
      {!seenIdle && <p className="note note-warn">{t('resolve.notSeenIdle')}</p>}
      <label className="check resolve-choice">
        <input
          type="checkbox"
          checked={stated}
          aria-labelledby={`${id}-name`}
          aria-describedby={`${id}-means`}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>
          <strong id={`${id}-name`}>{t('resolve.unreachable')}</strong>
          <span className="calm" id={`${id}-means`}>
            {t('resolve.unreachableMeans')}
          </span>
        </span>
      </label>
      {missing && (
        <p className="field-problem" role="alert">
          {t('resolve.unreachableNeeded')}
        </p>
      )}
    </fieldset>
  );
}

function ConfirmStep({
  resolution,
  statement: decision,
  busy,
  refusal,
  onBack,
  onConfirm,
}: {
  resolution: Resolution;
  statement: Decision;
  busy: boolean;
  refusal: Parameters<typeof RefusedNote>[0]['refusal'];
  onBack: () => void;
  onConfirm: () => void;
}) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="resolve-form" data-resolve="confirm">
      <h3 ref={heading} tabIndex={-1}>
        {t('resolve.confirmTitle')}
      </h3>
      <div className="note note-warn">
        <p>
          <strong>{t(`resolution.${resolution}`)}.</strong> {t(`resolve.means.${resolution}`)}
        </p>
      </div>
      <p>{t('timeline.event.resolvedBy', { name: decision.by.trim(), reason: decision.reason.trim() })}</p>
      {decision.terminalUnreachable && <p>{t('timeline.event.terminalUnreachable')}</p>}
      <p className="calm">{t('resolve.confirmText')}</p>
      <RefusedNote refusal={refusal} />
      <div className="resolve-actions">
        <Button onClick={onBack} disabled={busy}>
          {t('app.back')}
        </Button>
        <Button look="primary" busy={busy} onClick={onConfirm}>
          {t('resolve.confirm')}
        </Button>
      </div>
    </section>
  );
}
