/**
 * The small window of a browser. It is drawn by the page that has opened it and goes with it, so that it needs no access
 * of its own (docs/adr/0022). Above other programs where the browser has such windows, else a window like others.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useView } from '../store/console-context.tsx';
import { MiniView } from './mini-view.tsx';

declare global {
  interface Window {
    /** https://wicg.github.io/document-picture-in-picture/; not in every browser. */
    readonly documentPictureInPicture?: {
      requestWindow(options: { width: number; height: number }): Promise<Window>;
    };
  }
}

const size = { width: 340, height: 210 };
let opened: Window | null = null;
const listeners = new Set<() => void>();

function set(next: Window | null) {
  opened = next;
  for (const listener of listeners) listener();
}

/** To be called while a person clicks. False: the browser does not let it. */
export async function openMini(): Promise<boolean> {
  if (opened !== null && !opened.closed) {
    opened.focus();
    return true;
  }
  const small = (await pictureInPicture()) ?? popup();
  if (small === null) return false;
  for (const { href } of document.styleSheets) {
    if (href === null) continue;
    const link = small.document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    small.document.head.append(link);
  }
  small.addEventListener('pagehide', () => set(null));
  window.addEventListener('pagehide', () => small.close());
  set(small);
  return true;
}

function pictureInPicture(): Promise<Window | null> {
  return window.documentPictureInPicture?.requestWindow(size).catch(() => null) ?? Promise.resolve(null);
}

function popup(): Window | null {
  return window.open('', '', `popup,width=${size.width},height=${size.height}`);
}

/** Once in a window, whichever page it shows. */
export function BrowserMini() {
  const { t } = useTranslation();
  const theme = useView().settings?.settings.app.theme ?? 'system';
  const small = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => opened,
  );
  const title = t('app.name');
  useEffect(() => {
    if (small === null) return;
    const { documentElement } = small.document;
    small.document.title = title;
    documentElement.lang = document.documentElement.lang;
    if (theme === 'system') delete documentElement.dataset['theme'];
    else documentElement.dataset['theme'] = theme;
  }, [small, title, theme]);
  if (small === null) return null;
  const onOpen = (place: string) => {
    window.location.hash = place;
    window.focus();
  };
  return createPortal(<MiniView onOpen={onOpen} onClose={null} />, small.document.body);
}
