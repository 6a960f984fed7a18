/** What the customer has to do now, or what the terminal does meanwhile: in the window's language, with its shape. */
import { useTranslation } from 'react-i18next';
import { useEffect, useState } from 'react';
import type { CurrentOperation, TerminalState } from '../../contract/console/index.ts';
import { useFormats } from '../messages/formats.ts';
import { progressShape, type Shape } from '../components/status-mark.tsx';

export interface CustomerStep {
  shape: Shape;
  /** "Insert or tap card" */
  text: string;
  /** The terminal's own text, where that says something else. */
  own: string | null;
  /** It has said nothing for so long that somebody should look at it. */
  silent: boolean;
}

/** A terminal that has said nothing for so long after it was given an operation needs a look. */
const silenceMs = 8_000;

export function useCustomerStep(
  { startedAt }: CurrentOperation,
  terminal: TerminalState | null,
): CustomerStep {
  const { t } = useTranslation();
  const { sentence } = useFormats();
  const step = terminal?.progressStep ?? null;
  const said = terminal?.progress?.trim() ?? '';
  // The simulator’s words are ours; what a real terminal shows stays as it is.
  const own = terminal?.simulated === true ? sentence(said) : said;
  const text = step === null ? t('till.working') : t(`terminal.progress.${step}`);
  const isSame = own.toLocaleLowerCase() === text.toLocaleLowerCase();
  const now = useNow();
  return {
    shape: progressShape(step),
    text,
    own: own === '' || isSame ? null : own,
    silent: step === null && now - Date.parse(startedAt) > silenceMs,
  };
}

/** The time in milliseconds; the component is shown again when another second has begun. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(tick);
  }, []);
  return now;
}
