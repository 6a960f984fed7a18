/** One question that a person asks by a button: whether it is under way, and what was refused. */
import { useState } from 'react';
import type { ResponseOf, MethodName, ConsoleRefusal, RequestOf } from '../../contract/console/index.ts';
import { useClient } from '../store/console-context.tsx';

export function useAction<N extends MethodName>(
  name: N,
): {
  busy: boolean;
  refusal: ConsoleRefusal | null;
  /** The answer, or null when it was refused; then `refusal` tells. A second run while one is under way gives null. */
  run: (request: RequestOf<N>) => Promise<ResponseOf<N> | null>;
  clear: () => void;
} {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ConsoleRefusal | null>(null);
  const run = async (request: RequestOf<N>) => {
    if (busy) return null;
    setBusy(true);
    setRefusal(null);
    const result = await client.invoke(name, request);
    setBusy(false);
    if (result.ok) return result.value;
    setRefusal(result.refusal);
    return null;
  };
  return { busy, refusal, run, clear: () => setRefusal(null) };
}
