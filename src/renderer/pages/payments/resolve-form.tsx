/** A person's word on a doubt, in two steps: what happened, by whom and how it is known; then whether that is certain. */
import { useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { DoubtView } from '../../../contract/doubt.ts';
import type { Resolution } from '../../../contract/operation.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { RefusedNote } from '../../components/refused.tsx';
import { useAction } from '../../components/use-action.ts';

interface Word {
  resolution: Resolution | null;
  by: string;
  reason: string;
}

/** The same person often decides more than one; forgotten with the window. */
let rememberedName = '';

export function ResolveForm({
  doubt,
  onDeciding,
  onDone,
}: {
  doubt: DoubtView;
  /** The decision is on its way, or was refused. */
  onDeciding: (deciding: boolean) => void;
  onDone: () => void;
}) {
  const [word, setWord] = useState<Word>({ resolution: null, by: rememberedName, reason: '' });
  const [sure, setSure] = useState(false);
  const { busy, refusal, run, clear } = useAction('resolve');

  if (!sure || word.resolution === null) {
    return (
      <AskStep
        doubt={doubt}
        word={word}
        onChange={setWord}
        onNext={() => {
          rememberedName = word.by.trim();
          setSure(true);
        }}
      />
    );
  }
  const { resolution } = word;
  const decide = async () => {
    onDeciding(true);
    const { operationId } = doubt;
    const done = await run({ operationId, resolution, by: word.by.trim(), reason: word.reason.trim() });
    if (done === null) onDeciding(false);
    else onDone();
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
  onChange,
  onNext,
}: {
  doubt: DoubtView;
  word: Word;
  onChange: (word: Word) => void;
  onNext: () => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problems = {
    resolution: word.resolution === null ? t('resolve.choiceNeeded') : null,
    by: word.by.trim() === '' ? t('resolve.nameNeeded') : null,
    reason: word.reason.trim() === '' ? t('resolve.whyNeeded') : null,
  };
  const next = () => {
    if (Object.values(problems).every((problem) => problem === null)) {
      onNext();
      return;
    }
    // To the first thing that is missing, which is marked by now.
    flushSync(() => setTried(true));
    form.current?.querySelector<HTMLElement>('[data-missing] input, [aria-invalid="true"]')?.focus();
  };
  return (
    <form
      ref={form}
      className="resolve-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
    >
      <fieldset data-missing={tried && problems.resolution !== null ? true : undefined}>
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
        {tried && problems.resolution !== null && (
          <p className="field-problem" role="alert">
            {problems.resolution}
          </p>
        )}
      </fieldset>
      <Field label={t('resolve.name')} hint={t('resolve.nameHint')} problem={tried ? problems.by : null}>
        {(tie) => (
          <input
            {...tie}
            required
            maxLength={200}
            autoComplete="name"
            value={word.by}
            onChange={({ target }) => onChange({ ...word, by: target.value })}
          />
        )}
      </Field>
      <Field label={t('resolve.why')} hint={t('resolve.whyHint')} problem={tried ? problems.reason : null}>
        {(tie) => (
          <textarea
            {...tie}
            required
            maxLength={2_000}
            value={word.reason}
            onChange={({ target }) => onChange({ ...word, reason: target.value })}
          />
        )}
      </Field>
      <div className="resolve-actions">
        <Button type="submit" look="primary">
          {t('resolve.next')}
        </Button>
      </div>
    </form>
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
  word: Word;
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
