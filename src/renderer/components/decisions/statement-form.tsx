/** A person's word: who says it, and how that person knows; with whatever else has to be chosen. */
import { useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';

export interface Statement {
  by: string;
  reason: string;
}

/** The same person often says more than one; forgotten with the window. */
let rememberedName = '';

export function newStatement(): Statement {
  return { by: rememberedName, reason: '' };
}

export function StatementForm<W extends Statement>({
  statement,
  onChange,
  nameHint,
  why,
  whyHint,
  submit,
  busy = false,
  complete = true,
  children,
  note,
  onSubmit,
}: {
  statement: W;
  onChange: (statement: W) => void;
  /** Where the name is kept; left out: in the journal. */
  nameHint?: string;
  /** What the reason is called, and an example of one. */
  why: string;
  whyHint: string;
  submit: string;
  busy?: boolean;
  /** False: something of `children` is missing. */
  complete?: boolean;
  /** Above name and reason. Gets whether it was tried to submit, so that what is missing is marked: `data-missing`. */
  children?: (tried: boolean) => ReactNode;
  /** Above the button. */
  note?: ReactNode;
  onSubmit: () => void;
}) {
  const { t } = useTranslation();
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problems = {
    by: statement.by.trim() === '' ? t('resolve.nameNeeded') : null,
    reason: statement.reason.trim() === '' ? t('resolve.whyNeeded') : null,
  };
  const next = () => {
    if (complete && Object.values(problems).every((problem) => problem === null)) {
      rememberedName = statement.by.trim();
      onSubmit();
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
      {children?.(tried)}
      <Field
        label={t('resolve.name')}
        hint={nameHint ?? t('resolve.nameHint')}
        problem={tried ? problems.by : null}
      >
        {(tie) => (
          <input
            {...tie}
            required
            maxLength={200}
            autoComplete="name"
            value={statement.by}
            onChange={({ target }) => onChange({ ...statement, by: target.value })}
          />
        )}
      </Field>
      <Field label={why} hint={whyHint} problem={tried ? problems.reason : null}>
        {(tie) => (
          <textarea
            {...tie}
            required
            maxLength={2_000}
            value={statement.reason}
            onChange={({ target }) => onChange({ ...statement, reason: target.value })}
          />
        )}
      </Field>
      {note}
      <div className="resolve-actions">
        <Button type="submit" look="primary" busy={busy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
