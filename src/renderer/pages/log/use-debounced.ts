import { useEffect, useState } from 'react';

/** `value` once it has stayed the same for `delayMs`; null at once. */
export function useDebounced<T>(value: T | null, delayMs: number): T | null {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    if (value === null) return setDebounced(null);
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return value === null ? null : debounced;
}
