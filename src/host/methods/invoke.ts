/** Finds the answer to a question that a transport handed on, checking all of it: whoever asks may send anything. */
import {
  consoleMethods,
  methodNames,
  type ResponseOf,
  type MethodName,
  type ConsoleResult,
} from '../../contract/console/index.ts';
import { commands } from './commands.ts';
import type { Answers, MethodContext } from './context.ts';
import { queries } from './queries.ts';
import { refused } from './result.ts';
import { deviceAndSettings } from './device-and-settings.ts';

/** A request can be wrong in as many places as it is long. */
const maxIssues = 50;

/** Never rejects: what cannot be understood is refused, and a fault is one line in the log and a refusal. */
export function createInvoke(
  context: MethodContext,
): (name: string, request: unknown) => Promise<ConsoleResult<unknown>> {
  const answers: Answers<MethodName> = {
    ...queries(context),
    ...commands(context),
    ...deviceAndSettings(context),
  };
  return async (name, request) => {
    const question = methodNames.find((known) => known === name);
    if (question === undefined) return refused('invalid_request', 'There is no such question.');
    try {
      return await answer(answers, question, request);
    } catch (error) {
      context.log.error('a question of the console ended in a fault', { question, err: error });
      return refused('internal_error', 'A fault in the bridge; its log has it.');
    }
  };
}

async function answer<N extends MethodName>(
  answers: Answers<MethodName>,
  question: N,
  request: unknown,
): Promise<ConsoleResult<ResponseOf<N>>> {
  const parsed = consoleMethods[question].request.safeParse(request);
  if (!parsed.success) {
    const issues = parsed.error.issues
      .slice(0, maxIssues)
      .map(({ path, message }) => ({ path: path.join('.'), message }));
    return refused('invalid_request', 'The request has another form than the question asks for.', issues);
  }
  const give = answers[question] as (
    request: unknown,
  ) => ConsoleResult<ResponseOf<N>> | Promise<ConsoleResult<ResponseOf<N>>>;
  return give(parsed.data);
}
