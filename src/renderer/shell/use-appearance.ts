import { useEffect } from 'react';
import { useView } from '../store/console-context.tsx';
import { speak } from '../words/words.ts';

/** Language and theme as the settings say; `system` follows the computer. */
export function useAppearance(): void {
  const { settings } = useView();
  const language = settings?.settings.app.language ?? 'system';
  const theme = settings?.settings.app.theme ?? 'system';
  useEffect(() => void speak(language), [language]);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
}
