/** What the whole window does: language and theme, the key for the search, and where the focus goes. */
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

/** `/` goes to the page's search field (`data-search`), unless somebody is writing. */
export function useSearchKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      if (
        target instanceof HTMLElement &&
        target.closest('input, textarea, select, [contenteditable], dialog')
      )
        return;
      const search = document.querySelector<HTMLInputElement>('[data-search]');
      if (search === null) return;
      event.preventDefault();
      search.focus();
      search.select();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** What a person is told of when the focus comes to it. */
const parts = '[tabindex], main, dialog, [popover], section:is([aria-label], [aria-labelledby]), fieldset';

/**
 * What had the focus may go with what it did: the button of a banner, of a dialog, of a payment that has changed. The
 * keyboard would then begin again at the top of the page. The focus goes to the nearest part around it that is still there
 * and has a name or can have the focus, else to the page's content: what it is is read out, and Tab goes on from there.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    /** From what had the focus last to the outermost part around it. */
    let chain: Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      chain = [];
      for (let one = target instanceof Element ? target : null; one !== null; one = one.parentElement)
        chain.push(one);
    };
    const keep = () => {
      if (document.activeElement !== document.body || chain[0] === undefined || chain[0].isConnected) return;
      const around = chain.find((one) => one.isConnected && one.matches(parts));
      const next = around ?? document.getElementById('content');
      if (!(next instanceof HTMLElement)) return;
      if (!next.hasAttribute('tabindex')) {
        // For this once: a part that could always have the focus would take it with every press of the mouse.
        next.tabIndex = -1;
        next.addEventListener('blur', () => next.removeAttribute('tabindex'), { once: true });
      }
      next.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(keep);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}
