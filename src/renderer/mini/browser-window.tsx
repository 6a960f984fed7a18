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
      requestWindow(options: { width: number; height: number }): Promise<Window & typeof globalThis>;
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
  small.document.adoptedStyleSheets = ownSheets(small);
  small.addEventListener('pagehide', () => set(null));
  window.addEventListener('pagehide', () => small.close());
  set(small);
  return true;
}

/** What is in force here, for another window. Copied, not linked: nothing is shown before it has its form. */
function ownSheets(to: Window & typeof globalThis): CSSStyleSheet[] {
  return [...document.styleSheets].map(({ href, cssRules }) => {
    const copy = new to.CSSStyleSheet(href === null ? {} : { baseURL: href });
    copy.replaceSync([...cssRules].map(({ cssText }) => cssText).join('\n'));
    return copy;
  });
}

function pictureInPicture(): Promise<(Window & typeof globalThis) | null> {
  return window.documentPictureInPicture?.requestWindow(size).catch(() => null) ?? Promise.resolve(null);
}

function popup(): (Window & typeof globalThis) | null {
  const opened = window.open('', '', `popup,width=${size.width},height=${size.height}`);
  return opened as (Window & typeof globalThis) | null;
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
