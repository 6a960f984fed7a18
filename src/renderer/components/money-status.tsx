/** What is said of the money of a batch: shape, colour and word of its state, and days. */
import {
  CalendarX,
  CircleCheck,
  CircleHelp,
  CircleMinus,
  CirclePlus,
  Hourglass,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MoneyState } from '../../contract/console/index.ts';
import { useFormats } from '../messages/formats.ts';
import { startOf } from '../messages/local-day.ts';
import { Mark, type Tone } from './status-mark.tsx';

const shapes: Record<MoneyState, { icon: LucideIcon; tone: Tone }> = {
  waiting: { icon: Hourglass, tone: 'calm' },
  arrived: { icon: CircleCheck, tone: 'good' },
  short: { icon: CircleMinus, tone: 'bad' },
  over: { icon: CirclePlus, tone: 'warn' },
  late: { icon: CalendarX, tone: 'bad' },
  unclear: { icon: CircleHelp, tone: 'warn' },
};

export function MoneyStatus({ state }: { state: MoneyState }) {
  const { t } = useTranslation();
  return (
    <span className={`status tone-${shapes[state].tone}`} data-money={state}>
      <Mark shape={shapes[state]} />
      <span>{t(`money.state.${state}`)}</span>
    </span>
  );
}

/** Writes a day of an account or of the shop ("2026-05-12"), which is the same everywhere. */
export function useDayText(): (day: string) => string {
  const formats = useFormats();
  return (day) => {
    const start = startOf(day);
    return start === null ? day : formats.shortDay(start);
  };
}
