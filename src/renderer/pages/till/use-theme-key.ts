import { useSyncExternalStore } from 'react';

const darkSystem = window.matchMedia('(prefers-color-scheme: dark)');

/** Changes with the theme, whether a person or the computer changes it. */
export function useThemeKey(): string {
  return useSyncExternalStore(watch, read);
}

function watch(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  darkSystem.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    darkSystem.removeEventListener('change', listener);
  };
}

function read(): string {
  return `${document.documentElement.dataset['theme'] ?? 'system'} ${darkSystem.matches}`;
}
