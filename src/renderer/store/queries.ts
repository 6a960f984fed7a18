/** Asks the host when a component is shown and whenever the request changes. */
import { useCallback, useEffect, useState } from 'react';
import type { ResponseOf, MethodName, ConsoleRefusal, RequestOf } from '../../contract/console/index.ts';
import { useClient, useView } from './console-context.tsx';

export type QueryResult<N extends MethodName> =
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
): { result: QueryResult<N>; retry: () => void } {
  const client = useClient();
  const { connected } = useView();
  const [result, setResult] = useState<QueryResult<N>>({ kind: 'loading' });
  const [turn, setTurn] = useState(0);
  const key = JSON.stringify(request);

  useEffect(() => {
    if (!connected) return;
    let overtaken = false;
    void client.invoke(name, JSON.parse(key) as RequestOf<N>).then((result) => {
      if (overtaken) return;
      setResult(
        result.ok ? { kind: 'answered', value: result.value } : { kind: 'refused', refusal: result.refusal },
      );
    });
    return () => {
      overtaken = true;
    };
  }, [client, connected, key, name, turn]);

  // Nothing is asked as long as there is no connection, so nothing is loading either.
  const shown: QueryResult<N> =
    result.kind === 'loading' && !connected
      ? { kind: 'refused', refusal: { code: 'not_connected', message: 'No connection to the bridge.' } }
      : result;

  const retry = useCallback(() => setTurn((before) => before + 1), []);
  return { result: shown, retry };
}
