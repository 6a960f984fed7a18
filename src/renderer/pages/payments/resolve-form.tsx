/** A person's word on a doubt, in two steps: what happened, by whom and how it is known; then whether that is certain. */
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InDoubtView } from '../../../contract/in-doubt.ts';
import type { Resolution } from '../../../contract/operation.ts';
import { Button } from '../../components/button.tsx';
import { RefusedNote } from '../../components/refused.tsx';
import { useAction } from '../../components/use-action.ts';
import { newWord, WordForm, type Word } from './word-form.tsx';

interface Decision extends Word {
  resolution: Resolution | null;
  terminalUnreachable: boolean;
}

export function ResolveForm({
  doubt,
  onDeciding,
  onDone,
}: {
  doubt: InDoubtView;
  /** The decision is on its way, or was refused. */
  onDeciding: (deciding: boolean) => void;
  onDone: () => void;
}) {
  const [word, setWord] = useState<Decision>({
    ...newWord(),
    resolution: null,
    terminalUnreachable: false,
  });
  const [sure, setSure] = useState(false);
  const [wasRefused, setWasRefused] = useState(false);
  const { busy, refusal, run, clear } = useAction('resolve');

  if (!sure || word.resolution === null) {
    return (
      <AskStep
        doubt={doubt}
        word={word}
        // The terminal may have begun to work again since it was seen idle; then the bridge refuses, and says so.
        mayBeUnreachable={!doubt.terminalSeenIdle || wasRefused}
        onChange={setWord}
        onNext={() => setSure(true)}
      />
    );
  }
  const { resolution, terminalUnreachable } = word;
  const decide = async () => {
    onDeciding(true);
    const { operationId } = doubt;
    const by = word.by.trim();
    const reason = word.reason.trim();
    const done = await run({ operationId, resolution, by, reason, terminalUnreachable });
    if (done !== null) return onDone();
    onDeciding(false);
    setWasRefused(true);
  };
  return (
    <ConfirmStep
      resolution={resolution}
      word={word}
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

function AskStep({
  doubt,
  word,
  mayBeUnreachable,
  onChange,
  onNext,
}: {
  doubt: InDoubtView;
  word: Decision;
  mayBeUnreachable: boolean;
  onChange: (word: Decision) => void;
  onNext: () => void;
}) {
  const { t } = useTranslation();
  const stated = doubt.terminalSeenIdle || word.terminalUnreachable;
  return (
    <WordForm
      word={word}
      onChange={onChange}
      why={t('resolve.why')}
      whyHint={t('resolve.whyHint')}
      submit={t('resolve.next')}
      complete={word.resolution !== null && stated}
      onSubmit={onNext}
    >
      {(tried) => (
        <>
          <Resolutions doubt={doubt} word={word} tried={tried} onChange={onChange} />
          {mayBeUnreachable && (
            <Unreachable
              seenIdle={doubt.terminalSeenIdle}
              stated={word.terminalUnreachable}
              missing={tried && !stated}
              onChange={(terminalUnreachable) => onChange({ ...word, terminalUnreachable })}
            />
          )}
        </>
      )}
    </WordForm>
  );
}

function Resolutions({
  doubt,
  word,
  tried,
  onChange,
}: {
  doubt: InDoubtView;
  word: Decision;
  tried: boolean;
  onChange: (word: Decision) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const missing = tried && word.resolution === null;
  return (
    <fieldset data-missing={missing ? true : undefined}>
      <legend>{t('resolve.question')}</legend>
      {doubt.resolutions.map((resolution) => (
        <label key={resolution} className="check resolve-choice">
          <input
            type="radio"
            name={`${id}-resolution`}
            value={resolution}
            checked={word.resolution === resolution}
            aria-describedby={`${id}-${resolution}`}
            onChange={() => onChange({ ...word, resolution })}
          />
          <span>
            <strong>{t(`resolution.${resolution}`)}</strong>
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
      {!seenIdle && <p className="note note-doubt">{t('resolve.notSeenIdle')}</p>}
      <label className="check resolve-choice">
        <input
          type="checkbox"
          checked={stated}
          aria-describedby={`${id}-means`}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>
          <strong>{t('resolve.unreachable')}</strong>
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
  word,
  busy,
  refusal,
  onBack,
  onConfirm,
}: {
  resolution: Resolution;
  word: Decision;
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
      <div className="note note-doubt">
        <p>
          <strong>{t(`resolution.${resolution}`)}.</strong> {t(`resolve.means.${resolution}`)}
        </p>
      </div>
      <p>{t('timeline.fact.resolvedBy', { name: word.by.trim(), reason: word.reason.trim() })}</p>
      {word.terminalUnreachable && <p>{t('timeline.fact.terminalUnreachable')}</p>}
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
