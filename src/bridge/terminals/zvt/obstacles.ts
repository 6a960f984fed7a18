/** What stands in the way of a terminal's being ready, in words for cashier and support. */
import type { LastRecord, TerminalIdentity } from '../../../contract/terminal.ts';
import type { Readiness } from '../terminal-driver.ts';
import type { Conversation } from './conversation.ts';
import { codeSentence, passwordAdvice } from './sentences.ts';
import {
  abortedCode,
  notPossibleCode,
  pleaseWaitCode,
  wrongCurrencyCode,
  wrongPasswordCode,
} from './wire/index.ts';

/** A way in which looking at the terminal ended early; passed on as it is. */
export type Obstacle = Exclude<Readiness, { kind: 'ready' }>;

export const busyText = 'The terminal is busy with something of its own.';

/** A question that the terminal refused, or broke off, with this code. `what`: the beginning of a sentence. */
export function refusal(conversation: Conversation, code: number | null, what: string): Obstacle {
  const setting = settingProblem(conversation, code);
  if (setting !== null) return setting;
  // A terminal at work answers every other command like this; 6C is the late end of something that was broken off.
  if (code === notPossibleCode || code === pleaseWaitCode || code === abortedCode) {
    return { kind: 'busy', text: busyText };
  }
  return attention(conversation, codeSentence(what, code), 'service');
}

export function settingProblem(conversation: Conversation, code: number | null): Obstacle | null {
  if (code === wrongPasswordCode) return attention(conversation, passwordAdvice, 'setting');
  if (code !== wrongCurrencyCode) return null;
  const text = `The terminal does not accept the currency ${conversation.currency}. Set the currency that it works in.`;
  return attention(conversation, text, 'setting');
}

export function attention(conversation: Conversation, text: string, cure: 'service' | 'setting'): Obstacle {
  const lastRecord = unavailable('It was not read, because the terminal needs attention first.');
  return { kind: 'attention', text, cure, terminal: identityOf(conversation), lastRecord };
}

export function unavailable(reason: string): LastRecord {
  return { kind: 'unavailable', reason };
}

export function identityOf({ ids }: Conversation): TerminalIdentity {
  return { protocol: 'zvt', terminalId: ids.id };
}
