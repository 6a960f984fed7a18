/** Finds the answer to a question that a carrier handed on, checking all of it: whoever asks may send anything. */
import {
  consoleQuestions,
  questionNames,
  type AnswerOf,
  type QuestionName,
  type Reply,
} from '../../contract/console/index.ts';
import { commands } from './commands.ts';
import type { Answers, QuestionContext } from './context.ts';
import { readings } from './readings.ts';
import { refused } from './reply.ts';
import { surroundings } from './surroundings.ts';

/** A request can be wrong in as many places as it is long. */
const maxIssues = 50;

/** Never rejects: what cannot be understood is refused, and a fault is one line in the log and a refusal. */
export function createAsk(
  context: QuestionContext,
): (name: string, request: unknown) => Promise<Reply<unknown>> {
  const answers: Answers<QuestionName> = {
    ...readings(context),
    ...commands(context),
    ...surroundings(context),
  };
  return async (name, request) => {
    const question = questionNames.find((known) => known === name);
    if (question === undefined) return refused('invalid_request', 'There is no such question.');
    try {
      return await answer(answers, question, request);
    } catch (error) {
      context.log.error('a question of the console ended in a fault', { question, err: error });
      return refused('internal_error', 'A fault in the bridge; its log has it.');
    }
  };
}

async function answer<N extends QuestionName>(
  answers: Answers<QuestionName>,
  question: N,
  request: unknown,
): Promise<Reply<AnswerOf<N>>> {
  const parsed = consoleQuestions[question].request.safeParse(request);
  if (!parsed.success) {
    const issues = parsed.error.issues
      .slice(0, maxIssues)
      .map(({ path, message }) => ({ path: path.join('.'), message }));
    return refused('invalid_request', 'The request has another form than the question asks for.', issues);
  }
  const give = answers[question] as (request: unknown) => Reply<AnswerOf<N>> | Promise<Reply<AnswerOf<N>>>;
  return give(parsed.data);
}
