import { useEffect, useState } from 'react';

/** `value` once it has stayed the same for `delayMs`; null at once. */
export function useLater<T>(value: T | null, delayMs: number): T | null {
  const [later, setLater] = useState(value);
  useEffect(() => {
    if (value === null) return setLater(null);
    const timer = setTimeout(() => setLater(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return value === null ? null : later;
}
