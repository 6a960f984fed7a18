import { useEffect, useState } from 'react';
import type { Span } from '../../../contract/console/index.ts';

/** The local day that it is now, as instants; another one when midnight has come. */
export function useDay(): Span {
  const [day, setDay] = useState(today);
  useEffect(() => {
    // After sleep the timer is late, but then somebody looks at the window again.
    const look = () => setDay((before) => (before.from === today().from ? before : today()));
    const midnight = setTimeout(look, Math.max(0, Date.parse(day.until) - Date.now()) + 50);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(midnight);
      document.removeEventListener('visibilitychange', look);
    };
  }, [day]);
  return day;
}

/** From midnight to midnight by the computer's clock and zone: 23 or 25 hours when the clocks change. */
function today(): Span {
  const from = new Date();
  from.setHours(0, 0, 0, 0);
  const until = new Date(from);
  until.setDate(until.getDate() + 1);
  return { from: from.toISOString(), until: until.toISOString() };
}
