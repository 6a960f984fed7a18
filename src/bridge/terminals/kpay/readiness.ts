/** What a terminal's answer to a question that carries no amount says of it: whether it can be given an operation. */
import type { RequiredAction } from '../../../contract/terminal.ts';
import { answerCode, codeMeaning, codeText, type CodeMeaning } from './wire/index.ts';

export type Told =
  | { kind: 'ready' }
  | { kind: 'busy'; text: string }
  | { kind: 'attention'; text: string; requiredAction: RequiredAction };

/** `code` is that of the answer, or the one that refused the sign-in before it. */
export function toldBy(code: number): Told {
  const text = codeText(code);
  const meaning = codeMeaning(code);
  if (busy.has(meaning)) return { kind: 'busy', text };
  if (meaning === 'settle_first') return { kind: 'attention', text, requiredAction: 'batch_close' };
  if (atTerminal.has(meaning) || code === answerCode.notSignedIn)
    return { kind: 'attention', text, requiredAction: 'service' };
  if (isOfApplication(code)) return { kind: 'attention', text, requiredAction: 'setting' };
  // Whatever else it answers: it is there.
  return { kind: 'ready' };
}

const busy = new Set<CodeMeaning>(['busy', 'in_progress', 'previous_open', 'too_fast', 'keys_gone']);
const atTerminal = new Set<CodeMeaning>(['not_in_background', 'reverse_at_terminal']);

/** Rights, signature, application: the numbers from 40001 on. */
function isOfApplication(code: number): boolean {
  return code > 40_000 && code < 40_100;
}
