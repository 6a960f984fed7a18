import { useEffect, useState } from 'react';

const everyMs = 30_000;

/** The time, often enough for spans in minutes. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
