import { useEffect } from 'react';
import { useView } from '../store/console-context.tsx';
import { changeLanguage } from '../messages/i18n.ts';

/** Language and theme as the settings say; `system` follows the computer. */
export function useAppearance(): void {
  const { settings } = useView();
  const language = settings?.settings.app.language ?? 'system';
  const theme = settings?.settings.app.theme ?? 'system';
  useEffect(() => void changeLanguage(language), [language]);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
}
