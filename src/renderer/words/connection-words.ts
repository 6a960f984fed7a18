/** Why this window hears nothing from the bridge, and what to do. */
import { useTranslation } from 'react-i18next';
import type { ShutOut } from '../../contract/console/index.ts';

export function useConnectionWords(): (shutOut: ShutOut | null) => string {
  const { t } = useTranslation();
  return (shutOut) =>
    shutOut === null ? t('connection.lost') : `${t(`shutOut.${shutOut}`)} ${t('shutOut.next')}`;
}
