/** Holds whoever goes to another page while something is not saved. */
import { useEffect, useEffectEvent, useState } from 'react';
import { holdRoute } from '../../store/route.ts';

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

  const holds = useEffectEvent((hash: string) => {
    if (isChanged) setWanted(hash);
    return isChanged;
  });
  useEffect(() => holdRoute((hash) => holds(hash)), []);

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
