/** Invokes a method for a transport, checking name and request: the caller may send anything. */
import {
  consoleMethods,
  methodNames,
  type ResponseOf,
  type MethodName,
  type ConsoleResult,
} from '../../contract/console/index.ts';
import { actions } from './actions.ts';
import { type MethodHandlers, type MethodContext, refused } from './context.ts';
import { moneyMethods } from './money.ts';
import { queries } from './queries.ts';
import { deviceAndSettings } from './device-and-settings.ts';
import { terminalSearch } from './terminal-search.ts';

/** A request can be wrong in as many places as it is long. */
const maxIssues = 50;

/** Never rejects: what cannot be understood is refused, and a fault is one line in the log and a refusal. */
export function createInvoke(
  context: MethodContext,
): (name: string, request: unknown) => Promise<ConsoleResult<unknown>> {
  const handlers: MethodHandlers<MethodName> = {
    ...queries(context),
    ...actions(context),
    ...moneyMethods(context),
    ...deviceAndSettings(context),
    ...terminalSearch(context),
  };
  return async (name, request) => {
    const method = methodNames.find((known) => known === name);
    if (method === undefined) return refused('invalid_request', 'There is no such method.');
    try {
      return await handle(handlers, method, request);
    } catch (error) {
      context.log.error('a console method failed', { method, err: error });
      return refused('internal_error', 'An internal error; see the log.');
    }
  };
}

async function handle<N extends MethodName>(
  handlers: MethodHandlers<MethodName>,
  method: N,
  request: unknown,
): Promise<ConsoleResult<ResponseOf<N>>> {
  const parsed = consoleMethods[method].request.safeParse(request);
  if (!parsed.success) {
    const issues = parsed.error.issues
      .slice(0, maxIssues)
      .map(({ path, message }) => ({ path: path.join('.'), message }));
    return refused('invalid_request', 'The request does not have the form that the method takes.', issues);
  }
  const handler = handlers[method] as (
    request: unknown,
  ) => ConsoleResult<ResponseOf<N>> | Promise<ConsoleResult<ResponseOf<N>>>;
  return handler(parsed.data);
}
