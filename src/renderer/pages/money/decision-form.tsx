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
  doubt,
}: {
  entriesMinor: number;
  /** Null where it cannot be told. */
  expectedMinor: number | null;
  currency: Currency;
  /** A sentence: what speaks for another choice. */
  doubt: string | null;
}) {
  const { t } = useTranslation();
  const { money } = useFormats();
  const difference = expectedMinor === null ? null : entriesMinor - expectedMinor;
  const why = expectedMinor === null ? null : unlikely(entriesMinor, expectedMinor);
  const warnings = [why === null ? null : t(`money.unlikely.${why}`), doubt].filter((one) => one !== null);
  const look = warnings.length > 0 ? 'note-warn' : difference === 0 ? 'note-good' : '';
  return (
    <div role="status" className={`note ${look}`} data-difference={difference}>
      <p>
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
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </div>
  );
}

/** What is hardly meant: money out for money in, or an amount of quite another size. */
function unlikely(entriesMinor: number, expectedMinor: number): 'direction' | 'tooMuch' | 'tooLittle' | null {
  if (entriesMinor * expectedMinor < 0) return 'direction';
  const [came, expected] = [Math.abs(entriesMinor), Math.abs(expectedMinor)];
  if (came > expected * 2) return 'tooMuch';
  return came * 2 < expected ? 'tooLittle' : null;
}
