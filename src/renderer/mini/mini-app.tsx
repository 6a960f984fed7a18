/** `#/mini`: the small window of the desktop app, with nothing around it. */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppearance } from '../shell/window-behaviour.ts';
import { MiniView } from './mini-view.tsx';

/** Whether this window was opened as the small one; it stays that. */
export function isMini(): boolean {
  return window.location.hash.startsWith('#/mini');
}

export function MiniApp() {
  const { t } = useTranslation();
  useAppearance();
  const title = t('app.name');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return <MiniView onOpen={(place) => void window.tillbridge?.show(place)} onClose={() => window.close()} />;
}
