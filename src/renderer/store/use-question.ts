/** Asks the host when a component is shown and whenever the request changes. */
import { useCallback, useEffect, useState } from 'react';
import type { ResponseOf, MethodName, ConsoleRefusal, RequestOf } from '../../contract/console/index.ts';
import { useClient, useView } from './console-context.tsx';

export type Asked<N extends MethodName> =
  | { kind: 'loading' }
  | { kind: 'answered'; value: ResponseOf<N> }
  | { kind: 'refused'; refusal: ConsoleRefusal };

/**
 * The answer to `name`. While another request is under way the last answer stays. `again` asks once more; so does a
 * connection that has come back. An answer that is overtaken by a later question is dropped.
 */
export function useMethod<N extends MethodName>(
  name: N,
  request: RequestOf<N>,
): { asked: Asked<N>; again: () => void } {
  const client = useClient();
  const { connected } = useView();
  const [asked, setAsked] = useState<Asked<N>>({ kind: 'loading' });
  const [turn, setTurn] = useState(0);
  const key = JSON.stringify(request);

  useEffect(() => {
    if (!connected) return;
    let overtaken = false;
    void client.invoke(name, JSON.parse(key) as RequestOf<N>).then((reply) => {
      if (overtaken) return;
      setAsked(
        reply.ok ? { kind: 'answered', value: reply.value } : { kind: 'refused', refusal: reply.refusal },
      );
    });
    return () => {
      overtaken = true;
    };
  }, [client, connected, key, name, turn]);

  // Nothing is asked as long as there is no connection, so nothing is loading either.
  const shown: Asked<N> =
    asked.kind === 'loading' && !connected
      ? { kind: 'refused', refusal: { code: 'not_connected', message: 'No connection to the bridge.' } }
      : asked;

  const again = useCallback(() => setTurn((before) => before + 1), []);
  return { asked: shown, again };
}
