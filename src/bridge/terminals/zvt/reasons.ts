/** Reasons for cashier and support: what a code of the terminal says, and why the terminal is not ready. */
import type { TerminalRecord, LastRecord, TerminalIdentity } from '../../../contract/terminal.ts';
import {
  resultText,
  abortedCode,
  notPossibleCode,
  pleaseWaitCode,
  wrongCurrencyCode,
  wrongPasswordCode,
} from './wire/index.ts';
import type { Readiness } from '../terminal-driver.ts';
import { busyReason, type ExchangeContext } from './exchange-context.ts';

export const passwordReason =
  'The terminal refuses the password. Set the password that is set at the terminal.';

/** A text of a table as a sentence: capital letter, full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** `prefix: text of the code.`; null stands for a code that the terminal did not give. */
export function codeReason(prefix: string, code: number | null): string {
  return asSentence(`${prefix}: ${code === null ? 'it gave no reason' : resultText(code)}`);
}

/** Why a result is negative, in the text that the record has for it. */
export function recordReason(record: TerminalRecord): string {
  return asSentence(record.resultText);
}

/** How a status poll ended early; passed on as it is. */
export type NotReady = Exclude<Readiness, { kind: 'ready' }>;

/** It answers a status enquiry, so it does not carry out our command. */
export const noLongerAtWork = 'The terminal is no longer at work on it; it may have restarted.';

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
