/** What of the payments is shown: search, status, day. Every choice goes into the address. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { useFormats } from '../../messages/formats.ts';
import { transactionStatusSchema } from '../../../contract/operation.ts';
import { dayOf, isDay, maxTextLength, shiftDay, startOf, type ListFilter } from './list-filter.ts';

/** Between the last letter and the search. */
const typingPauseMs = 250;

interface FilterProps {
  filter: ListFilter;
  /** `typing`: one more letter of the same search, which is no step of its own for Back. */
  onChange: (filter: ListFilter, typing?: boolean) => void;
}

export function PaymentFilters({ filter, onChange }: FilterProps) {
  const { t } = useTranslation();
  const hintId = useId();
  return (
    <search className="payment-filters">
      <div className="toolbar">
        <SearchField filter={filter} onChange={onChange} hintId={hintId} />
        <Field label={t('payments.status')}>
          {(tie) => (
            <select
              {...tie}
              value={filter.status ?? ''}
              onChange={({ target }) =>
                onChange({ ...filter, status: transactionStatusSchema.safeParse(target.value).data ?? null })
              }
            >
              <option value="">{t('payments.anyStatus')}</option>
              {transactionStatusSchema.options.map((status) => (
                <option key={status} value={status}>
                  {t(`status.${status}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <DayField filter={filter} onChange={onChange} />
      </div>
      <p className="field-hint" id={hintId}>
        {t('payments.searchHint')}
      </p>
    </search>
  );
}

function SearchField({ filter, onChange, hintId }: FilterProps & { hintId: string }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useDraft(filter.text);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const cancel = () => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
  };
  // What is in the address by now (Back, a link, another filter) wins over what was about to be searched.
  useEffect(() => cancel, [filter.day, filter.status, filter.text]);
  const type = (text: string) => {
    setDraft(text);
    cancel();
    timer.current = setTimeout(() => onChange({ ...filter, text }, filter.text !== ''), typingPauseMs);
  };
  return (
    <div className="payment-search">
      <Field label={t('payments.search')}>
        {(tie) => (
          <input
            {...tie}
            type="search"
            data-search
            aria-describedby={hintId}
            autoComplete="off"
            spellCheck={false}
            maxLength={maxTextLength}
            value={draft}
            onChange={({ target }) => type(target.value)}
          />
        )}
      </Field>
    </div>
  );
}

function DayField({ filter, onChange }: FilterProps) {
  const { t } = useTranslation();
  const { day } = filter;
  const formats = useFormats();
  const [draft, setDraft] = useDraft(day ?? '');
  const start = startOf(draft);
  const go = (next: string | null) => onChange({ ...filter, day: next });
  const type = (text: string) => {
    setDraft(text);
    if (text === '') go(null);
    else if (isDay(text)) go(text);
  };
  return (
    <div className="payment-day">
      <button
        type="button"
        className="icon-button"
        aria-label={t('payments.previousDay')}
        title={t('payments.previousDay')}
        onClick={() => go(shiftDay(day, -1, new Date()))}
      >
        <ChevronLeft aria-hidden="true" />
      </button>
      <Field label={t('payments.day')}>
        {(tie) => (
          <span className="payment-day-field">
            <input {...tie} type="date" value={draft} onChange={({ target }) => type(target.value)} />
            {/* The browser would write it in its own language. */}
            <span aria-hidden="true">{start === null ? '' : formats.shortDay(start)}</span>
          </span>
        )}
      </Field>
      <button
        type="button"
        className="icon-button"
        aria-label={t('payments.nextDay')}
        title={t('payments.nextDay')}
        disabled={day === null || day >= dayOf(new Date())}
        onClick={() => go(shiftDay(day, 1, new Date()))}
      >
        <ChevronRight aria-hidden="true" />
      </button>
      <Button look="quiet" aria-pressed={day === dayOf(new Date())} onClick={() => go(dayOf(new Date()))}>
        {t('payments.today')}
      </Button>
      <Button look="quiet" aria-pressed={day === null} onClick={() => go(null)}>
        {t('payments.allDays')}
      </Button>
    </div>
  );
}

/** What is being typed, until what it stands for changes elsewhere. */
function useDraft(value: string): [string, (draft: string) => void] {
  const [draft, setDraft] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setDraft(value);
  }
  return [draft, setDraft];
}
