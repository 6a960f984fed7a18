/** When what has failed is tried again by itself: a sentence that follows others, or nothing. */
import { useTranslation } from 'react-i18next';
import { useFormats } from '../messages/formats.ts';

export function NextTry({ at }: { at: string | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return at === undefined ? null : <> {t('bridge.nextTry', { time: formats.time(at) })}</>;
}
