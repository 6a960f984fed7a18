/**
 * A day, or a day with its time, written and shown in the window's language, with a calendar beside it. What is typed counts
 * on Enter or when the field is left; what is not a date says so, and changes nothing.
 */
import { Calendar as CalendarIcon } from 'lucide-react';
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { createDateTexts } from '../../messages/date-text.ts';
import { dayOf, startOf } from '../../messages/local-day.ts';
import { Field } from '../field.tsx';
import { Calendar, focusDay } from './calendar.tsx';
import './date-field.css';

/** A local day, "2026-05-12"; null: none. Days after `max` are not offered. `required`: an emptied field changes nothing. */
export function DateField({
  label,
  day,
  max,
  required = false,
  onChange,
}: {
  label: string;
  day: string | null;
  max?: string;
  required?: boolean;
  onChange: (day: string | null) => void;
}) {
  const { texts, letters } = useDateTexts();
  return (
    <WrittenDate
      label={label}
      shown={day === null ? '' : texts.day(day)}
      example={texts.day(dayOf(new Date()))}
      pattern={texts.pattern(letters, 'day')}
      day={day}
      onDay={onChange}
      onText={(text) => {
        if (text === '') {
          if (!required) onChange(null);
          return true;
        }
        const read = texts.readDay(text, new Date());
        if (read !== null) onChange(read);
        return read !== null;
      }}
      {...(max === undefined ? {} : { max })}
    />
  );
}

/** An instant (ISO 8601), by the computer's clock, to the second. A day without a time is its first or its last second. */
export function TimeField({
  label,
  instant,
  withoutTime,
  onChange,
}: {
  label: string;
  instant: string | null;
  withoutTime: 'first' | 'last';
  onChange: (instant: string | null) => void;
}) {
  const { texts, letters } = useDateTexts();
  const read = (text: string) => {
    const found = text === '' ? null : texts.readTime(text, new Date(), withoutTime);
    if (text === '' || found !== null) onChange(found?.toISOString() ?? null);
    return text === '' || found !== null;
  };
  return (
    <WrittenDate
      label={label}
      shown={instant === null ? '' : texts.time(new Date(instant))}
      example={texts.time(new Date())}
      pattern={texts.pattern(letters, 'time')}
      day={instant === null ? null : dayOf(new Date(instant))}
      onDay={(day) => read(day)}
      onText={read}
    />
  );
}

interface WrittenDateProps {
  label: string;
  shown: string;
  /** What a date looks like here. */
  example: string;
  /** The same in letters, for an empty field. */
  pattern: string;
  /** That of the calendar. */
  day: string | null;
  max?: string;
  onDay: (day: string) => void;
  /** Takes what has been written; false: it is no date. */
  onText: (text: string) => boolean;
}

function WrittenDate({ label, shown, example, pattern, day, max, onDay, onText }: WrittenDateProps) {
  const { t } = useTranslation();
  const id = useId();
  const calendar = useRef<HTMLDivElement>(null);
  /** What is being typed; null: what is shown. */
  const [draft, setDraft] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [timesOpened, setTimesOpened] = useState(0);
  const [known, setKnown] = useState(shown);
  const reset = () => {
    setDraft(null);
    setWrong(false);
  };
  // What changes elsewhere (Back, a link, a button) wins over what was being typed.
  if (known !== shown) {
    setKnown(shown);
    reset();
  }
  const take = () => {
    if (draft === null || draft === shown) return reset();
    if (onText(draft.trim())) reset();
    else setWrong(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    take();
  };
  return (
    <Field label={label} problem={isWrong ? t('date.wrong', { example }) : null}>
      {(tie) => (
        <span className="date-field">
          <input
            {...tie}
            placeholder={pattern}
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            value={draft ?? shown}
            onChange={({ target }) => setDraft(target.value)}
            onKeyDown={onKeyDown}
            onBlur={take}
          />
          <button
            type="button"
            className="icon-button"
            popoverTarget={`${id}-calendar`}
            aria-label={t('date.calendar', { label })}
            title={t('date.calendar', { label })}
          >
            <CalendarIcon aria-hidden="true" />
          </button>
          <div
            ref={calendar}
            id={`${id}-calendar`}
            className="popover calendar"
            popover="auto"
            role="dialog"
            aria-label={t('date.calendar', { label })}
            onBeforeToggle={({ newState }) => {
              if (newState !== 'open') return;
              setOpen(true);
              // The browser may leave out that it was closed, when it is opened again at once.
              setTimesOpened((times) => times + 1);
            }}
            onToggle={({ newState, currentTarget }) => {
              // The days may have been there before they could be seen, and could not take the focus then.
              if (newState === 'open') focusDay(currentTarget);
              // Not before it is closed: what is gone cannot give the focus back.
              else setOpen(false);
            }}
          >
            {isOpen && (
              <Calendar
                key={timesOpened}
                day={day !== null && startOf(day) !== null ? day : null}
                {...(max === undefined ? {} : { max })}
                onChoose={(chosen) => {
                  calendar.current?.hidePopover();
                  reset();
                  onDay(chosen);
                }}
              />
            )}
          </div>
        </span>
      )}
    </Field>
  );
}

function useDateTexts() {
  const { t, i18n } = useTranslation();
  const texts = useMemo(() => createDateTexts(i18n.language, navigator.language), [i18n.language]);
  const letters = {
    day: t('date.letters.day'),
    month: t('date.letters.month'),
    year: t('date.letters.year'),
    hour: t('date.letters.hour'),
    minute: t('date.letters.minute'),
    second: t('date.letters.second'),
  };
  return { texts, letters };
}
