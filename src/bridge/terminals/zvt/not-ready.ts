/** Why a terminal is not ready, with reasons for cashier and support. */
import type { LastRecord, TerminalIdentity } from '../../../contract/terminal.ts';
import type { Readiness } from '../terminal-driver.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { codeReason, passwordReason } from './reasons.ts';
import {
  abortedCode,
  notPossibleCode,
  pleaseWaitCode,
  wrongCurrencyCode,
  wrongPasswordCode,
} from './wire/index.ts';

/** How a status poll ended early; passed on as it is. */
export type NotReady = Exclude<Readiness, { kind: 'ready' }>;

export const busyReason = 'The terminal is busy with something of its own.';

/** After an enquiry that the terminal refused, or broke off, with this code. `what`: the beginning of a sentence. */
export function notReadyAfterRefusal(context: ExchangeContext, code: number | null, what: string): NotReady {
  const setting = settingNotReady(context, code);
  if (setting !== null) return setting;
  // A terminal at work answers every other command like this; 6C is the late end of something that was broken off.
  if (code === notPossibleCode || code === pleaseWaitCode || code === abortedCode) {
    return { kind: 'busy', text: busyReason };
  }
  return needsAttention(context, codeReason(what, code), 'service');
}

export function settingNotReady(context: ExchangeContext, code: number | null): NotReady | null {
  if (code === wrongPasswordCode) return needsAttention(context, passwordReason, 'setting');
  if (code !== wrongCurrencyCode) return null;
  const text = `The terminal does not accept the currency ${context.currency}. Set the currency that it works in.`;
  return needsAttention(context, text, 'setting');
}

export function needsAttention(
  context: ExchangeContext,
  text: string,
  requiredAction: 'service' | 'setting',
): NotReady {
  const lastRecord = unavailable('It was not read, because the terminal needs attention first.');
  return { kind: 'attention', text, requiredAction, terminal: identityOf(context), lastRecord };
}

export function unavailable(reason: string): LastRecord {
  return { kind: 'unavailable', reason };
}

export function identityOf({ ids }: ExchangeContext): TerminalIdentity {
  return { protocol: 'zvt', terminalId: ids.id };
}
