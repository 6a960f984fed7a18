/** One month of days. Arrows go from day to day, Page up and down from month to month, Home and End through the week. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { createDateTexts, shiftMonth, weeksOf } from '../../messages/date-text.ts';
import { dayOf, firstYear, shiftDay, startOf } from '../../messages/local-day.ts';

export function Calendar({
  day,
  max,
  onChoose,
}: {
  day: string | null;
  max?: string;
  onChoose: (day: string) => void;
}) {
  const { t } = useTranslation();
  const names = useNames();
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  const today = dayOf(new Date());
  /** The day that Tab reaches, and whether the keyboard is on it. */
  const [at, setAt] = useState({ day: day ?? today, focused: true });
  const weeks = weeksOf(at.day, names.firstWeekday);
  const isOffered = (one: string) => startOf(one) !== null && (max === undefined || one <= max);
  useEffect(() => {
    if (at.focused && table.current !== null) focusDay(table.current);
  }, [at]);

  const go = (to: string, focused: boolean) => {
    const inside = max !== undefined && to > max ? max : to;
    setAt({ day: startOf(inside) === null ? `${firstYear}-01-01` : inside, focused });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Of the calendar alone: what is below has its own use for these keys.
    event.stopPropagation();
    const week = weeks.find((each) => each.includes(at.day)) ?? [];
    const steps: Record<string, () => string> = {
      ArrowLeft: () => shiftDay(at.day, -1),
      ArrowRight: () => shiftDay(at.day, 1),
      ArrowUp: () => shiftDay(at.day, -7),
      ArrowDown: () => shiftDay(at.day, 7),
      PageUp: () => shiftMonth(at.day, event.shiftKey ? -12 : -1),
      PageDown: () => shiftMonth(at.day, event.shiftKey ? 12 : 1),
      Home: () => week[0] ?? at.day,
      End: () => week.at(-1) ?? at.day,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(step(), true);
  };
  const months = (by: number, name: string, icon: ReactNode) => (
    <button
      type="button"
      className="icon-button"
      aria-label={name}
      title={name}
      disabled={!isOffered(`${shiftMonth(at.day, by).slice(0, 7)}-01`)}
      onClick={() => go(shiftMonth(at.day, by), false)}
    >
      {icon}
    </button>
  );
  return (
    <>
      <div className="calendar-head">
        {months(-1, t('date.previousMonth'), <ChevronLeft aria-hidden="true" />)}
        <span id={id} aria-live="polite">
          {names.month(at.day)}
        </span>
        {months(1, t('date.nextMonth'), <ChevronRight aria-hidden="true" />)}
      </div>
      <table ref={table} role="grid" aria-labelledby={id} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((each) => (
              <th key={each} scope="col" abbr={names.weekday(each)}>
                {names.shortWeekday(each)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((each) => (
                <td key={each} aria-selected={each === day}>
                  {each.slice(0, 7) === at.day.slice(0, 7) && (
                    <button
                      type="button"
                      tabIndex={each === at.day ? 0 : -1}
                      aria-label={names.day(each)}
                      aria-current={each === today ? 'date' : undefined}
                      disabled={!isOffered(each)}
                      onClick={() => onChoose(each)}
                    >
                      {Number(each.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The one that Tab reaches gets the focus. */
export function focusDay(calendar: HTMLElement): void {
  calendar.querySelector<HTMLElement>('td [tabindex="0"]')?.focus();
}

function useNames() {
  const { language } = useTranslation().i18n;
  return useMemo(() => {
    const named = (options: Intl.DateTimeFormatOptions) => {
      const format = new Intl.DateTimeFormat(language, options);
      return (day: string) => format.format(startOf(day) ?? new Date(firstYear, 0, 1));
    };
    return {
      day: named({ dateStyle: 'full' }),
      month: named({ month: 'long', year: 'numeric' }),
      weekday: named({ weekday: 'long' }),
      shortWeekday: named({ weekday: 'short' }),
      firstWeekday: createDateTexts(language, navigator.language).firstWeekday,
    };
  }, [language]);
}
