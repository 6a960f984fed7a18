/** A person's word on whose money entries are: what is chosen, what it comes to, name and reason. */
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestOf } from '../../../contract/console/index.ts';
import type { Currency } from '../../../contract/money.ts';
import { newStatement, StatementForm } from '../../components/decisions/statement-form.tsx';
import { RefusedNote } from '../../components/notices.tsx';
import { useFormats } from '../../messages/formats.ts';
import { useAction } from '../../store/queries.ts';
import '../../components/decisions/decisions.css';

type Decision = Omit<RequestOf<'decideMoney'>, 'by' | 'reason'>;

/** One thing of several that can be chosen. */
export interface Choice {
  id: string;
  label: ReactNode;
  amount: string;
  /** It goes not with what is chosen already. */
  disabled?: boolean;
}

export function DecisionForm({
  decision,
  legend,
  choices,
  chosen,
  onChoose,
  sum,
  onDone,
}: {
  /** Null as long as it is not complete. */
  decision: Decision | null;
  legend: string;
  choices: readonly Choice[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  /** What is chosen beside what it should be. */
  sum?: ReactNode;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const { busy, refusal, run } = useAction('decideMoney');
  const [statement, setStatement] = useState(newStatement);
  const submit = async () => {
    if (decision === null) return;
    const { by, reason } = statement;
    const done = await run({ ...decision, by: by.trim(), reason: reason.trim() });
    if (done !== null) onDone();
  };
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <StatementForm
      statement={statement}
      onChange={setStatement}
      nameHint={t('money.nameHint')}
      why={t('resolve.why')}
      whyHint={t('money.whyHint')}
      submit={t('money.decide')}
      busy={busy}
      complete={decision !== null}
      note={
        <>
          <p className="calm">{t('money.countsLater')}</p>
          <RefusedNote refusal={refusal} />
        </>
      }
      onSubmit={() => void submit()}
    >
      {(tried) => (
        <fieldset data-missing={(tried && decision === null) || undefined}>
          <legend>{legend}</legend>
          <div className="money-options">
            {choices.map(({ id, label, amount, disabled = false }) => (
              <label key={id} className="check resolve-choice">
                <input
                  type="checkbox"
                  checked={chosen.has(id)}
                  disabled={disabled}
                  onChange={() => toggle(id)}
                />
                <span className="money-choice">
                  <span>{label}</span>
                  <strong>{amount}</strong>
                </span>
              </label>
            ))}
          </div>
          {choices.length === 0 && <p className="calm">{t('money.nothingToChoose')}</p>}
          {tried && decision === null && (
            <p className="field-problem" role="alert">
              {t('money.choiceNeeded')}
            </p>
          )}
          {sum}
        </fieldset>
      )}
    </StatementForm>
  );
}

/** What is chosen, what it should be, and how far that is apart. */
export function ChosenSum({
  entriesMinor,
  expectedMinor,
  currency,
}: {
  entriesMinor: number;
  /** Null where it cannot be told. */
  expectedMinor: number | null;
  currency: Currency;
}) {
  const { t } = useTranslation();
  const { money } = useFormats();
  const difference = expectedMinor === null ? null : entriesMinor - expectedMinor;
  return (
    <p role="status" className={`note ${difference === 0 ? 'note-good' : ''}`} data-difference={difference}>
      {t('money.chosenSum', { amount: money(entriesMinor, currency) })}{' '}
      {expectedMinor !== null && t('money.expectedSum', { amount: money(expectedMinor, currency) })}{' '}
      {difference !== null && (
        <strong>
          {difference === 0
            ? t('money.agrees')
            : t(difference < 0 ? 'money.less' : 'money.more', {
                amount: money(Math.abs(difference), currency),
              })}
        </strong>
      )}
    </p>
  );
}
