/** Holds whoever goes to another page while something is not saved. */
import { useEffect, useEffectEvent, useState } from 'react';

export interface LeaveGuard {
  /** The address (its part from `#` on) that somebody wants to go to; null: nobody is going. */
  wanted: string | null;
  stay: () => void;
  /** Goes there now. */
  leave: () => void;
}

/**
 * `asksOnClose`: closing the browser's tab asks too, in the browser's own words. Not in the desktop's window, which is only
 * hidden when it is closed.
 */
export function useLeaveGuard(isChanged: boolean, asksOnClose: boolean): LeaveGuard {
  const [wanted, setWanted] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<string | null>(null);

  const onHashChange = useEffectEvent((event: HashChangeEvent) => {
    const { hash } = window.location;
    if (!isChanged || leaving === hash || hash === new URL(event.oldURL).hash) return;
    // Before anyone else hears of it: the address is put back, and the page stays.
    event.stopImmediatePropagation();
    window.history.pushState(null, '', event.oldURL);
    setWanted(hash);
  });
  useEffect(() => {
    const listener = (event: HashChangeEvent) => onHashChange(event);
    window.addEventListener('hashchange', listener, { capture: true });
    return () => window.removeEventListener('hashchange', listener, { capture: true });
  }, []);

  useEffect(() => {
    if (leaving !== null) window.location.hash = leaving;
  }, [leaving]);

  const asks = isChanged && asksOnClose;
  useEffect(() => {
    if (!asks) return;
    const listener = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', listener);
    return () => window.removeEventListener('beforeunload', listener);
  }, [asks]);

  return {
    wanted,
    stay: () => setWanted(null),
    leave() {
      setLeaving(wanted);
      setWanted(null);
    },
  };
}
