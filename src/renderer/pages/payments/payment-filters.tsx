/** What of the payments is shown: search, status, days, amounts, and in which order. Every choice goes into the address. */
import { ChevronDown, ChevronLeft, ChevronRight, ChevronUp } from 'lucide-react';
import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { DateField } from '../../components/date-field/index.ts';
import { Field } from '../../components/field.tsx';
import { dayOf } from '../../messages/local-day.ts';
import { transactionStatusSchema } from '../../../contract/operation.ts';
import { paymentOrderSchema } from '../../../contract/console/index.ts';
import type { Currency } from '../../../contract/money.ts';
import {
  maxAmountLength,
  maxTextLength,
  minorOf,
  noFilter,
  oneDay,
  shiftDay,
  type ListFilter,
} from './list-filter.ts';

/** Between the last letter and the search. */
const typingPauseMs = 250;

interface FilterProps {
  filter: ListFilter;
  /** `typing`: one more letter of the same search, which is no step of its own for Back. */
  onChange: (filter: ListFilter, typing?: boolean) => void;
}

interface SearchProps extends FilterProps {
  /** Enter: what has been typed by now is searched at once, and its first payment is opened. */
  onEnter: (filter: ListFilter) => void;
  /** To the list. */
  onDown: () => void;
}

export function PaymentFilters({ currency, ...props }: SearchProps & { currency: Currency }) {
  const { filter, onChange } = props;
  const { t } = useTranslation();
  const hintId = useId();
  const moreId = useId();
  // What is in force is never out of sight.
  const isDay = oneDay(filter) !== null;
  const isSpan = !isDay && (filter.from !== null || filter.to !== null);
  const isUsed = isSpan || filter.least !== '' || filter.most !== '' || filter.order !== noFilter.order;
  const [wanted, setWanted] = useState(false);
  const more = wanted || isUsed;
  return (
    <search className="payment-filters" data-more={more} data-day={isDay} data-span={isSpan}>
      <div className="toolbar">
        <SearchField {...props} hintId={hintId} />
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
        {!isUsed && (
          <Button
            look="quiet"
            aria-expanded={more}
            aria-controls={moreId}
            icon={more ? <ChevronUp aria-hidden="true" /> : <ChevronDown aria-hidden="true" />}
            onClick={() => setWanted(!wanted)}
          >
            {t('payments.moreFilters')}
          </Button>
        )}
      </div>
      <div className="toolbar payment-more" id={moreId} hidden={!more}>
        <DateField
          label={t('payments.fromDay')}
          day={filter.from}
          onChange={(from) => onChange({ ...filter, from })}
        />
        <DateField
          label={t('payments.toDay')}
          day={filter.to}
          onChange={(to) => onChange({ ...filter, to })}
        />
        <AmountField
          label={t('payments.leastAmount')}
          text={filter.least}
          currency={currency}
          onChange={(least) => onChange({ ...filter, least }, filter.least !== '')}
        />
        <AmountField
          label={t('payments.mostAmount')}
          text={filter.most}
          currency={currency}
          onChange={(most) => onChange({ ...filter, most }, filter.most !== '')}
        />
        <OrderField filter={filter} onChange={onChange} />
      </div>
      <p className="field-hint" id={hintId}>
        {t('payments.searchHint')}
      </p>
    </search>
  );
}

function OrderField({ filter, onChange }: FilterProps) {
  const { t } = useTranslation();
  return (
    <Field label={t('payments.order')}>
      {(tie) => (
        <select
          {...tie}
          value={filter.order}
          onChange={({ target }) => onChange({ ...filter, order: paymentOrderSchema.parse(target.value) })}
        >
          {paymentOrderSchema.options.map((order) => (
            <option key={order} value={order}>
              {t(`payments.orders.${order}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function AmountField({
  label,
  text,
  currency,
  onChange,
}: {
  label: string;
  text: string;
  currency: Currency;
  onChange: (text: string) => void;
}) {
  const { t } = useTranslation();
  const [draft, setDraft] = useDraft(text);
  const { later, cancel } = usePause();
  useEffect(() => cancel, [text, cancel]);
  const isWrong = draft.trim() !== '' && minorOf(draft, currency) === null;
  return (
    <Field label={label} problem={isWrong ? t('payments.amountWrong') : null}>
      {(tie) => (
        <input
          {...tie}
          inputMode="decimal"
          placeholder={currency}
          autoComplete="off"
          maxLength={maxAmountLength}
          value={draft}
          onChange={({ target }) => {
            setDraft(target.value);
            later(() => onChange(target.value.trim()));
          }}
        />
      )}
    </Field>
  );
}

function SearchField({ filter, onChange, onEnter, onDown, hintId }: SearchProps & { hintId: string }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useDraft(filter.text);
  const { later, cancel } = usePause();
  const { from, to, status, text: searched } = filter;
  // What is in the address by now (Back, a link, another filter) wins over what was about to be searched.
  useEffect(() => cancel, [from, to, status, searched, cancel]);
  const type = (text: string) => {
    setDraft(text);
    later(() => onChange({ ...filter, text }, filter.text !== ''));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While letters are put together (IME), these keys are of that.
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    if (event.key === 'ArrowDown') return onDown();
    cancel();
    onEnter({ ...filter, text: draft });
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
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
    </div>
  );
}

function DayField({ filter, onChange }: FilterProps) {
  const { t } = useTranslation();
  const day = oneDay(filter);
  const go = (next: string | null) => onChange({ ...filter, from: next, to: next });
  const today = dayOf(new Date());
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
      <DateField label={t('payments.day')} day={day} onChange={go} />
      <button
        type="button"
        className="icon-button"
        aria-label={t('payments.nextDay')}
        title={t('payments.nextDay')}
        disabled={day === null || day >= today}
        onClick={() => go(shiftDay(day, 1, new Date()))}
      >
        <ChevronRight aria-hidden="true" />
      </button>
      <Button look="quiet" aria-pressed={day === today} onClick={() => go(today)}>
        {t('payments.today')}
      </Button>
      <Button look="quiet" aria-pressed={filter.from === null && filter.to === null} onClick={() => go(null)}>
        {t('payments.allDays')}
      </Button>
    </div>
  );
}

/** Runs something a moment after the last time that it was asked to. */
function usePause(): { later: (run: () => void) => void; cancel: () => void } {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const cancel = useCallback(() => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
  }, []);
  const later = (run: () => void) => {
    cancel();
    timer.current = setTimeout(run, typingPauseMs);
  };
  return { later, cancel };
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
