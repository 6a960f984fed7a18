import { useEffect } from 'react';

/**
 * What had the focus may go with what it did: the button of a banner, of a dialog, of a payment that has changed. The
 * keyboard would then begin again at the top of the page. The focus goes to the nearest part around it that is still there
 * and can have it, else to the page's content.
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
      const around = chain.find((one) => one.isConnected && one.matches('[tabindex], main'));
      const next = around ?? document.getElementById('content');
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
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
